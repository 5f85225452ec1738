// The example applications, with a kernel taken out and put back faster by their templates, build and pass their own
// check on this machine's OpenCL device.
#include <gtest/gtest.h>

#include "application.hpp"
#include "core/format.hpp"
#include "core/template.hpp"
#include "patch/limits.hpp"
#include "patch/patch.hpp"
#include "source/extract.hpp"

namespace hone::patch {
namespace {

Template template_named(const std::string& name) {
  const std::string folder = std::string(HONE_SOURCE_DIR) + "/examples/templates/" + name;
  auto value = template_from_files(
      {{"template.toml", test::read(folder + "/template.toml")}, {"kernel.cl", test::read(folder + "/kernel.cl")}},
      folder);
  EXPECT_TRUE(value) << value.error().text();
  return *value;
}

void expect_check_passes(const std::string& name, const std::string& kernel) {
  const Files files = test::folder("examples/" + name);
  const auto taken = source::extract(files, {{kernel}, "", {}});
  ASSERT_TRUE(taken) << taken.error().text();
  const Template value = template_named(name);
  auto variant = instantiate_source(value, default_configuration(value.space));
  ASSERT_TRUE(variant) << variant.error().text();
  Mep mep;
  mep.source = taken->source;
  mep.kernels = {{kernel, {}}};
  const auto limits = limits_of(mep, taken->origin, files);
  ASSERT_TRUE(limits) << limits.error().text();
  auto patch = make_patch(mep, *variant, taken->origin, files, *limits);
  ASSERT_TRUE(patch) << patch.error().text();
  EXPECT_FALSE(test::after_command(files, patch->diff, "patch -p1 -s < ../change.diff && make -s check").empty());
}

TEST(Examples, PassTheirOwnCheckAsTheyAre) {
  for (const auto* name : {"matmul", "filter", "dotproduct"})
    EXPECT_FALSE(test::after_command(test::folder(std::string("examples/") + name), "", "make -s check").empty());
}

TEST(Examples, MatmulPassesItsCheckWithItsTemplatePutBack) { expect_check_passes("matmul", "matmul"); }
TEST(Examples, FilterPassesItsCheckWithItsTemplatePutBack) { expect_check_passes("filter", "blur"); }
TEST(Examples, DotproductPassesItsCheckWithItsTemplatePutBack) { expect_check_passes("dotproduct", "dot_partial"); }

}  // namespace
}  // namespace hone::patch
