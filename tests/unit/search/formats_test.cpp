#include <gtest/gtest.h>

#include "search/cache_file.hpp"
#include "search/python_list.hpp"
#include "search/t1_file.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

const char* const cache_text = R"({
"device_name": "A GPU",
"kernel_name": "add",
"problem_size": [
4096
],
"tune_params_keys": [
"bx",
"mode"
],
"tune_params": {
"bx": [
16,
32
],
"mode": [
"row",
"column"
]
},
"objective": "time",
"cache": {
"16,row": {"bx": 16, "mode": "row", "time": 5.900492995977402, "times": [5.5, 6.25], "compile_time": 892.914007185027, "verification_time": 0, "benchmark_time": 190.5, "GFLOP/s": 1279.5112552708663, "strategy_time": 0, "framework_time": 81.5, "timestamp": "2023-12-22 09:53:48.691683+00:00"},
"32,row": {"bx": 32, "mode": "row", "time": "RuntimeFailedConfig", "compile_time": 10, "verification_time": null, "benchmark_time": 1e-05, "strategy_time": 0, "framework_time": 2},
"32,column": {"bx": 32, "mode": "column", "time": NaN, "compile_time": 10, "benchmark_time": 0, "framework_time": Infinity}}
})";

std::string print_list(std::string_view text) {
  const auto values = evaluate_python_list(text);
  if (!values) return values.error().code();
  std::string out;
  for (const auto& value : *values) out += (out.empty() ? "" : " ") + print(value);
  return out;
}

TEST(CacheFile, ReadsTimesFailuresAndCosts) {
  const auto cache = read_cache(cache_text).value();
  ASSERT_EQ(cache.entries.size(), 3U);
  EXPECT_EQ(cache.parameters[0].values.size(), 2U);
  EXPECT_EQ(cache.entries[0].outcome.kind, Outcome::Kind::Measured);
  EXPECT_DOUBLE_EQ(cache.entries[0].outcome.value, 5.900492995977402);
  EXPECT_NEAR(cache.entries[0].seconds, 1.164914, 1e-6);
  EXPECT_EQ(cache.entries[1].outcome.kind, Outcome::Kind::Failed);
  EXPECT_EQ(cache.entries[2].outcome.kind, Outcome::Kind::Failed);
}

TEST(CacheFile, RoundTripIsExactToTheByte) { EXPECT_EQ(write_cache(read_cache(cache_text).value()), cache_text); }

TEST(CacheFile, ReadsOneWhoseWriterWasKilled) {
  std::string text(cache_text);
  text.resize(text.rfind("}}"));
  text.resize(text.rfind("},") + 2);  // as Kernel Tuner leaves it: a comma and no brackets
  EXPECT_EQ(read_cache(text).value().entries.size(), 2U);
}

TEST(CacheFile, RefusesWhatItIsNot) {
  for (const char* text : {"", "{", "[]", "{\"cache\": 3}", "{\"cache\": {}}",
                           "{\"tune_params_keys\": [1], \"tune_params\": {}, \"cache\": {}}"}) {
    EXPECT_EQ(read_cache(text).error().code(), "E-FORMAT") << text;
  }
}

TEST(CacheFile, OfOurOwnMeasurementsReadsBack) {
  Space space;
  space.parameters = {integers("a", {1, 2}), {"b", {Value(true), Value(false)}, Value(true)}};
  const Configuration one = {{"a", Value(std::int64_t{1})}, {"b", Value(true)}};
  const Configuration two = {{"a", Value(std::int64_t{2})}, {"b", Value(false)}};
  const auto cache = make_cache({"cpu", "k", {64}}, space,
                                {{one, Outcome::measured(1.5), {1.5, 1.5}, 10, 0, 3, 1, "now"},
                                 {two, Outcome::failed(), {}, 10, 0, 0, 1, "now"}});
  const auto read = read_cache(write_cache(cache)).value();
  EXPECT_EQ(read.parameters[0].values, space.parameters[0].values);
  EXPECT_EQ(read.entries[0].key, "1,True");
  EXPECT_EQ(read.entries[0].configuration, one);
  EXPECT_EQ(read.entries[1].outcome.kind, Outcome::Kind::Failed);
  EXPECT_NEAR(read.entries[0].seconds, 0.014, 1e-12);
}

TEST(T4File, KeepsConfigurationsOutcomesAndText) {
  const auto from_cache = write_t4(read_cache(cache_text).value());
  const auto read = read_measurements(from_cache).value();
  ASSERT_EQ(read.entries.size(), 3U);
  EXPECT_EQ(read.entries[0].outcome.kind, Outcome::Kind::Measured);
  EXPECT_DOUBLE_EQ(read.entries[0].outcome.value, 5.900492995977402);
  EXPECT_EQ(read.entries[1].outcome.kind, Outcome::Kind::Failed);
  EXPECT_EQ(read.parameters[1].name, "mode");
  EXPECT_EQ(write_t4(read), from_cache);
}

const char* const t1_text = R"T1({"ConfigurationSpace": {"TuningParameters": [
  {"Name": "bx", "Type": "int", "Values": "[1, 2] + list(range(32, 97, 32))", "Default": 1},
  {"Name": "t", "Type": "int", "Values": "[2**i for i in range(0, 4)]", "Default": [2]}],
  "Conditions": [{"Expression": "32 <= bx * t <= 512", "Parameters": ["bx", "t"]}]},
  "KernelSpecification": {"Language": "CUDA"}})T1";

TEST(T1File, ReadsPythonValuesAndConditions) {
  const auto t1 = read_t1(t1_text).value();
  EXPECT_EQ(t1.space.parameters[0].values.size(), 5U);
  EXPECT_EQ(t1.space.parameters[1].default_value, Value(std::int64_t{2}));
  EXPECT_EQ(read_t1(write_t1(t1)).value().space, t1.space);
  EXPECT_EQ(read_t1(write_t1(t1)).value().document, t1.document);
}

TEST(T1File, OfOurOwnSpaceReadsBack) {
  auto space = block_space();
  space.parameters.push_back(
      {"layout", {Value(std::string("row")), Value(std::string("it's \"tiled\""))}, Value(std::string("row"))});
  space.parameters.push_back({"scale", {Value(0.5), Value(1.0)}, Value(0.5)});
  for (auto& constraint : space.constraints) constraint.name = constraint.condition.print();
  EXPECT_EQ(read_t1(write_t1(make_t1({.name = "add", .file = "add.cl"}, space))).value().space, space);
}

TEST(T1File, ThatIsNoJsonSaysWhere) {
  const auto cut = read_t1("{\"General\": {},\n \"ConfigurationSpace\": {");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code(), "E-JSON");
  EXPECT_NE(cut.error().message().find("not JSON at 2:25"), std::string::npos) << cut.error().message();
  const auto other = read_t1("{\"General\": {}}");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message().find("has no ConfigurationSpace"), std::string::npos) << other.error().message();
}

TEST(PythonList, EvaluatesWhatT1FilesContain) {
  EXPECT_EQ(print_list("[1, 2, 4]"), "1 2 4");
  EXPECT_EQ(print_list("[1, 2] + list(range(32, 97, 32))"), "1 2 32 64 96");
  EXPECT_EQ(print_list("[2**i for i in range(0, 6)]"), "1 2 4 8 16 32");
  EXPECT_EQ(print_list("[i for i in range(1, 10+1)]"), "1 2 3 4 5 6 7 8 9 10");
  EXPECT_EQ(print_list("[i*j for i in [1, 2] for j in [3, 5] if i + j != 6]"), "3 6 10");
  EXPECT_EQ(print_list("list(i for i in range(9) if i % 3 == 0)"), "0 3 6");
  EXPECT_EQ(print_list("sorted([3, 1, 2])"), "1 2 3");
  EXPECT_EQ(print_list("(1, 2)"), "1 2");
  EXPECT_EQ(print_list("range(4, 0, -2)"), "4 2");
  EXPECT_EQ(print_list("['a', \"b,c\"]"), "\"a\" \"b,c\"");
  EXPECT_EQ(print_list("[0.5, -1, True]"), "0.5 -1 true");
  EXPECT_EQ(print_list("[]"), "");
}

TEST(PythonList, RefusesEverythingElse) {
  for (const char* text : {"__import__('os')", "[i for i in range(10**9)]", "range(1, 2, 0)", "[open('x')]", "3", "",
                           "[x]", "[i for i in i]", "(((((", "list(", "[1, 2"}) {
    EXPECT_FALSE(evaluate_python_list(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace hone::search
