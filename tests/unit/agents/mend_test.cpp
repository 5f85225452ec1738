// Faults of answers by the table: those that code must mend, and answers that it must leave as they are.
#include "agents/mend.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "agents/reply.hpp"
#include "base/text.hpp"
#include "round.hpp"

namespace hone::agents {
namespace {

const std::string sound_source =
    "__kernel void matmul(__global const float *a, __global float *c, int n)\n{\n    const int i = get_global_id(0) * "
    "TI;\n"
    "    for (int t = 0; t < TI && i + t < n; ++t)\n        c[i + t] = a[i + t];\n}\n";
const std::string sound_manifest =
    "name = \"rows\"\nsource = \"kernel.cl\"\n\n[[parameter]]\nname = \"TI\"\nvalues = [1, 2, 4]\ndefault = 2\n\n"
    "[constraints]\nfits = \"TI <= device.max_work_group_size\"\n\n[[launch]]\nkernel = \"matmul\"\n"
    "global = [\"ceil_div(launch.global[0], TI)\", \"launch.global[1]\"]\n";

std::string answer_of(const std::string& code, const std::string& toml) {
  return "Rows.\n\n```opencl\n" + code + "```\n\n```toml\n" + toml + "```\n";
}
std::string in_manifest(std::string_view from, std::string_view to) {
  EXPECT_NE(sound_manifest.find(from), std::string::npos) << from;
  return answer_of(sound_source, replace_all(sound_manifest, from, to));
}
std::string in_source(std::string_view from, std::string_view to) {
  EXPECT_NE(sound_source.find(from), std::string::npos) << from;
  return answer_of(replace_all(sound_source, from, to), sound_manifest);
}
std::string numbered(const std::string& text) {
  std::string out;
  int line = 0;
  for (const auto& one : split(text, '\n'))
    if (!one.empty()) out += "  " + std::to_string(++line) + "| " + one + "\n";
  return out;
}

struct MendedAnswer {
  std::optional<Template> value;
  std::vector<std::string> mended;
  std::string error;
};
MendedAnswer mended_answer(const std::string& reply) {
  static const auto round = test::matmul_round();
  static const RuleForms none;
  MendedAnswer out;
  auto templates = templates_in(reply, {round.mep, none, &round.device, &out.mended}, "m");
  if (templates)
    out.value = templates->back();
  else
    out.error = templates.error().message();
  return out;
}

/// What was meant: the same source and the same space, whatever was wrong with the text.
bool is_what_was_meant(const MendedAnswer& found) {
  if (!found.value) return false;
  const auto meant = *mended_answer(answer_of(sound_source, sound_manifest)).value;
  return found.value->source == meant.source && found.value->launches == meant.launches &&
         found.value->space == meant.space;
}

const std::vector<std::pair<std::string, std::string>>& faults() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"single brackets of a parameter", in_manifest("[[parameter]]", "[parameter]")},
      {"single brackets of a launch", in_manifest("[[launch]]", "[launch]")},
      {"double brackets of constraints", in_manifest("[constraints]", "[[constraints]]")},
      {"plural of parameter", in_manifest("[[parameter]]", "[[parameters]]")},
      {"plural of launch", in_manifest("[[launch]]", "[[launches]]")},
      {"singular of constraints", in_manifest("[constraints]", "[constraint]")},
      {"an expression without quotes",
       in_manifest("\"TI <= device.max_work_group_size\"", "TI <= device.max_work_group_size")},
      {"a list without brackets", in_manifest("[1, 2, 4]", "1, 2, 4")},
      {"a list in quotes", in_manifest("[1, 2, 4]", "\"1, 2, 4\"")},
      {"a list in parentheses", in_manifest("[1, 2, 4]", "(1, 2, 4)")},
      {"a comma at the end", in_manifest("default = 2", "default = 2,")},
      {"a word without quotes", in_manifest("name = \"TI\"", "name = TI")},
      {"a kernel without quotes", in_manifest("kernel = \"matmul\"", "kernel = matmul")},
      {"sizes without quotes", in_manifest("\"launch.global[1]\"", "launch.global[1]")},
      {"typographic quotes", in_manifest("\"TI\"", "\u201cTI\u201d")},
      {"an unknown key of a parameter", in_manifest("default = 2", "default = 2\ntype = \"int\"")},
      {"a description", in_manifest("name = \"rows\"", "name = \"rows\"\ndescription = \"rows\"")},
      {"a note in the launch", in_manifest("kernel = \"matmul\"", "kernel = \"matmul\"\nnote = \"one\"")},
      {"colons", in_manifest("default = 2", "default: 2")},
      {"a line of prose", in_manifest("default = 2", "default = 2\nwhich is best here")},
      {"a dimension", in_manifest("kernel = \"matmul\"", "kernel = \"matmul\"\ndimensions = 2")},
      {"an author", in_manifest("name = \"rows\"", "author = \"me\"\nname = \"rows\"")},
      {"copied line numbers", answer_of(numbered(sound_source), sound_manifest)},
      {"a define of a parameter", answer_of("#define TI 4\n" + sound_source, sound_manifest)},
      {"a define with spaces", answer_of("# define  TI 4\n" + sound_source, sound_manifest)},
      {"escaped comparison", in_source("t < TI", "t &lt; TI")},
      {"escaped and", in_source("&&", "&amp;&amp;")},
      {"no-break spaces", in_source("    const", "\u00a0\u00a0\u00a0\u00a0const")},
      {"no address space of the first pointer", in_source("__global const float *a", "const float *a")},
      {"no kernel word", in_source("__kernel void", "void")},
      {"CUDA's kernel", in_source("__kernel void", "__global__ void")},
      {"CUDA's kernel in C", in_source("__kernel void", "extern \"C\" __global__ void")},
      {"no address space at all", answer_of(replace_all(sound_source, "__global ", ""), sound_manifest)},
      {"CRLF", replace_all(answer_of(sound_source, sound_manifest), "\n", "\r\n")},
      {"no closing fence",
       answer_of(sound_source, sound_manifest).substr(0, answer_of(sound_source, sound_manifest).size() - 4)},
      {"tildes", replace_all(answer_of(sound_source, sound_manifest), "```", "~~~")},
      {"a manifest that is called ini", replace_all(answer_of(sound_source, sound_manifest), "```toml", "```ini")},
      {"a kernel that is called toml", replace_all(answer_of(sound_source, sound_manifest), "```opencl", "```c++")},
      {"a parameter that is nowhere", in_manifest("TI <= device", "TJ <= device")},
      {"a kernel that is another", in_source("matmul", "other")},
  };
  return all;
}

TEST(Mends, FourInFiveOfTheTextualFaultsAreMendedByCodeAlone) {
  ASSERT_EQ(faults().size(), 40U);
  std::size_t mended = 0;
  for (const auto& [what, reply] : faults()) {
    const auto found = mended_answer(reply);
    if (is_what_was_meant(found))
      ++mended;
    else
      RecordProperty(what, found.error);
  }
  EXPECT_GE(mended, 32U);
  std::cout << "mended by code alone: " << mended << " of " << faults().size() << "\n";
}

TEST(Mends, EachButThoseThatNobodyCanKnowIsMended) {
  for (const auto& [what, reply] : faults()) {
    if (what == "a parameter that is nowhere" || what == "a kernel that is another") continue;
    const auto found = mended_answer(reply);
    EXPECT_TRUE(is_what_was_meant(found)) << what << ": " << found.error << "\n"
                                          << (found.value ? found.value->source : "");
  }
}

TEST(Mends, ADefaultThatIsNoValueBecomesOne) {
  const auto found = mended_answer(in_manifest("default = 2", "default = 8"));
  ASSERT_TRUE(found.value) << found.error;
  EXPECT_EQ(found.value->space.parameters[0].values.size(), 4U);
  EXPECT_EQ(found.value->space.parameters[0].default_value, Value(std::int64_t{8}));
}

TEST(Mends, AParameterThatTheSourceDefinesIsDeclared) {
  const auto reply = answer_of("#define WG 16\n" + sound_source, sound_manifest + "local = [\"WG\", \"1\"]\n");
  const auto found = mended_answer(reply);
  ASSERT_TRUE(found.value) << found.error;
  EXPECT_EQ(found.value->space.parameters.back().name, "WG");
  EXPECT_EQ(found.value->source, sound_source);
}

TEST(Mends, CudasWordsBecomeOpenCls) {
  const auto mended = mend_source("__shared__ float s[4]; s[threadIdx.x] = blockIdx.y; __syncthreads();\n",
                                  test::matmul_round().mep, {});
  EXPECT_EQ(mended.text,
            "__local float s[4]; s[((int)get_local_id(0))] = ((int)get_group_id(1)); barrier(CLK_LOCAL_MEM_FENCE);\n");
}

TEST(Mends, TheyLeaveEveryAnswerThatIsSoundAsItIs) {
  const std::vector<std::string> sound = {
      sound_source,
      sound_source + "// a | b, 1| c\n",
      "/* \"quoted\" */\n" + sound_source,
      "#define OTHER 4\n" + sound_source,
      "#define TIMES 4\n" + sound_source,
      "#ifdef X\n#endif\n" + sound_source,
      replace_all(sound_source, "__global", "global"),
      replace_all(sound_source, "__kernel", "kernel"),
      replace_all(sound_source, "*a", "* restrict a"),
      "float twice(float x) { return 2 * x; }\n" + sound_source,
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ntypedef double real;\n" + sound_source,
      "__constant float k[2] = {1, 2};\n" + sound_source,
  };
  for (const auto& code : sound) {
    const auto found = mended_answer(answer_of(code, sound_manifest));
    ASSERT_TRUE(found.value) << found.error << "\n" << code;
    EXPECT_EQ(found.value->source, code);
    EXPECT_TRUE(found.mended.empty()) << join(found.mended, "; ");
  }
  const std::vector<std::string> manifests = {
      sound_manifest,
      "# a comment = [\n" + sound_manifest,
      replace_all(sound_manifest, "[1, 2, 4]", "[\n  1,\n  2, # two\n  4,\n]"),
      replace_all(sound_manifest, "\"TI\"", "'TI'"),
      sound_manifest + "[build]\noptions = [\"-cl-mad-enable\"]\n",
      sound_manifest + "[resources]\nthreads = \"TI * 2\"\n",
      replace_all(sound_manifest, "default = 2\n", ""),
  };
  for (const auto& toml : manifests) {
    const auto found = mended_answer(answer_of(sound_source, toml));
    ASSERT_TRUE(found.value) << found.error << "\n" << toml;
    EXPECT_TRUE(found.mended.empty()) << toml << join(found.mended, "; ");
  }
}

}  // namespace
}  // namespace hone::agents
