// A candidate that asks the preprocessor who compiles it is shown to its watchers as the device sees it.

#include "judge/device_macros.hpp"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using Names = std::vector<std::string>;

Names asked(const std::string& source, std::vector<std::string> options = {}, const std::string& original = "") {
  return asked_macros({Language::OpenCL, source, {}, std::move(options)}, original);
}

TEST(DeviceMacros, AreThoseThatConditionsNameAndNobodyDefines) {
  EXPECT_EQ(asked("#ifdef __x86_64__\n#endif\n#if defined(A) && B > 2\n#endif\n"), (Names{"A", "B", "__x86_64__"}));
  EXPECT_EQ(asked("#define A 1\n#if A\n#elif C\n#endif\n"), Names{"C"});
  EXPECT_EQ(asked("#if TS > 4\n#endif\n", {"-DTS=8"}), Names());
  EXPECT_EQ(asked("#ifdef cl_khr_fp64\n#endif\n", {}, "#ifdef cl_khr_fp64\n#endif\n"), Names())
      << "the original asks too";
  EXPECT_EQ(asked("int x; // #ifdef A\n"), Names());
}

TEST(DeviceMacros, AreToldToWhoWatchesAsTheDeviceHasThem) {
  EXPECT_EQ(with_macros("int x;\n", {"A", "B"}, {1, 300, 0, 0}),
            "#undef A\n#define A 300\n#undef B\n#line 1\nint x;\n");
}

TEST(DeviceMacros, TheProbeAsksForEachWhetherItIsThereAndForItsValue) {
  const auto probe = macro_probe({"A", "B"}, true);
  EXPECT_NE(probe.find("#ifdef B"), std::string::npos);
  EXPECT_NE(probe.find("told[2] = 1; told[3] = (int)(B + 0);"), std::string::npos);
  EXPECT_EQ(macro_probe({"A"}, false).find("(A"), std::string::npos) << "a macro may stand for no number";
}

}  // namespace
}  // namespace hone::judge
