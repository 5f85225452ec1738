#pragma once
// How a kernel is learned: both families are fitted to data by their evidence under weak priors, one coordinate after
// another, and the better one is kept. The work can be handed out in slices, so that no single ask pays for all of it.

#include <memory>
#include <vector>

#include "search/kernel.hpp"

namespace hone::search {

class Evidence;

/// Values at points; `repeats` is how often each was measured: its noise shrinks accordingly.
struct Observations {
  Positions points;
  Vector targets, repeats;
  /// Variance of a value that is measured again, and how many differences tell it; nothing where none do.
  double repeat_variance = 0;
  std::size_t repeats_seen = 0;
};

class KernelFit {
 public:
  /// Each family goes on from where it ended last time.
  KernelFit(Observations observations, std::vector<Kernel> starts, int sweeps);
  KernelFit(KernelFit&&) noexcept;
  KernelFit& operator=(KernelFit&&) noexcept;
  ~KernelFit();
  /// Goes on for about `work` multiplications, at least one step. True when there is nothing left to do.
  bool advance(double work);
  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// The one with more evidence.
  const Kernel& best() const;

 private:
  void step();

  Observations observations_;
  std::vector<Kernel> kernels_;
  std::unique_ptr<Evidence> evidence_;  // of the family that is being fitted
  std::size_t family_ = 0;
  Eigen::Index coordinate_ = 0;
  int sweep_ = 0, sweeps_;
};

/// All of it at once; `starts` become where the families ended.
Kernel fit_kernel(Observations observations, std::vector<Kernel>& starts, int sweeps);

}  // namespace hone::search
