#pragma once
// Puts the winner's device code back. In: K(0)'s text, the winner's, where K(0) came from, and the application's files.
// Out: edits of those files. Kernels are replaced in place; what is new goes just above the first kernel that needs it;
// a shared helper, type or macro that the winner changed is cloned under another name, because other kernels may use
// the original.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/format.hpp"
#include "core/origin.hpp"
#include "patch/region.hpp"

namespace hone::patch {

using FileEdits = std::map<std::string, std::vector<Edit>>;

struct KernelSplice {
  FileEdits edits;
  std::vector<std::string> notes;                    // "helper: cloned as helper_hone", for the person who reviews
  std::map<std::string, std::string> before, after;  // definitions by kernel: all of K(0), those that differ replaced
};
/// `marked` kernels are replaced even where their text stays, and get their marker beside them;
/// `remark` becomes a comment above each kernel that changed.
Result<KernelSplice> splice_kernels(const std::string& original, const std::string& winner, const Origin& origin,
                                    const Files& files, const std::set<std::string>& marked = {},
                                    const std::string& remark = {});

/// E-ORIGIN when the place of one of K(0)'s kernels could hold no kernel's text, whatever it says.
Status can_be_replaced(const std::string& original, const Origin& origin, const Files& files);

}  // namespace hone::patch
