// Every .cl file of darktable (scripts/fetch-darktable): a real application's kernels, written by people.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "source/lift.hpp"
#include "support/lift_checks.hpp"

namespace hone::testing {
namespace {

namespace fs = std::filesystem;

fs::path darktable_kernels() { return fs::path(HONE_SOURCE_DIR) / "build/darktable/usr/share/darktable/kernels"; }

std::vector<fs::path> files() {
  std::vector<fs::path> out;
  if (fs::exists(darktable_kernels()))
    for (const auto& entry : fs::directory_iterator(darktable_kernels()))
      if (entry.path().extension() == ".cl") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string contents(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

ir::LiftOptions options() {
  ir::LiftOptions out;
  out.include_dirs = {darktable_kernels().string()};
  return out;
}

TEST(Darktable, LiftsFaithfullyAndUnderstandsNineStatementsInTen) {
  if (files().empty()) GTEST_SKIP() << "darktable's kernels are not here; fetch them with scripts/fetch-darktable";
  const source::ClangLifter lifter;
  Share all;
  for (const auto& file : files()) {
    const auto text = contents(file);
    const auto unit = lifter.lift(text, ir::Dialect::OpenCL, options()).value();
    EXPECT_EQ(unfaithful(lifter, unit, text, options()), "") << file.filename();
    const auto share = verbatim_share(unit);
    all.statements += share.statements;
    all.verbatim += share.verbatim;
    if (share.verbatim > 0)
      std::cout << "  " << file.filename().string() << ": " << share.verbatim << " of " << share.statements << "\n";
  }
  const double percent =
      100.0 * static_cast<double>(all.verbatim) / static_cast<double>(std::max<std::size_t>(1, all.statements));
  std::cout << "darktable: " << files().size() << " files, " << all.statements << " statements, " << all.verbatim
            << " verbatim (" << percent << "%)\n";
  EXPECT_LT(percent, 10.0);
}

TEST(Darktable, AFreshCopyOfAnyNodeChangesOnlyItsBytes) {
  if (files().empty()) GTEST_SKIP() << "darktable's kernels are not here; fetch them with scripts/fetch-darktable";
  const source::ClangLifter lifter;
  for (const auto& file : files()) {
    const auto text = contents(file);
    const auto unit = lifter.lift(text, ir::Dialect::OpenCL, options()).value();
    EXPECT_EQ(leaks(unit, text), "") << file.filename();
  }
}

}  // namespace
}  // namespace hone::testing
