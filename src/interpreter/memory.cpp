#include "interpreter/memory.hpp"

#include <cstring>

namespace hone::interpreter {
namespace {

using ir::Scalar;

std::int64_t bytes_of(const Place& place) {
  const auto size = place.packed ? ir::size_of(ir::lane_of(place.type)) * place.type.lanes : ir::size_of(place.type);
  if (size == 0) unsupported("a value whose size is not known");
  return size;
}

/// "out[7]", counted in elements of the access.
std::string element_name(const Place& place, std::int64_t offset) {
  const auto size = ir::size_of(ir::lane_of(place.type));
  return place.memory->name + "[" + std::to_string(size > 0 ? offset / size : offset) + "]";
}

void check_place(const Place& place) {
  const auto size = bytes_of(place);
  const auto all = static_cast<std::int64_t>(place.memory->bytes->size());
  if (place.offset < 0 || place.offset > all - size)
    stop(Finding::Kind::OutOfBounds, element_name(place, place.offset) + " is outside " + place.memory->name +
                                         ", which has " + std::to_string(all) + " bytes");
  const auto grain = place.packed ? ir::size_of(ir::lane_of(place.type)) : size;
  if (place.offset % grain != 0)
    undefined(element_name(place, place.offset) + " does not lie at a multiple of " + std::to_string(grain) +
              " bytes, as its type needs");
}

/// First byte and count of every part of the place: all of it, or each named lane.
std::vector<std::pair<std::int64_t, std::int64_t>> parts_of(const Place& place) {
  if (place.lanes.empty()) return {{place.offset, bytes_of(place)}};
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  const auto size = ir::size_of(ir::lane_of(place.type));
  for (const int lane : place.lanes) out.emplace_back(place.offset + lane * size, size);
  return out;
}

bool clash(const Toucher& before, const Toucher& now) {
  return before.item != 0 && before.item != now.item && (before.group != now.group || before.epoch == now.epoch);
}

[[noreturn]] void race(const Place& place, std::int64_t offset, std::uint32_t a, std::uint32_t b, bool both_write) {
  stop(Finding::Kind::Race, "work-items " + std::to_string(a - 1) + " and " + std::to_string(b - 1) +
                                (both_write ? " both write " : " read and write ") + element_name(place, offset) +
                                " with no barrier between them");
}

/// The bytes `value` becomes at `place`, which has no lanes picked.
Bytes encoded(const Place& place, const Value& value) {
  const Value v = converted(value, place.type);
  const auto size = bytes_of(place);
  Bytes out(static_cast<std::size_t>(size));
  auto* to = out.data();
  const auto step = ir::size_of(ir::lane_of(place.type));
  for (int l = 0; l < place.type.lanes; ++l, to += step) {
    const auto at = static_cast<std::size_t>(l);
    const auto single = static_cast<float>(v.reals[at]);
    switch (place.type.scalar) {
      case Scalar::Float: std::memcpy(to, &single, 4); break;
      case Scalar::Double: std::memcpy(to, &v.reals[at], 8); break;
      case Scalar::Half: unsupported("half in memory");
      default: std::memcpy(to, &v.integers[at], static_cast<std::size_t>(step));
    }
  }
  return out;
}

/// What the bytes there say, all lanes of them.
Value decoded(const Place& place) {
  const auto* from = place.memory->bytes->data() + place.offset;
  Value out = plain(place.type);
  const auto step = ir::size_of(ir::lane_of(place.type));
  for (int l = 0; l < place.type.lanes; ++l, from += step) {
    const auto at = static_cast<std::size_t>(l);
    float single = 0;
    switch (place.type.scalar) {
      case Scalar::Float:
        std::memcpy(&single, from, 4);
        out.reals[at] = single;
        break;
      case Scalar::Double: std::memcpy(&out.reals[at], from, 8); break;
      case Scalar::Half: unsupported("half in memory");
      default:
        std::memcpy(&out.integers[at], from, static_cast<std::size_t>(step));
        out.integers[at] = wrapped(out.integers[at], place.type.scalar);
    }
  }
  return out;
}

/// The bytes of the whole place after a store to the lanes it names.
Bytes bytes_after(const Place& place, const Value& value) {
  if (place.lanes.empty()) return encoded(place, value);
  Value whole = decoded(place);
  const Value part = converted(value, ir::scalar_type(place.type.scalar, static_cast<int>(place.lanes.size())));
  for (std::size_t l = 0; l < place.lanes.size(); ++l) {
    whole.integers[static_cast<std::size_t>(place.lanes[l])] = part.integers[l];
    whole.reals[static_cast<std::size_t>(place.lanes[l])] = part.reals[l];
  }
  return encoded(place, whole);
}

}  // namespace

MemoryPtr allocate(std::string name, std::size_t size) {
  auto memory = std::make_shared<Memory>();
  memory->name = std::move(name);
  memory->owned.assign(size, 0);
  memory->bytes = &memory->owned;
  return memory;
}

MemoryPtr allocate_unwritten(std::string name, std::size_t size) {
  auto memory = allocate(std::move(name), size);
  memory->starts_unwritten = true;
  memory->written.resize(size);
  return memory;
}

MemoryPtr allocate_local(std::string name, std::size_t size) {
  auto memory = allocate_unwritten(std::move(name), size);
  memory->shared = true;
  memory->touched.resize(size);
  return memory;
}

MemoryPtr view_of(std::string name, Bytes* bytes) {
  auto memory = std::make_shared<Memory>();
  memory->name = std::move(name);
  memory->bytes = bytes;
  memory->shared = true;
  memory->touched.resize(bytes->size());
  return memory;
}

Value load(const Place& place) {
  if (place.type.is_array()) {
    Value out;
    out.type = ir::pointer_to(ir::element_of(place.type));
    out.memory = place.memory;
    out.offset = place.offset;
    return out;
  }
  check_place(place);
  if (place.memory->starts_unwritten)
    for (const auto& [first, count] : parts_of(place)) {
      // Nobody ever writes the fourth of three lanes.
      const bool padded = place.lanes.empty() && place.type.is_vector() && place.type.lanes == 3 && !place.packed;
      for (auto b = first; b < first + (padded ? count / 4 * 3 : count); ++b)
        if (!place.memory->written[static_cast<std::size_t>(b)])
          undefined(element_name(place, b) + " is read before " +
                    (place.memory->shared ? "any work-item of the group wrote it" : "it was written"));
    }
  Value out = decoded(place);
  out.overflowed = !place.memory->tainted.empty() && place.memory->tainted.count(place.offset) != 0;
  return place.lanes.empty() ? out : lanes_of(out, place.lanes);
}

void store(const Place& place, const Value& value) {
  if (place.type.pointee || place.type.is_array()) unsupported("a pointer kept in memory");
  check_place(place);
  const auto bytes = bytes_after(place, value);
  for (const auto& [first, count] : parts_of(place)) {
    std::memcpy(place.memory->bytes->data() + first, bytes.data() + (first - place.offset),
                static_cast<std::size_t>(count));
    for (auto b = first; place.memory->starts_unwritten && b < first + count; ++b)
      place.memory->written[static_cast<std::size_t>(b)] = true;
  }
  if (value.overflowed)
    place.memory->tainted.insert(place.offset);
  else if (!place.memory->tainted.empty())
    place.memory->tainted.erase(place.offset);
}

void note_read(const Place& place, const Toucher& by) {
  if (!place.memory->shared || place.type.is_array()) return;
  check_place(place);
  for (const auto& [first, count] : parts_of(place))
    for (auto b = first; b < first + count; ++b) {
      auto& touched = place.memory->touched[static_cast<std::size_t>(b)];
      if (clash(touched.writer, by)) race(place, b, touched.writer.item, by.item, false);
      if (touched.reader.item != 0 && touched.reader.group != by.group)
        touched.reader_of_other_group = touched.reader.item;
      const bool fresh =
          touched.reader.item == 0 || touched.reader.group != by.group || touched.reader.epoch != by.epoch;
      if (fresh) {
        touched.reader = by;
        touched.second_reader = {};
      } else if (touched.reader.item != by.item) {
        touched.second_reader = by;
      }
    }
}

void note_write(const Place& place, const Toucher& by, const Value& value, bool equal_stores_race) {
  if (!place.memory->shared) return;
  check_place(place);
  const auto bytes = bytes_after(place, value);
  for (const auto& [first, count] : parts_of(place))
    for (auto b = first; b < first + count; ++b) {
      auto& touched = place.memory->touched[static_cast<std::size_t>(b)];
      const bool equal =
          (*place.memory->bytes)[static_cast<std::size_t>(b)] == bytes[static_cast<std::size_t>(b - place.offset)];
      if (clash(touched.writer, by) && (equal_stores_race || !equal))
        race(place, b, touched.writer.item, by.item, true);
      for (const auto& reader : {touched.reader, touched.second_reader})
        if (clash(reader, by)) race(place, b, reader.item, by.item, false);
      if (touched.reader_of_other_group != 0) race(place, b, touched.reader_of_other_group, by.item, false);
      touched.writer = by;
    }
}

}  // namespace hone::interpreter
