#include "source/host/memory.hpp"

namespace hone::host {
namespace {

using ValueKind = HostValue::Kind;

HostValue part_of(const HostValue& whole, const PathStep& step) {
  if (whole.kind == ValueKind::Text && step.field.empty()) {
    if (step.index == 0 && whole.text.empty()) return number(0);
    if (step.index < 0 || step.index > static_cast<std::int64_t>(whole.text.size()))
      return unknown("outside of a text");
    const auto at = static_cast<std::size_t>(step.index);
    return number(at < whole.text.size() ? static_cast<std::int64_t>(static_cast<unsigned char>(whole.text[at])) : 0);
  }
  if (whole.kind == ValueKind::Unknown) return whole;
  if (!whole.parts) {
    if (step.field.empty() && step.index == 0) return whole;  // a single object as an array of one
    return unknown("a part of " + print(whole));
  }
  if (!step.field.empty()) {
    const auto found = whole.parts->fields.find(step.field);
    if (found != whole.parts->fields.end()) return found->second;
    // The first element of an array of records: p->x
    const auto first = whole.parts->elements.find(0);
    if (whole.kind == ValueKind::Array && first != whole.parts->elements.end()) return part_of(first->second, step);
    if (whole.parts->rest) return *whole.parts->rest;
    return unknown(step.field + " was given no value");
  }
  const auto found = whole.parts->elements.find(step.index);
  if (found != whole.parts->elements.end()) return found->second;
  if (whole.parts->rest) return *whole.parts->rest;
  if (whole.kind == ValueKind::Record && step.index == 0 && !whole.parts->size) return whole;
  return unknown("an element that was given no value");
}

/// Shared parts are copied before they change; what nobody else holds changes in place.
Parts& own_parts(HostValue& value) {
  if (!value.parts) {
    value.parts = std::make_shared<Parts>();
  } else if (value.parts.use_count() > 1) {
    value.parts = std::make_shared<Parts>(*value.parts);
  }
  return const_cast<Parts&>(*value.parts);
}

HostValue with_character(HostValue whole, const PathStep& step, const HostValue& value, bool vague) {
  const auto c = value.whole();
  const auto size = static_cast<std::int64_t>(whole.text.size());
  if (vague || !c || step.index < 0 || step.index > size) {
    if (c && *c == 0) return whole;  // ends it at or after where it ends
    return unknown("a text written at an index that is not known");
  }
  const auto at = static_cast<std::size_t>(step.index);
  if (*c == 0) {
    whole.text.resize(at);
  } else if (at < whole.text.size()) {
    whole.text[at] = static_cast<char>(*c);
  } else {
    whole.text += static_cast<char>(*c);
  }
  return whole;
}

HostValue with_part(HostValue whole, const std::vector<PathStep>& path, std::size_t from, HostValue value, bool vague) {
  if (from == path.size()) {
    if (!vague) return value;
    if (!whole.parts) return unknown("written at a place that is not known");
    auto& parts = own_parts(whole);
    for (auto& [index, element] : parts.elements) element = unknown("written at an index that is not known");
    parts.rest = unknown("written at an index that is not known");
    return whole;
  }
  const auto& step = path[from];
  const bool first = step.field.empty() && step.index == 0;
  if (!whole.parts && whole.kind == ValueKind::Text && step.field.empty() && from + 1 == path.size())
    return with_character(std::move(whole), step, value, vague);
  if (!whole.parts && whole.kind != ValueKind::Unknown && step.field.empty()) {
    if (first) return with_part(std::move(whole), path, from + 1, std::move(value), vague);
    HostValue base = array();
    own_parts(base).elements[0] = std::move(whole);
    return with_part(std::move(base), path, from, std::move(value), vague);
  }
  if (!whole.parts) {
    const bool says_why = whole.kind == ValueKind::Unknown && !whole.text.empty();
    HostValue base = step.field.empty() ? array() : record("");
    if (says_why) own_parts(base).rest = std::move(whole);
    whole = std::move(base);
  }
  if (first && whole.kind == ValueKind::Record && !whole.parts->size)  // p[0] where p points to one object
    return with_part(std::move(whole), path, from + 1, std::move(value), vague);
  HostValue old = part_of(whole, step);
  auto& parts = own_parts(whole);
  if (!step.field.empty() && whole.kind == ValueKind::Array && !parts.elements.empty()) {  // p->x, p an allocation
    auto& element = parts.elements[0];
    element = with_part(std::move(element), path, from, std::move(value), vague);
    return whole;
  }
  auto& held = step.field.empty() ? parts.elements[step.index] : parts.fields[step.field];
  held = HostValue{};  // `old` is the only one that holds it now
  held = with_part(std::move(old), path, from + 1, std::move(value), vague);
  return whole;
}

HostValue filled(const HostValue& mine, const HostValue& theirs, Started& started, int depth) {
  if (mine.kind == ValueKind::Unknown && !mine.parts) return theirs;
  const bool asked = mine.kind == ValueKind::Number && theirs.kind == ValueKind::Number && theirs.input &&
                     !theirs.known && theirs.number.root().kind == Expression::Kind::Name;
  if (asked && mine.known && mine.number.root().kind != Expression::Kind::Literal &&
      !theirs.number.root().text.starts_with(mine.number.print())) {
    auto out = theirs;  // int m = n; if (argc > 2) m = atoi(argv[2]): a size of its own that starts at n
    out.known = mine.known;
    started[theirs.number.root().text] = *mine.known;
    return out;
  }
  if (depth > 4 || !mine.parts || !theirs.parts || mine.kind != theirs.kind) return mine;
  HostValue out = mine;
  auto& parts = own_parts(out);
  for (const auto& [name, value] : theirs.parts->fields) {
    const auto found = parts.fields.find(name);
    if (found == parts.fields.end()) {
      parts.fields[name] = value;
    } else {
      found->second = filled(found->second, value, started, depth + 1);
    }
  }
  for (const auto& [index, value] : theirs.parts->elements) {
    const auto found = parts.elements.find(index);
    if (found != parts.elements.end()) {
      found->second = filled(found->second, value, started, depth + 1);
    } else if (!parts.rest || parts.rest->kind == ValueKind::Unknown) {
      parts.elements[index] = value;
    }
  }
  return out;
}

}  // namespace

std::int32_t Memory::make(HostValue value) {
  slots_.push_back(std::move(value));
  times_.push_back(++clock_);
  return static_cast<std::int32_t>(slots_.size() - 1);
}

/// The same place without reference fields on the way to it.
Location Memory::followed(Location at) const {
  for (int turns = 0; turns < 8 && has(at.slot); ++turns) {
    const HostValue* held = &slots_[static_cast<std::size_t>(at.slot)];
    HostValue part;
    bool turned = false;
    for (std::size_t i = 0; i <= at.path.size(); ++i) {
      if (held->kind == ValueKind::Pointer && held->text == "reference") {
        Location to = held->at;
        to.path.insert(to.path.end(), at.path.begin() + static_cast<std::ptrdiff_t>(i), at.path.end());
        to.vague = to.vague || at.vague;
        at = std::move(to);
        turned = true;
        break;
      }
      if (i == at.path.size() || !held->parts) break;
      const auto& step = at.path[i];
      const auto& parts = *held->parts;
      if (!step.field.empty()) {
        const auto found = parts.fields.find(step.field);
        if (found == parts.fields.end()) break;
        held = &found->second;
      } else {
        const auto found = parts.elements.find(step.index);
        if (found == parts.elements.end()) break;
        held = &found->second;
      }
    }
    if (!turned) break;
  }
  return at;
}

HostValue Memory::load(const Location& where) const {
  if (!has(where.slot)) return unknown("no object");
  const auto from = followed(where);
  HostValue out = slots_[static_cast<std::size_t>(from.slot)];
  for (const auto& step : from.path) out = part_of(out, step);
  if (from.vague && out.kind != ValueKind::Unknown) {
    if (out.parts && out.parts->elements.empty() && out.parts->rest) return *out.parts->rest;
    return unknown("at an index that is not known");
  }
  return out;
}

void Memory::store(const Location& where, HostValue value) {
  if (!has(where.slot)) return;
  const auto to = value.kind == ValueKind::Pointer && value.text == "reference" ? where : followed(where);
  auto& slot = slots_.change(static_cast<std::size_t>(to.slot));
  times_[static_cast<std::size_t>(to.slot)] = ++clock_;
  journal_.push_back(to);
  slot = with_part(std::move(slot), to.path, 0, std::move(value), to.vague);
}

void Memory::forget_writes(std::size_t since, const std::string& why) {
  std::set<std::pair<std::int32_t, std::vector<PathStep>>> done;
  const auto end = journal_.size();
  for (std::size_t i = since; i < end; ++i) {
    Location at = journal_[i];
    // An element of an array that a loop wrote: any element may have been.
    bool indexed = false;
    for (std::size_t s = 0; s < at.path.size(); ++s) {
      if (!at.path[s].field.empty()) continue;
      const bool one_object = at.path[s].index == 0 && s + 1 < at.path.size() && !at.path[s + 1].field.empty();
      if (one_object) continue;  // p->x of something allocated
      at.path.resize(s);
      indexed = true;
      break;
    }
    at.vague = indexed;
    if (!done.insert({at.slot, at.path}).second) continue;
    store(at, unknown(why));
  }
}

std::vector<Location> Memory::written_since(std::size_t since) const {
  std::vector<Location> out;
  std::set<std::pair<std::int32_t, std::vector<PathStep>>> done;
  for (std::size_t i = since; i < journal_.size(); ++i)
    if (done.insert({journal_[i].slot, journal_[i].path}).second) out.push_back(journal_[i]);
  return out;
}

void Memory::begin_after(const Memory& other) {
  clock_ = other.clock_;
  while (slots_.size() < other.slots_.size()) {
    slots_.push_back(unknown("made on the other way"));
    times_.push_back(0);
  }
}

void Memory::join(const Memory& other, std::size_t common, std::size_t journal_at) {
  clock_ = std::max(clock_, other.clock_);
  // Objects made on only one way stay as that way left them; nobody else can reach them.
  const auto shared = std::min({common, slots_.size(), other.slots_.size()});
  for (std::size_t i = 0; i < shared; ++i) {
    if (times_[i] == other.times_[i]) continue;
    slots_.change(i) = host::join(slots_[i], other.slots_[i]);
    times_[i] = ++clock_;
  }
  for (std::size_t i = std::min(journal_at, other.journal_.size()); i < other.journal_.size(); ++i)
    journal_.push_back(other.journal_[i]);
  for (std::size_t i = slots_.size(); i < other.slots_.size(); ++i) {
    slots_.push_back(other.slots_[i]);
    times_.push_back(other.times_[i]);
  }
}

Started Memory::fill_from(const Memory& other, std::size_t common) {
  Started started;
  for (std::size_t i = slots_.size(); i < other.slots_.size(); ++i) {  // what was made there may be pointed at
    slots_.push_back(other.slots_[i]);
    times_.push_back(other.times_[i]);
  }
  clock_ = std::max(clock_, other.clock_);
  for (std::size_t i = 0; i < std::min(common, other.slots_.size()); ++i) {
    if (times_[i] != other.times_[i]) slots_.change(i) = filled(slots_[i], other.slots_[i], started, 0);
  }
  return started;
}

}  // namespace hone::host
