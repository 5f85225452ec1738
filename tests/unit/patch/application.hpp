#pragma once
// A small application for tests: files, and the Origin that extraction would have recorded for one kernel.

#include <string>
#include <vector>

#include "core/format.hpp"
#include "core/mep.hpp"
#include "core/origin.hpp"

namespace hone::patch::test {

struct Application {
  Files files;
  Mep mep;
  Origin origin;

  /// The kernel's definition is `text` in the decoded source and `there` in the file.
  Application& with_kernel(const std::string& kernel, const std::string& file, Embedding embedding,
                           const std::string& text, const std::string& there);
  /// The text of the launch as it stands in the file.
  Application& with_launch(const std::string& kernel, const std::string& file, const std::string& call,
                           std::vector<std::string> global);
  Application& stamped();
};

/// The applications of examples/, with what extraction records of them.
Application matmul_example();
Application filter_example();
Application dotproduct_example();

std::string read(const std::string& path);
/// Every file of a folder of the repository.
Files folder(const std::string& path);
/// Compares with tests/golden/<name>; a failure prints the command that updates it.
void expect_golden(const std::string& name, const std::string& actual);
/// Writes the files to a scratch folder, runs the command there with the diff as ../change.diff and returns the files
/// afterwards; empty when the command failed.
Files after_command(const Files& files, const std::string& diff, const std::string& command);

}  // namespace hone::patch::test
