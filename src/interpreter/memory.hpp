#pragma once
// Memory of the interpreter: buffers, local and private bytes, and who touched what since when.

#include <set>

#include "interpreter/value.hpp"

namespace hone::interpreter {

/// A work-item and the barriers it has passed. Work-items are numbered through all groups from 1.
struct Toucher {
  std::uint32_t item = 0, group = 0, epoch = 0;
};

/// Accesses to one byte that later ones may clash with.
struct Touched {
  Toucher writer, reader, second_reader;  ///< the readers since the last barrier, as many as a clash needs
  std::uint32_t reader_of_other_group = 0;
};

struct Memory {
  std::string name;
  Bytes* bytes = nullptr;
  Bytes owned;
  bool shared = false;             ///< several work-items see it
  bool starts_unwritten = false;   ///< holds nothing until somebody writes: local memory, a variable without a value
  std::vector<Touched> touched;    ///< of shared memory, per byte
  std::vector<bool> written;       ///< when it starts unwritten
  std::set<std::int64_t> tainted;  ///< where integers lie that overflowed
};
MemoryPtr allocate(std::string name, std::size_t size);
MemoryPtr allocate_unwritten(std::string name, std::size_t size);
MemoryPtr allocate_local(std::string name, std::size_t size);
/// Of a caller's bytes.
MemoryPtr view_of(std::string name, Bytes* bytes);

/// Where something can be stored: bytes of a memory, or some lanes of a vector there.
struct Place {
  MemoryPtr memory;
  std::int64_t offset = 0;
  ir::Type type;
  std::vector<int> lanes;
  bool packed = false;  ///< as vload and vstore see it: three lanes are three, any element's address will do
};

/// OutOfBounds, Undefined for what was never written or lies askew.
Value load(const Place& place);
void store(const Place& place, const Value& value);

/// Race, when somebody else touched one of these bytes with no barrier in between. Once per load or store, before it.
void note_read(const Place& place, const Toucher& by);
void note_write(const Place& place, const Toucher& by, const Value& value, bool equal_stores_race);

}  // namespace hone::interpreter
