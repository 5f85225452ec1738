// Classes of the C++ library: vectors, arrays, strings, maps, streams, smart pointers, as values of the interpreter.
#include <fmt/format.h>

#include "source/host/machine.hpp"

namespace hone::host {

HostValue open_file(Machine& machine, const HostValue& path, const std::string& near);

namespace {

using VK = HostValue::Kind;
using Values = std::vector<HostValue>;

HostValue with_size(HostValue of, HostValue size) {
  auto parts = of.parts ? std::make_shared<Parts>(*of.parts) : std::make_shared<Parts>();
  parts->size = std::move(size);
  of.parts = std::move(parts);
  return of;
}

std::string key_text(const HostValue& key) {
  if (key.is(VK::Text)) return "k:" + key.text;
  if (key.is(VK::Number) && key.whole()) return fmt::format("k:{:020}", *key.whole());
  if (key.is(VK::Handle)) return fmt::format("k:#{}", key.at.slot);
  return {};
}

HostValue entry(const HostValue& key, HostValue value) {
  HostValue out = record("std::pair");
  auto parts = std::make_shared<Parts>();
  parts->fields["first"] = key;
  parts->fields["second"] = std::move(value);
  out.parts = std::move(parts);
  return out;
}

HostValue pair_of(HostValue first, HostValue second) {
  HostValue out = record("std::pair");
  auto parts = std::make_shared<Parts>();
  parts->fields["first"] = std::move(first);
  parts->fields["second"] = std::move(second);
  out.parts = std::move(parts);
  return out;
}

bool is_map(const std::string& of) {
  return of == "std::map" || of == "std::unordered_map" || of == "std::set" || of == "std::unordered_set";
}

std::optional<HostValue> of_map(Machine& m, const std::string& name, const Location& at, const HostValue& object,
                                Values& v) {
  const auto end = pointer(at.field("end"));
  if (name == "end" || name == "cend") return end;
  if (name == "begin" || name == "cbegin") {
    for (const auto& [key, value] : object.parts->fields) {
      if (key.rfind("k:", 0) == 0) return pointer(at.field(key));
    }
    return end;
  }
  if (name == "size") {
    std::int64_t count = 0;
    for (const auto& [key, value] : object.parts->fields) count += key.rfind("k:", 0) == 0 ? 1 : 0;
    return number(count);
  }
  if (v.empty()) return name == "empty" ? std::optional(number(object.parts->fields.empty() ? 1 : 0)) : std::nullopt;
  HostValue key_value = v[0];
  if (const auto as = m.text_value(v[0])) key_value = *as;
  HostValue given = v.size() > 1 ? v[1] : HostValue{};
  const bool inserts = name == "insert" || name == "emplace" || name == "try_emplace" || name == "insert_or_assign";
  if (inserts && v.size() == 1 && v[0].is(VK::Record) && v[0].parts->fields.contains("first")) {
    key_value = v[0].parts->fields.at("first");
    given = v[0].parts->fields.contains("second") ? v[0].parts->fields.at("second") : HostValue{};
  }
  const auto key = key_text(key_value);
  if (key.empty()) return unknown("a map entry whose key is not known");
  const bool there = object.parts->fields.contains(key);
  if (name == "find") return there ? pointer(at.field(key)) : end;
  if (name == "count" || name == "contains") return number(there ? 1 : 0);
  if (name == "erase") return number(1);
  if (name == "operator[]" || name == "at") {
    if (!there) m.store(at.field(key), entry(key_value, unknown("a map entry that was given no value")));
    return reference(at.field(key).field("second"));
  }
  if (inserts) {
    if (!there || name == "insert_or_assign") m.store(at.field(key), entry(key_value, given));
    return pair_of(pointer(at.field(key)), number(there ? 0 : 1));
  }
  return std::nullopt;
}

std::optional<HostValue> of_sequence(Machine& m, const std::string& name, const Location& at, const HostValue& object,
                                     Values& v) {
  const auto size = object.parts->size ? *object.parts->size : unknown("how many there are");
  if (name == "size" || name == "length") return size;
  if (name == "empty") return m.arithmetic("==", size, number(0), nullptr);
  if (name == "data" || name == "begin" || name == "cbegin") return pointer(at.element(0));
  if (name == "end" || name == "cend") {
    if (const auto count = size.whole()) return pointer(at.element(*count));
    auto out = at;
    out.vague = true;
    return pointer(out);
  }
  if (name == "front") return reference(at.element(0));
  if (name == "back") {
    if (const auto count = size.whole(); count && *count > 0) return reference(at.element(*count - 1));
    return unknown("the last of an unknown number");
  }
  if ((name == "operator[]" || name == "at") && v.size() == 1) {
    if (const auto index = v[0].whole()) return reference(at.element(*index));
    auto out = at;
    out.vague = true;
    return reference(out);
  }
  if (name == "push_back" || name == "emplace_back") {
    const auto count = size.whole();
    if (!count || *count > 100000) {
      m.store(at, with_size(object, unknown("grown in a loop")));
      return HostValue{};
    }
    auto changed = object;
    auto parts = std::make_shared<Parts>(*object.parts);
    parts->elements[*count] = v.empty() ? HostValue{} : v[0];
    parts->size = number(*count + 1);
    changed.parts = std::move(parts);
    m.store(at, changed);
    return reference(at.element(*count));
  }
  if (name == "resize" || name == "assign" || name == "reserve" || name == "clear" || name == "shrink_to_fit" ||
      name == "pop_back") {
    if (name == "reserve" || name == "shrink_to_fit") return HostValue{};
    auto changed = object;
    auto parts = std::make_shared<Parts>(*object.parts);
    if (name == "pop_back") {
      if (const auto count = size.whole(); count && *count > 0) parts->size = number(*count - 1);
    } else if (name == "clear") {
      parts->elements.clear();
      parts->size = number(0);
    } else if (!v.empty() && v[0].is(VK::Number)) {
      parts->size = v[0];
      if (name == "assign") parts->elements.clear();
      if (v.size() > 1) parts->rest = v[1];
      if (!parts->rest) parts->rest = number(0);
    } else {
      parts->elements.clear();
      parts->size = unknown("assigned from a range");
      parts->rest = unknown("assigned from a range");
    }
    changed.parts = std::move(parts);
    m.store(at, changed);
    return HostValue{};
  }
  if (name == "fill" && v.size() == 1) {
    auto changed = object;
    auto parts = std::make_shared<Parts>(*object.parts);
    parts->elements.clear();
    parts->rest = v[0];
    changed.parts = std::move(parts);
    m.store(at, changed);
    return HostValue{};
  }
  if (name == "insert" || name == "erase" || name == "swap") {
    m.store(at, with_size(object, unknown("changed by " + name)));
    return HostValue{};
  }
  return std::nullopt;
}

std::optional<HostValue> of_text(Machine& m, const std::string& name, const std::optional<Location>& at,
                                 const HostValue& object, Values& v) {
  const auto give = [&](HostValue value) {
    if (at) m.store(*at, value);
    return value;
  };
  if (name == "c_str" || name == "data" || name == "str" || name == "view" || name == "string" ||
      name == "generic_string")
    return object;
  if (name == "size" || name == "length") return number(static_cast<std::int64_t>(object.text.size()));
  if (name == "empty") return number(object.text.empty() ? 1 : 0);
  if (name == "begin" || name == "cbegin" || name == "end" || name == "cend") return object;
  if ((name == "append" || name == "operator+=" || name == "push_back") && !v.empty()) {
    const auto other = m.text_value(v[0]);
    return give(joined_text(object, other ? *other : v[0]));
  }
  if (name == "operator+" && v.size() == 1) {
    const auto other = m.text_value(v[0]);
    return joined_text(object, other ? *other : v[0]);
  }
  if ((name == "operator[]" || name == "at") && v.size() == 1 && v[0].whole()) {
    if (at) return reference(at->element(*v[0].whole()));
    return number(0);
  }
  if (name == "substr" && !v.empty() && v[0].whole()) {
    const auto from = static_cast<std::size_t>(std::max<std::int64_t>(0, *v[0].whole()));
    if (from > object.text.size()) return unknown("outside of a text");
    const auto count = v.size() > 1 && v[1].whole() ? static_cast<std::size_t>(*v[1].whole()) : std::string::npos;
    return text(object.text.substr(from, count));
  }
  if ((name == "find" || name == "rfind" || name == "find_last_of" || name == "find_first_of") && !v.empty()) {
    auto other = m.text_value(v[0]);
    if (!other && v[0].whole()) other = text(std::string(1, static_cast<char>(*v[0].whole())));
    if (!other) return unknown("found in a text");
    const auto found = name == "find"           ? object.text.find(other->text)
                       : name == "rfind"        ? object.text.rfind(other->text)
                       : name == "find_last_of" ? object.text.find_last_of(other->text)
                                                : object.text.find_first_of(other->text);
    return number(found == std::string::npos ? -1 : static_cast<std::int64_t>(found));
  }
  if (name == "compare" && v.size() == 1) {
    const auto other = m.text_value(v[0]);
    return other ? number(object.text.compare(other->text)) : unknown("a comparison of texts");
  }
  if (name == "clear") return give(text(""));
  if (name == "assign" && !v.empty()) {
    const auto other = m.text_value(v[0]);
    return give(other ? *other : unknown("assigned from a text that is not known"));
  }
  if (name == "resize" || name == "reserve") return HostValue{};
  if ((name == "replace" || name == "insert" || name == "erase") && at)
    return give(unknown("a text changed in the middle"));
  return std::nullopt;
}

std::optional<HostValue> of_stream(Machine& m, const std::string& name, const std::optional<Location>& at,
                                   const HostValue& object, Values& v) {
  const bool writes = object.text == "std::basic_ostringstream" || object.text == "std::basic_stringstream";
  const bool reads = object.text == "std::basic_ifstream" || object.text == "std::basic_fstream";
  if (writes && at) {
    const auto field = at->field("text");
    if (name == "operator<<" && v.size() == 1) {
      auto piece = m.text_value(v[0]) ? *m.text_value(v[0]) : v[0];
      if (piece.is(VK::Handle) && piece.text == "file")
        piece = m.load(Location{piece.at.slot, {}, false}.field("text"));
      if (piece.is(VK::Function)) return reference(*at);  // std::endl and manipulators: white space at most
      const auto before = m.load(field);
      // A number prints as digits, whatever its value.
      auto words = as_text(piece);
      m.store(field, joined_text(before, words));
      return reference(*at);
    }
    if (name == "str" && v.empty()) return m.load(field);
    if (name == "str" && v.size() == 1) {
      m.store(field, m.text_value(v[0]) ? *m.text_value(v[0]) : unknown("a text that is not known"));
      return HostValue{};
    }
    if (name == "operator>>") return reference(*at);
    if (name == "clear" || name == "precision" || name == "flush" || name == "good") return number(1);
  }
  if (reads && at) {
    if (name == "rdbuf") return m.load(at->field("file"));
    if (name == "is_open" || name == "good" || name == "operator") return number(1);
    if (name == "fail" || name == "bad" || name == "operator!") return number(0);
    if (name == "open" && !v.empty()) {
      m.store(at->field("file"), open_file(m, v[0], m.place_of(Node{})));
      return HostValue{};
    }
    if (name == "tellg" || name == "tellp") {
      const auto file = m.load(at->field("file"));
      const auto held = file.is_handle("file") ? m.load(Location{file.at.slot, {}, false}.field("text")) : unknown("");
      return held.is(VK::Text) ? number(static_cast<std::int64_t>(held.text.size())) : unknown("the size of a file");
    }
    if (name == "read" && v.size() == 2) {
      const auto file = m.load(at->field("file"));
      const auto held = file.is_handle("file") ? m.load(Location{file.at.slot, {}, false}.field("text"))
                                               : unknown("read from a file");
      if (v[0].is(VK::Pointer)) {
        auto to = v[0].at;
        if (!to.path.empty() && to.path.back().field.empty()) to.path.pop_back();
        m.store(to, held);
      }
      return reference(*at);
    }
    if (name == "seekg" || name == "close" || name == "clear" || name == "exceptions") return reference(*at);
  }
  return std::nullopt;
}

}  // namespace

HostValue library_object(Machine& m, const std::string& of, const Node& node, Values v, bool& known) {
  known = true;
  const auto one_text = [&]() -> std::optional<HostValue> { return v.empty() ? std::nullopt : m.text_value(v[0]); };
  if (of == "std::basic_string" || of == "std::basic_string_view" || of == "std::filesystem::path") {
    if (v.empty()) return text("");
    if (const auto held = one_text()) {
      if (v.size() >= 2 && v[1].whole() && *v[1].whole() >= 0 &&
          *v[1].whole() <= static_cast<std::int64_t>(held->text.size()) && v[1].is(VK::Number) &&
          *v[1].whole() < static_cast<std::int64_t>(held->text.size()))
        return text(held->text.substr(0, static_cast<std::size_t>(*v[1].whole())));
      return *held;
    }
    if (v[0].is_handle("file"))
      return m.load(Location{v[0].at.slot, {}, false}.field("text"));  // from stream iterators
    if (v.size() == 2 && v[0].whole() && v[1].whole() && *v[0].whole() < 100000 && *v[0].whole() >= 0)
      return text(std::string(static_cast<std::size_t>(*v[0].whole()), static_cast<char>(*v[1].whole())));
    auto out = unknown(v[0].is(VK::Unknown) ? v[0].text : "a text that is not known");
    out.input = v[0].input;
    return out;
  }
  if (of == "std::istreambuf_iterator" || of == "std::istream_iterator") {
    if (!v.empty() && v[0].is(VK::Record) && v[0].parts->fields.contains("file")) return v[0].parts->fields.at("file");
    return v.empty() ? null() : v[0];
  }
  if (of == "std::vector" || of == "std::deque" || of == "std::initializer_list" || of == "std::list" ||
      of == "std::valarray") {
    HostValue out = record(of);
    auto parts = std::make_shared<Parts>();
    parts->size = number(0);
    if (!v.empty() && v[0].is(VK::Number)) {
      parts->size = v[0];
      parts->rest = v.size() > 1 && !v[1].is(VK::Unknown) ? v[1] : number(0);
    } else if (!v.empty() && v[0].parts && (v.size() == 1 || v[0].is(VK::Record) || v[0].is(VK::Array))) {
      *parts = *v[0].parts;  // also with the allocator that braces of strings name behind them
      if (!parts->size) parts->size = number(static_cast<std::int64_t>(parts->elements.size()));
    } else if (v.size() >= 2) {
      parts->size = m.arithmetic("-", v[1], v[0], nullptr);
      parts->rest = unknown("copied from a range");
      if (v[0].is(VK::Pointer) && v[1].is(VK::Pointer) && parts->size->whole()) {
        for (std::int64_t i = 0; i < std::min<std::int64_t>(*parts->size->whole(), 256); ++i)
          parts->elements[i] = m.pointed(v[0], i);
      }
    } else if (v.size() == 1) {
      parts->size = unknown(v[0].text);
      parts->rest = unknown(v[0].text);
    }
    out.parts = std::move(parts);
    return out;
  }
  if (of == "std::array") return with_size(record(of), number(m.type_of(node) != nullptr ? m.type_of(node)->count : 0));
  if (is_map(of)) {
    HostValue out = record(of);
    if (!v.empty() && v[0].parts) {  // what follows compares and allocates
      auto parts = std::make_shared<Parts>();
      for (const auto& [index, element] : v[0].parts->elements) {
        if (!element.parts || !element.parts->fields.contains("first")) continue;
        const auto key = key_text(element.parts->fields.at("first"));
        if (!key.empty()) parts->fields[key] = element;
      }
      out.parts = std::move(parts);
    }
    return out;
  }
  if (of == "std::pair" && v.size() == 2) return pair_of(v[0], v[1]);
  if (of == "std::basic_ostringstream" || of == "std::basic_stringstream" || of == "std::basic_istringstream") {
    HostValue out = record(of);
    auto parts = std::make_shared<Parts>();
    const auto held = one_text();
    parts->fields["text"] = held ? *held : text("");
    out.parts = std::move(parts);
    return out;
  }
  if (of == "std::basic_ifstream" || of == "std::basic_fstream") {
    HostValue out = record(of);
    auto parts = std::make_shared<Parts>();
    parts->fields["file"] = v.empty() ? unknown("no file") : open_file(m, v[0], m.place_of(node));
    out.parts = std::move(parts);
    return out;
  }
  if (of == "std::shared_ptr" || of == "std::unique_ptr" || of == "std::function" || of == "std::optional" ||
      of == "std::reference_wrapper")
    return v.empty() ? null() : v[0];
  if (of == "std::move_iterator" || of == "__gnu_cxx::__normal_iterator") return v.empty() ? HostValue{} : v[0];
  known = false;
  return {};
}

HostValue library_method(Machine& m, const std::string& name, const std::optional<Location>& at,
                         const HostValue& object, Values v, const Node&, bool& known) {
  known = true;
  if (name == "next entry" && object.is(VK::Pointer) && !object.at.path.empty()) {
    auto base = object.at;
    const auto key = base.path.back().field;
    base.path.pop_back();
    const auto map = m.load(base);
    if (map.parts) {
      for (auto it = map.parts->fields.upper_bound(key); it != map.parts->fields.end(); ++it) {
        if (it->first.rfind("k:", 0) == 0) return pointer(base.field(it->first));
      }
    }
    return pointer(base.field("end"));
  }
  if (object.is(VK::Record) && object.parts && at) {
    if (is_map(object.text)) {
      if (auto out = of_map(m, name, *at, object, v)) return *out;
    }
    if (auto out = of_stream(m, name, at, object, v)) return *out;
    const bool sequence = object.text == "std::vector" || object.text == "std::array" || object.text == "std::deque" ||
                          object.text == "std::initializer_list" || object.text == "std::list" ||
                          object.text == "std::valarray";
    if (sequence) {
      if (auto out = of_sequence(m, name, *at, object, v)) return *out;
    }
  }
  if (object.is(VK::Array) && at) {
    if (name == "size") return number(static_cast<std::int64_t>(object.parts->elements.size()));
    if (name == "begin" || name == "data") return pointer(at->element(0));
    if (name == "end") return pointer(at->element(static_cast<std::int64_t>(object.parts->elements.size())));
  }
  if (object.is(VK::Text)) {
    if (auto out = of_text(m, name, at, object, v)) return *out;
  }
  // Smart pointers and optionals are what they hold.
  if (name == "get" || name == "value" || name == "release" || name == "lock" || name == "base") return object;
  if (name == "value_or" && v.size() == 1) return object.is(VK::Null) ? v[0] : object;
  if (name == "operator" || name == "has_value" || name == "operator bool") {
    const auto truth = object.truth();
    return truth ? number(*truth ? 1 : 0) : unknown("whether there is one");
  }
  if (name == "reset" && at) {
    m.store(*at, v.empty() ? null() : v[0]);
    return HostValue{};
  }
  known = false;
  return {};
}

}  // namespace hone::host
