// Functions of the C and C++ libraries that decide about sizes, names, options and sources.
#include <fmt/format.h>

#include <cmath>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;
using Values = std::vector<HostValue>;

/// std::max and ::max alike.
std::string base_name(const std::string& name) {
  auto out = name;
  if (const auto cut = out.rfind("::"); cut != std::string::npos) out.erase(0, cut + 2);
  if (out.rfind("__builtin___", 0) == 0) {
    out.erase(0, 12);
    if (out.ends_with("_chk")) out.resize(out.size() - 4);
  } else if (out.rfind("__builtin_", 0) == 0) {
    out.erase(0, 10);
  }
  return out;
}

bool literal(const HostValue& v) { return v.number.root().kind == Expression::Kind::Literal; }

HostValue unary_math(const std::string& name, const HostValue& a, double (*f)(double)) {
  if (!a.is(VK::Number)) return a;
  HostValue out = a;
  out.real = true;
  if (const auto v = a.as_real()) out.known = hone::Value(f(*v));
  const auto& root = a.number.root();
  const bool quotient = root.kind == Expression::Kind::Binary && root.text == "/";
  const bool rounds = name == "ceil" || name == "floor";
  if (quotient && rounds) {
    const Expression x(root.operands[0]), y(root.operands[1]);
    out.number = name == "ceil" ? Expression::call("ceil_div", {x, y}) : Expression::binary("//", x, y);
    return out;
  }
  if (rounds && !a.real) return a;
  if (!out.known) return unknown(name + " of " + print(a));
  if (!literal(a)) out.from = std::max(out.from, Provenance::Kind::Inferred);
  out.number = Expression::literal(*out.known);
  return out;
}

HostValue extreme(const std::string& name, const HostValue& a, const HostValue& b) {
  if (!a.is(VK::Number)) return a;
  if (!b.is(VK::Number)) return b;
  HostValue out = a;
  out.real = a.real || b.real;
  out.input = a.input || b.input;
  out.device = a.device || b.device;
  out.from = std::max(a.from, b.from);
  out.known.reset();
  if (const auto x = a.as_real(), y = b.as_real(); x && y) {
    const bool first = name == "min" ? *x <= *y : *x >= *y;
    out.known = first ? a.known : b.known;
    if (literal(a) && literal(b)) {
      out.number = first ? a.number : b.number;
      return out;
    }
  }
  out.number = Expression::call(name, {a.number, b.number});
  return out;
}

double (*math_function(const std::string& name))(double) {
  if (name == "ceil" || name == "ceilf") return [](double x) { return std::ceil(x); };
  if (name == "floor" || name == "floorf") return [](double x) { return std::floor(x); };
  if (name == "round" || name == "roundf" || name == "lround") return [](double x) { return std::round(x); };
  if (name == "sqrt" || name == "sqrtf") return [](double x) { return std::sqrt(x); };
  if (name == "exp" || name == "expf") return [](double x) { return std::exp(x); };
  if (name == "log" || name == "logf") return [](double x) { return std::log(x); };
  if (name == "log2" || name == "log2f") return [](double x) { return std::log2(x); };
  if (name == "log10" || name == "log10f") return [](double x) { return std::log10(x); };
  if (name == "fabs" || name == "fabsf") return [](double x) { return std::fabs(x); };
  if (name == "sin" || name == "sinf") return [](double x) { return std::sin(x); };
  if (name == "cos" || name == "cosf") return [](double x) { return std::cos(x); };
  if (name == "tan" || name == "tanf") return [](double x) { return std::tan(x); };
  return nullptr;
}

/// The application's file a program opens by that path: relative to where it runs, which is not known.
const std::pair<const std::string, std::string>* file_named(const Files& files, const std::string& path,
                                                            const std::string& near) {
  auto wanted = path;
  while (wanted.rfind("./", 0) == 0) wanted.erase(0, 2);
  while (wanted.rfind("../", 0) == 0) wanted.erase(0, 3);
  if (wanted.empty()) return nullptr;
  const std::pair<const std::string, std::string>* best = nullptr;
  std::size_t score = 0;
  for (const auto& file : files) {
    const auto& name = file.first;
    const bool ends = name == wanted || (name.size() > wanted.size() && name.ends_with("/" + wanted));
    if (!ends) continue;
    std::size_t same = 0;
    while (same < name.size() && same < near.size() && name[same] == near[same]) ++same;
    if (best == nullptr || same + 1 > score) {
      best = &file;
      score = same + 1;
    }
  }
  return best;
}

}  // namespace

HostValue file_text(const std::pair<const std::string, std::string>& file) {
  HostValue out = text(file.second);
  TextPiece piece;
  piece.file = file.first;
  piece.end = static_cast<std::uint32_t>(file.second.size());
  piece.whole_file = true;
  piece.length = file.second.size();
  out.pieces = std::make_shared<std::vector<TextPiece>>(1, piece);
  return out;
}

/// A file that is open for reading; what it holds when it is one of the application's.
HostValue open_file(Machine& machine, const HostValue& path, const std::string& near) {
  const auto name = machine.text_value(path);
  HostValue file = record("#file");
  auto parts = std::make_shared<Parts>();
  const auto* found = name ? file_named(machine.files(), name->text, near) : nullptr;
  parts->fields["text"] = found != nullptr ? file_text(*found)
                                           : unknown(name ? "the file " + name->text + " is not in the application"
                                                          : "a file whose name is not known");
  if (!name && path.input) parts->fields["text"].input = true;
  file.parts = std::move(parts);
  return handle("file", machine.make(std::move(file)));
}

namespace {

HostValue file_part(Machine& machine, const HostValue& file) {
  if (!file.is_handle("file")) return unknown("read from a file that is not known");
  return machine.load(Location{file.at.slot, {}, false}.field("text"));
}

std::optional<HostValue> about_files(Machine& m, const std::string& name, const Node& node, Values& v) {
  if (name == "fopen" || name == "open") return v.empty() ? unknown("a file") : open_file(m, v[0], m.place_of(node));
  if (name == "fclose" || name == "fseek" || name == "rewind" || name == "fflush") return number(0);
  if (name == "ftell" || name == "_filelength" || name == "filelength") {
    const auto held = v.empty() ? unknown("") : file_part(m, v[0]);
    if (held.is(VK::Text)) return number(static_cast<std::int64_t>(held.text.size()));
    return unknown("the size of a file");
  }
  if (name == "stat" || name == "fstat") {
    if (v.size() > 1 && v[1].is(VK::Pointer)) {
      HostValue size = unknown("the size of a file");
      if (const auto path = m.text_value(v[0])) {
        if (const auto* found = file_named(m.files(), path->text, m.place_of(node)))
          size = number(static_cast<std::int64_t>(found->second.size()));
      }
      m.store(v[1].at.field("st_size"), size);
    }
    return number(0);
  }
  if (name == "fread" && v.size() >= 4) {
    const auto held = file_part(m, v[3]);
    if (v[0].is(VK::Pointer) && !held.is(VK::Text) && m.load(v[0].at).is(VK::Unknown) && v[2].whole() == 1) {
      m.give_input(v[0], "read from a file", node);  // one number: a size like any other
    } else if (v[0].is(VK::Pointer)) {
      auto at = v[0].at;
      if (!at.path.empty() && at.path.back().field.empty()) at.path.pop_back();
      m.store(at, held.is(VK::Text) ? held : unknown(held.text.empty() ? "read from a file" : held.text));
    }
    const auto one = v[1].whole();
    if (held.is(VK::Text))
      return number(one && *one > 1 ? static_cast<std::int64_t>(held.text.size()) / *one
                                    : static_cast<std::int64_t>(held.text.size()));
    return v[2];
  }
  if (name == "fgets" || name == "gets") {
    if (!v.empty() && v[0].is(VK::Pointer)) m.store(v[0].at, unknown("a line of a file"));
    return unknown("a line of a file");
  }
  if (name == "fscanf" || name == "sscanf" || name == "scanf") {
    for (std::size_t i = name == "scanf" ? 1 : 2; i < v.size(); ++i) {
      if (!v[i].is(VK::Pointer)) continue;
      m.give_input(v[i], "read by " + name, node);
    }
    auto out = unknown("what " + name + " gives");
    out.input = name == "scanf" || (!v.empty() && v[0].input);
    return out;
  }
  return std::nullopt;
}

std::optional<HostValue> about_texts(Machine& m, const std::string& name, const Node& node, Values& v) {
  const auto into = [&](const HostValue& to, HostValue value) {
    if (!to.is(VK::Pointer)) return;
    auto at = to.at;
    if (!at.path.empty() && at.path.back().field.empty() && at.path.back().index == 0) at.path.pop_back();
    const bool inside = !at.path.empty() && at.path.back().field.empty() && at.path.size() > to.at.path.size() - 1;
    if (inside || at.path.size() == to.at.path.size()) {
      // sprintf(buffer + n, ...): joined when n is where the text ends
      if (!to.at.path.empty() && to.at.path.back().field.empty() && to.at.path.back().index > 0) {
        auto whole = to.at;
        const auto skip = whole.path.back().index;
        whole.path.pop_back();
        const auto held = m.text_value(m.load(whole));
        if (held && static_cast<std::int64_t>(held->text.size()) == skip && value.is(VK::Text)) {
          m.store(whole, joined_text(*held, value));
          return;
        }
        m.store(whole, unknown("a text written in the middle"));
        return;
      }
    }
    m.store(at, std::move(value));
  };
  const auto size_of_text = [](const HostValue& value) {
    return value.is(VK::Text) ? number(static_cast<std::int64_t>(value.text.size()))
                              : unknown("the length of " + print(value));
  };
  if (name == "snprintf" || name == "_snprintf" || name == "sprintf" || name == "sprintf_s" || name == "vsnprintf" ||
      name == "vsprintf") {
    const bool sized = name.find("snprintf") != std::string::npos || name == "sprintf_s";
    const std::size_t format = sized ? 2 : 1;
    if (v.size() <= format) return unknown("printed");
    const auto made = formatted(m, v[format], Values(v.begin() + static_cast<std::ptrdiff_t>(format) + 1, v.end()));
    const HostValue result = made ? *made : unknown("a text printed with values that are not known");
    into(v[0], result);
    return size_of_text(result);
  }
  if ((name == "asprintf" || name == "vasprintf") && v.size() >= 2) {
    const auto made = formatted(m, v[1], Values(v.begin() + 2, v.end()));
    m.give(v[0], made ? *made : unknown("a text printed with values that are not known"));
    return made ? size_of_text(*made) : unknown("printed");
  }
  if (name == "strlen" || name == "strnlen") {
    const auto held = v.empty() ? std::nullopt : m.text_value(v[0]);
    if (held) return size_of_text(*held);
    auto out = unknown("the length of a text");
    out.input = !v.empty() && v[0].input;
    return out;
  }
  if (name == "strcpy" || name == "strncpy" || name == "strcpy_s") {
    const auto from = name == "strcpy_s" ? v.size() - 1 : 1;
    if (v.size() < 2) return unknown("copied");
    auto held = m.text_value(v[from]);
    if (held && name == "strncpy" && v.size() > 2 && v[2].whole() && *v[2].whole() >= 0 &&
        *v[2].whole() < static_cast<std::int64_t>(held->text.size()))
      held = text(held->text.substr(0, static_cast<std::size_t>(*v[2].whole())));
    HostValue missing = unknown("copied from a text that is not known");
    missing.input = v[from].input;
    into(v[0], held ? *held : missing);
    return v[0];
  }
  if (name == "strcat" || name == "strncat") {
    if (v.size() < 2) return unknown("joined");
    const auto a = m.text_value(v[0]);
    const auto b = m.text_value(v[1]);
    into(v[0], a && b ? joined_text(*a, *b) : unknown("joined with a text that is not known"));
    return v[0];
  }
  if (name == "strdup" || name == "strndup" || name == "_strdup") {
    const auto held = v.empty() ? std::nullopt : m.text_value(v[0]);
    return held ? *held : unknown("a copy of a text that is not known");
  }
  if (name == "strcmp" || name == "strcasecmp" || name == "strncmp" || name == "stricmp" || name == "_stricmp" ||
      name == "strncasecmp") {
    if (v.size() < 2) return unknown("compared");
    auto a = m.text_value(v[0]);
    auto b = m.text_value(v[1]);
    if (a && b) {
      std::string x = a->text, y = b->text;
      if (name.rfind("strn", 0) == 0 && v.size() > 2 && v[2].whole()) {
        x = x.substr(0, static_cast<std::size_t>(std::max<std::int64_t>(0, *v[2].whole())));
        y = y.substr(0, static_cast<std::size_t>(std::max<std::int64_t>(0, *v[2].whole())));
      }
      return number(x < y ? -1 : x == y ? 0 : 1);
    }
    auto out = unknown("a comparison of texts");
    out.input = v[0].input || v[1].input;
    return out;
  }
  if (name == "strstr" || name == "strchr" || name == "strrchr" || name == "strtok") {
    auto out = unknown("a part of a text");
    const auto a = v.size() > 1 ? m.text_value(v[0]) : std::nullopt;
    const auto b = v.size() > 1 ? m.text_value(v[1]) : std::nullopt;
    if (a && name == "strstr" && b) {
      const auto at = a->text.find(b->text);
      if (at == std::string::npos) return null();
      return text(a->text.substr(at));
    }
    if (a && name != "strstr" && name != "strtok" && v[1].whole()) {
      const auto c = static_cast<char>(*v[1].whole());
      const auto at = name == "strchr" ? a->text.find(c) : a->text.rfind(c);
      if (at == std::string::npos) return null();
      return text(a->text.substr(at));
    }
    out.input = !v.empty() && v[0].input;
    return out;
  }
  if (name == "to_string" && v.size() == 1) {
    if (v[0].is(VK::Number) && v[0].real && v[0].known) return text(fmt::format("{:f}", *v[0].as_real()));
    return as_text(v[0]);
  }
  if (name == "format" && !v.empty()) {
    const auto pattern = m.text_value(v[0]);
    if (!pattern) return unknown("a format that is not known");
    HostValue out = text("");
    std::size_t next = 1;
    for (std::size_t i = 0; i < pattern->text.size(); ++i) {
      if (pattern->text[i] != '{' || i + 1 >= pattern->text.size()) {
        out.text += pattern->text[i];
        continue;
      }
      const auto end = pattern->text.find('}', i);
      if (end == std::string::npos || next >= v.size()) return unknown("a format that is not understood");
      const auto one = m.text_value(v[next]) ? *m.text_value(v[next]) : as_text(v[next]);
      ++next;
      if (!one.is(VK::Text)) return one;
      out.text += one.text;
      i = end;
    }
    return out;
  }
  const bool parses = name == "atoi" || name == "atol" || name == "atoll" || name == "strtol" || name == "strtoul" ||
                      name == "strtoll" || name == "strtoull" || name == "stoi" || name == "stol" || name == "stoul" ||
                      name == "stoull" || name == "stoll";
  const bool parses_real = name == "atof" || name == "strtod" || name == "strtof" || name == "stof" || name == "stod";
  if ((parses || parses_real) && !v.empty()) {
    if (const auto held = m.text_value(v[0]); held && !held->text.empty()) {
      auto out = parses ? number(std::strtoll(held->text.c_str(), nullptr, 0))
                        : real(std::strtod(held->text.c_str(), nullptr));
      out.input = held->input;
      return out;
    }
    return m.input(m.naming(), parses_real, node);
  }
  if (name == "getenv") {
    auto out = null();
    out.input = true;
    return out;
  }
  if (name == "getopt" || name == "getopt_long" || name == "getopt_long_only") {
    auto out = number(-1);
    out.input = true;
    return out;
  }
  return std::nullopt;
}

std::optional<HostValue> about_numbers(Machine& m, const std::string& name, Values& v) {
  if ((name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf") &&
      v.size() >= 2)
    return extreme(name.find("min") != std::string::npos ? "min" : "max", v[0], v[1]);
  if ((name == "min" || name == "max") && v.size() == 1 && v[0].parts && !v[0].parts->elements.empty()) {
    HostValue out = v[0].parts->elements.begin()->second;
    for (const auto& [index, element] : v[0].parts->elements) out = extreme(name, out, element);
    return out;
  }
  if ((name == "abs" || name == "labs" || name == "llabs") && v.size() == 1) {
    if (v[0].whole() && !v[0].real) return number(std::abs(*v[0].whole()));
    return unary_math("abs", v[0], [](double x) { return std::fabs(x); });
  }
  if (auto* f = math_function(name); f != nullptr && v.size() == 1) {
    return unary_math(name.rfind("ceil", 0) == 0 ? "ceil" : name.rfind("floor", 0) == 0 ? "floor" : name, v[0], f);
  }
  if ((name == "pow" || name == "powf") && v.size() == 2) {
    const auto x = v[0].as_real(), y = v[1].as_real();
    if (!x || !y) return unknown("a power");
    auto out = real(std::pow(*x, *y));
    out.input = v[0].input || v[1].input;
    if (!literal(v[0]) || !literal(v[1])) out.from = Provenance::Kind::Inferred;
    return out;
  }
  if (name == "malloc" || name == "calloc" || name == "aligned_alloc" || name == "memalign" || name == "_mm_malloc" ||
      name == "valloc" || name == "_aligned_malloc" || name == "realloc" || name == "alloca") {
    if (name == "realloc" && v.size() == 2 && v[0].is(VK::Pointer)) return v[0];
    HostValue block = array();
    if (name == "calloc") {
      auto parts = std::make_shared<Parts>();
      parts->rest = number(0);
      block.parts = std::move(parts);
    }
    return pointer(Location{m.make(std::move(block)), {}, false}.element(0));
  }
  if (name == "posix_memalign" && v.size() == 3) {
    m.give(v[0], pointer(Location{m.make(array()), {}, false}.element(0)));
    return number(0);
  }
  if (name == "memset" && v.size() == 3) {
    if (v[0].is(VK::Pointer)) {
      auto at = v[0].at;
      const auto held = m.load(at);
      if (held.is(VK::Record) && v[1].whole() == 0) {
        auto cleared = held;
        auto parts = std::make_shared<Parts>();
        parts->rest = number(0);
        cleared.parts = std::move(parts);
        m.store(at, cleared);
        return v[0];
      }
      if (!at.path.empty() && at.path.back().field.empty()) at.path.pop_back();
      HostValue block = array();
      auto parts = std::make_shared<Parts>();
      parts->rest = v[1].whole() == 0 ? number(0) : unknown("set byte by byte");
      block.parts = std::move(parts);
      m.store(at, std::move(block));
    }
    return v[0];
  }
  if ((name == "memcpy" || name == "memmove") && v.size() == 3) {
    if (v[0].is(VK::Pointer) && v[1].is(VK::Pointer)) {
      auto to = v[0].at, from = v[1].at;
      const bool whole = !to.path.empty() && to.path.back().field.empty() && to.path.back().index == 0 &&
                         !from.path.empty() && from.path.back().field.empty() && from.path.back().index == 0;
      if (whole) {
        to.path.pop_back();
        from.path.pop_back();
      }
      m.store(to, m.load(from));
    } else if (v[0].is(VK::Pointer) && v[1].is(VK::Text)) {
      auto to = v[0].at;
      if (!to.path.empty() && to.path.back().field.empty()) to.path.pop_back();
      m.store(to, v[1]);
    } else if (v[0].is(VK::Pointer)) {
      m.store(v[0].at, unknown("copied"));
    }
    return v[0];
  }
  const bool random = name == "rand" || name == "drand48" || name == "lrand48" || name == "random" || name == "time" ||
                      name == "clock" || name == "gettimeofday" || name == "clock_gettime";
  if (random)
    return unknown(name == "rand" || name.find("rand") != std::string::npos || name == "random" ? "a random number"
                                                                                                : "the time");
  const bool silent = name == "printf" || name == "fprintf" || name == "puts" || name == "fputs" || name == "putchar" ||
                      name == "perror" || name == "free" || name == "srand" || name == "srand48" || name == "assert" ||
                      name == "vprintf" || name == "vfprintf" || name == "fwrite" || name == "usleep" ||
                      name == "sleep" || name == "expect";
  if (silent) return name == "expect" && !v.empty() ? v[0] : number(0);
  if (name == "make_pair" && v.size() == 2) {
    HostValue out = record("std::pair");
    auto parts = std::make_shared<Parts>();
    parts->fields["first"] = v[0];
    parts->fields["second"] = v[1];
    out.parts = std::move(parts);
    return out;
  }
  const bool over_range = name == "fill" || name == "generate" || name == "iota" || name == "sort" ||
                          name == "fill_n" || name == "shuffle" || name == "transform" || name == "copy" ||
                          name == "for_each" || name == "generate_n" || name == "copy_if" || name == "copy_n" ||
                          name == "random_shuffle" || name == "reverse";
  if (over_range) {
    const auto forget = [&](const HostValue& to, const HostValue& value) {
      if (!to.is(VK::Pointer)) return;
      auto at = to.at;
      if (!at.path.empty() && at.path.back().field.empty()) at.path.pop_back();
      auto held = m.load(at);
      if (!held.parts) return;
      auto parts = std::make_shared<Parts>(*held.parts);
      parts->elements.clear();
      parts->rest = value;
      held.parts = std::move(parts);
      m.store(at, held);
    };
    if (name == "fill" && v.size() == 3)
      forget(v[0], v[2]);
    else if (name == "fill_n" && v.size() == 3)
      forget(v[0], v[2]);
    else if (name == "transform" || name == "copy" || name == "copy_if" || name == "copy_n")
      forget(v.size() > 2 ? v[2] : HostValue{}, unknown("made by std::" + name));
    else if (!v.empty())
      forget(v[0], unknown("made by std::" + name));
    return HostValue{};
  }
  if ((name == "begin" || name == "cbegin" || name == "data") && v.size() == 1) return v[0];
  if ((name == "next" || name == "prev") && !v.empty())
    return m.arithmetic(name == "next" ? "+" : "-", v[0], v.size() > 1 ? v[1] : number(1), nullptr);
  if (name == "distance" && v.size() == 2) return m.arithmetic("-", v[1], v[0], nullptr);
  if (name == "accumulate" || name == "min_element" || name == "max_element" || name == "count" || name == "find")
    return unknown("what std::" + name + " gives");
  return std::nullopt;
}

}  // namespace

HostValue library_call(Machine& machine, const std::string& name, const Node& node, Values values, bool& known) {
  const auto base = base_name(name);
  known = true;
  if (auto out = about_texts(machine, base, node, values)) return *out;
  if (auto out = about_numbers(machine, base, values)) return *out;
  if (auto out = about_files(machine, base, node, values)) return *out;
  known = false;
  return unknown("what " + name + " gives");
}

}  // namespace hone::host
