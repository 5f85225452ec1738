#pragma once
// Changes launch geometry where the application launches. In: the winner's launch shapes, the launch sites and the
// files. Out: edits: new arrays just before each call, made from the host's own sizes, and the call's two arguments
// replaced by them.

#include <map>
#include <string>
#include <vector>

#include "core/template.hpp"
#include "patch/kernel_splice.hpp"

namespace hone::patch {

/// Global and local sizes are those of the original launch.
bool keeps_geometry(const LaunchShape& shape);

/// E-LAUNCHSITE names the file, the line and what could not be followed.
Result<FileEdits> splice_launches(const std::vector<LaunchShape>& shapes, const Origin& origin, const Files& files);

}  // namespace hone::patch
