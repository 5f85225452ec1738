#pragma once
// A sequence that is cheap to copy: copies share chunks of it until one of them changes an element there.

#include <cstddef>
#include <memory>
#include <vector>

namespace hone::host {

template <class T>
class SharedVector {
 public:
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t i) const { return (*chunks_[i / kChunk])[i % kChunk]; }
  T& change(std::size_t i) { return own(i / kChunk)[i % kChunk]; }
  void push_back(T value) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_shared<std::vector<T>>());
      chunks_.back()->reserve(kChunk);
    }
    own(size_ / kChunk).push_back(std::move(value));
    ++size_;
  }
  void clear() {
    chunks_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t kChunk = 32;
  std::vector<T>& own(std::size_t chunk) {
    auto& held = chunks_[chunk];
    if (held.use_count() > 1) {
      auto copy = std::make_shared<std::vector<T>>();
      copy->reserve(kChunk);
      copy->assign(held->begin(), held->end());
      held = std::move(copy);
    }
    return *held;
  }
  std::vector<std::shared_ptr<std::vector<T>>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace hone::host
