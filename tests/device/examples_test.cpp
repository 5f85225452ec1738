// The example applications, patched with their templates, build and pass their own check on this machine's OpenCL
// device.
#include <gtest/gtest.h>

#include "application.hpp"
#include "core/format.hpp"
#include "core/template.hpp"
#include "patch/patch.hpp"

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

void expect_check_passes(const test::Application& app, const std::string& name) {
  const Template value = template_named(name);
  auto variant = instantiate_source(value, default_configuration(value.space));
  ASSERT_TRUE(variant) << variant.error().text();
  auto patch = make_patch(app.mep, *variant, app.origin, app.files);
  ASSERT_TRUE(patch) << patch.error().text();
  EXPECT_FALSE(test::after_command(app.files, patch->diff, "patch -p1 -s < ../change.diff && make -s check").empty());
}

TEST(Examples, PassTheirOwnCheckAsTheyAre) {
  for (const auto& app : {test::matmul_example(), test::filter_example(), test::dotproduct_example()})
    EXPECT_FALSE(test::after_command(app.files, "", "make -s check").empty());
}

TEST(Examples, MatmulPassesItsCheckWithItsTemplatePutBack) { expect_check_passes(test::matmul_example(), "matmul"); }
TEST(Examples, FilterPassesItsCheckWithItsTemplatePutBack) { expect_check_passes(test::filter_example(), "filter"); }
TEST(Examples, DotproductPassesItsCheckWithItsTemplatePutBack) {
  expect_check_passes(test::dotproduct_example(), "dotproduct");
}

}  // namespace
}  // namespace hone::patch
