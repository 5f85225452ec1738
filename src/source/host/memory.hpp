#pragma once
// The objects of the program that is interpreted. A state is a value: an undecided branch copies it, runs both ways and
// joins what they left.

#include <set>
#include <vector>

#include "source/host/shared_vector.hpp"
#include "source/host/value.hpp"

namespace hone::host {

/// Symbols and what they start from.
using Started = std::map<std::string, hone::Value>;

class Memory {
 public:
  std::int32_t make(HostValue value);
  HostValue load(const Location& from) const;
  void store(const Location& to, HostValue value);
  const HostValue& whole(std::int32_t slot) const { return slots_[static_cast<std::size_t>(slot)]; }
  bool has(std::int32_t slot) const { return slot >= 0 && slot < static_cast<std::int32_t>(slots_.size()); }
  std::size_t size() const { return slots_.size(); }
  /// When that object was last written, counted in stores.
  std::uint64_t written(std::int32_t slot) const { return has(slot) ? times_[static_cast<std::size_t>(slot)] : 0; }
  std::uint64_t now() const { return clock_; }
  /// Every place that was written between `since` and now becomes unknown.
  void forget_writes(std::size_t since, const std::string& why);
  std::size_t journal() const { return journal_.size(); }
  /// Places that were written since then, each once.
  std::vector<Location> written_since(std::size_t since) const;
  /// Journal entries are dropped; only when no loop is being watched.
  void clear_journal() { journal_.clear(); }
  /// Before the second way runs on a copy: objects it makes get numbers that the first way did not use.
  void begin_after(const Memory& other);
  /// `common` objects and `journal_at` journal entries were there when the ways parted; `other` ran second.
  /// What has no value here and has one there is taken over.
  Started fill_from(const Memory& other, std::size_t common);
  void join(const Memory& other, std::size_t common, std::size_t journal_at);

 private:
  Location followed(Location at) const;
  SharedVector<HostValue> slots_;
  std::vector<std::uint64_t> times_;
  SharedVector<Location> journal_;
  std::uint64_t clock_ = 0;
};

}  // namespace hone::host
