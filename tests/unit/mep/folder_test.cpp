#include "mep/folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "inputs/contents.hpp"
#include "inputs/generator.hpp"
#include "mep/driver_problem.hpp"
#include "mep/driver_views.hpp"

extern "C" {
#include "fill.h"
}

namespace hone::mep {
namespace {

const char* const kManifest = R"toml(
name = "steps"
language = "opencl"
options = ["-DBLOCK=16"]

[[struct]]
name = "Body"
fields = [ { name = "id", type = "int" }, { name = "at", type = "float3" }, { name = "tag", type = "uchar", count = 2 } ]

[[buffer]]
name = "A"
type = "float"
extent = "n"
fill = "uniform(-1, 1)"

[[buffer]]
name = "B"
type = "Body"
extent = "n"
fill = "zero"

[[image]]
name = "I"
channel_order = "RGBA"
channel_type = "unorm_int8"
width = "n"
height = 2
fill = "uniform(0,1)"

[[kernel]]
name = "step"
arguments = [
  { name = "a", buffer = "float", access = "readwrite" }, { name = "b", buffer = "Body", access = "write" },
  { name = "i", image = "2d", access = "read" }, { name = "s", sampler = "" }, { name = "tmp", local = "float" },
  { name = "k", scalar = "int" }, { name = "f", scalar = "float" }, { name = "v", scalar = "float2" } ]

[[workload]]
name = "two words"
role = "tune"
scalars = { n = 32 }
launches = [ { loop = "k in 0..2", launches = [
  { kernel = "step", arguments = { a = "A", b = "B", i = "I", s = "'nearest clamp'", tmp = 16, k = "k - 1", f = 0.1, v = 1 }, global = ["n"], local = [16], offset = [8] } ] } ]
)toml";

Mep manifest() {
  auto mep = mep_from_files({{"mep.toml", kManifest}, {"kernel.cl", "kernel void step() {}\n"}}, "steps.mep");
  EXPECT_TRUE(mep) << mep.error().text();
  return *mep;
}

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const ExpectedOutput& output(const ExpectedWorkload& workload, const std::string& name) {
  const auto found = std::ranges::find(workload.outputs, name, &ExpectedOutput::name);
  EXPECT_NE(found, workload.outputs.end()) << name;
  return *found;
}

TEST(DriverFill, WritesTheSameBytesAsHoneForEveryGeneratorAndType) {
  const std::vector<std::string> generators = {"zero",
                                               "const(2.5)",
                                               "const(-3e9)",
                                               "const(1e30)",
                                               "ramp",
                                               "ramp(3, 0.25)",
                                               "uniform(-1,1)",
                                               "uniform( -70000 , 300.5 )",
                                               "uniform_int(-5,9)",
                                               "uniform_int(-4e18,4e18)",
                                               "index(1000)",
                                               "index(4503599627370496)",
                                               "permutation(37)",
                                               "permutation(1)",
                                               "spd(7)",
                                               "offsets(1000,37)",
                                               "offsets(5,400)",
                                               "offsets(0,1)"};
  for (const auto* scalar :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}) {
    for (const auto* lanes : {"", "2", "3", "4", "8", "16"}) {
      const std::string name = std::string(scalar) + lanes;
      const auto ours = element_type(name);
      struct ::element_type theirs{};
      ASSERT_EQ(element_type_named(name.c_str(), &theirs), 1) << name;
      ASSERT_EQ(element_bytes(&theirs), ours->bytes()) << name;
      for (const auto& text : generators) {
        for (const std::uint64_t seed : {1ULL, 0xFEDCBA9876543210ULL}) {
          std::vector<std::uint8_t> wanted(200 * ours->bytes()), got(wanted.size(), 0xEE);
          inputs::fill(*inputs::parse_generator(text), *ours, seed, 0, wanted);
          ASSERT_EQ(fill_elements(text.c_str(), &theirs, seed, got.data(), got.size()), 1) << text;
          ASSERT_EQ(got, wanted) << text << " " << name << " " << seed;
        }
      }
    }
  }
}

TEST(DriverFill, WritesTheSamePixelsAsHone) {
  for (const auto* channel : {"unorm_int8", "unorm_int16", "snorm_int8", "snorm_int16"}) {
    const auto pixel = inputs::pixel_type("RGBA", channel);
    ASSERT_TRUE(pixel);
    struct ::element_type type{};
    ASSERT_EQ(element_type_named(pixel->channel.scalar.c_str(), &type), 1);
    ImageData image;
    image.channel_order = "RGBA";
    image.channel_type = channel;
    image.width = 13;
    image.height = 5;
    image.seed = 99;
    for (const auto* fill : {"uniform(0,1)", "uniform(-2,2)", "ramp(0,0.01)"}) {
      image.fill = fill;
      const auto wanted = inputs::contents_of(image);
      ASSERT_TRUE(wanted);
      std::vector<std::uint8_t> got(wanted->size(), 0xEE);
      ASSERT_EQ(fill_normalised(fill, &type, pixel->scale, image.seed, got.data(), got.size()), 1);
      EXPECT_EQ(got, *wanted) << channel << " " << fill;
    }
  }
}

TEST(DriverFill, WritesTheSameRecordsAsHone) {
  const std::string fill = "record(24; 0 float 3 uniform(-1,1); 12 int 1 index(64); 16 double 1 const(2.5))";
  const BufferData buffer{"b", "uchar", 24 * 50, fill, 7, false, {}};
  const auto wanted = inputs::contents_of(buffer);
  ASSERT_TRUE(wanted) << wanted.error().text();
  struct ::element_type type{};
  ASSERT_EQ(element_type_named("uchar", &type), 1);
  std::vector<std::uint8_t> got(wanted->size(), 0);
  ASSERT_EQ(fill_elements(fill.c_str(), &type, 7, got.data(), got.size()), 1);
  EXPECT_EQ(got, *wanted);
  for (const auto* broken :
       {"record(0; 0 int 1 zero)", "record(8; 6 int 1 zero)", "record(8; 0 int zero)", "record(8; 0 what 1 zero)"}) {
    EXPECT_FALSE(inputs::contents_of(BufferData{"b", "uchar", 24, broken, 7, false, {}})) << broken;
    EXPECT_EQ(fill_elements(broken, &type, 7, got.data(), 24), 0) << broken;
  }
}

TEST(DriverFill, RefusesWhatHoneRefuses) {
  struct ::element_type type{};
  std::vector<std::uint8_t> out(64);
  ASSERT_EQ(element_type_named("float", &type), 1);
  for (const auto* text : {"", "noise(1)", "uniform", "uniform(1)", "uniform(1,2,3)", "uniform(1,2", "zero(1)",
                           "index(0)", "index(2.5)", "uniform(2,1)", "uniform_int(-1e30,1e30)", "const(inf)", "zero x",
                           "offsets(5)", "offsets(5,0)", "offsets(-1,2)"}) {
    EXPECT_FALSE(inputs::parse_generator(text)) << text;
    EXPECT_EQ(fill_elements(text, &type, 1, out.data(), out.size()), 0) << text;
  }
  EXPECT_EQ(element_type_named("float5", &type), 0);
  EXPECT_EQ(element_type_named("floats", &type), 0);
}

TEST(DriverProblem, HasEverySizeAndValueOnOneLine) {
  const auto mep = manifest();
  auto text = problem_text(mep, {mep.language, mep.source, {}, mep.options}, {});
  ASSERT_TRUE(text) << text.error().text();
  // Seeds derive from names; what they are is not this test's business.
  std::string seedless;
  for (std::size_t i = 0; i < text->size(); ++i) {
    std::size_t digits = i;
    while (digits < text->size() && std::isdigit(static_cast<unsigned char>((*text)[digits])) != 0) ++digits;
    if (digits - i > 10) {
      seedless += "SEED";
      i = digits - 1;
    } else {
      seedless += (*text)[i];
    }
  }
  EXPECT_EQ(
      seedless,
      R"(# What mep.toml says, with every size and value worked out for the driver; driver/problem.h explains the lines.
hone-problem 2
kernel kernel.cl
option -DBLOCK=16

workload tune two words
buffer A float 32 SEED uniform(-1,1)
buffer B uchar 1536 SEED poison
image I 2d RGBA unorm_int8 32 2 1 SEED uniform(0,1)
output A A float 0 4 1
output B.id B int 0 48 1
output B.at B float 16 48 3
output B.tag B uchar 32 48 2
launch step global 32 local 16 offset 8 arguments buffer:A buffer:B image:I sampler:nearest+clamp local:64 int:-1 float:0.1 bytes:0000803f0000803f
launch step global 32 local 16 offset 8 arguments buffer:A buffer:B image:I sampler:nearest+clamp local:64 int:0 float:0.1 bytes:0000803f0000803f
)");
}

TEST(DriverProblem, TakesLaunchesAndOptionsOfAVariant) {
  const auto mep = manifest();
  const LaunchShape shape{"step", {*Expression::parse("launch.global[0] // 4")}, {*Expression::parse("8")}};
  const auto text = problem_text(mep, {mep.language, "", {shape}, {"-cl-mad-enable"}}, {});
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_NE(text->find("option -cl-mad-enable\n"), std::string::npos);
  EXPECT_EQ(text->find("-DBLOCK"), std::string::npos);
  EXPECT_NE(text->find("launch step global 8 local 8 offset 8 "), std::string::npos) << *text;
}

TEST(DriverProblem, RefusesNamesThatItsReaderWouldTakeApart) {
  auto mep = manifest();
  mep.options = {"-DA\nlaunch"};
  const auto text = problem_text(mep, {mep.language, "", {}, mep.options}, {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), "E-FORMAT");
}

TEST(DriverExpected, NormsLeaveOutWhatIsNoNumberAndCountIt) {
  const auto mep = manifest();
  float poison = 0;
  std::memset(&poison, inputs::kPoison, sizeof poison);
  const auto summary = summarise(mep, "two words", 1, {{"A", bytes_of<float>({3, -4, NAN, INFINITY, poison, 0})}});
  ASSERT_TRUE(summary);
  const auto& a = output(*summary, "A");
  EXPECT_EQ(a.count, 6U);
  EXPECT_EQ(a.samples.size(), 6U);
  EXPECT_EQ(std::tuple(a.unwritten, a.nan, a.infinite), std::tuple(1U, 1U, 1U));
  EXPECT_DOUBLE_EQ(a.l1, 7);
  EXPECT_DOUBLE_EQ(a.l2, 5);
  EXPECT_DOUBLE_EQ(a.max, 4);
  EXPECT_DOUBLE_EQ(a.typical, std::sqrt(12.5));
}

TEST(DriverExpected, AStructIsSeenByItsFieldsAndNeverByItsPadding) {
  const auto mep = manifest();
  std::vector<std::uint8_t> bytes(96, 0);
  const auto first = summarise(mep, "two words", 1, {{"B", bytes}});
  for (const std::size_t padding : {4U, 15U, 28U, 34U, 47U, 52U, 95U}) bytes[padding] = 0xFF;
  const auto padded = summarise(mep, "two words", 1, {{"B", bytes}});
  ASSERT_TRUE(first && padded);
  EXPECT_EQ(*first, *padded);
  EXPECT_EQ(output(*first, "B.at").count, 6U);
  for (const std::size_t seen : {0U, 16U, 32U, 48U + 33U}) {
    auto changed = bytes;
    changed[seen] = 1;
    EXPECT_NE(*summarise(mep, "two words", 1, {{"B", changed}}), *first) << seen;
  }
}

TEST(DriverExpected, SamplesAreSpreadOverTheWholeOutputAndNotOverOneColumn) {
  const auto mep = manifest();
  const auto summary = summarise(mep, "w", 1, {{"A", bytes_of(std::vector<float>(65536, 1.5F))}});
  ASSERT_TRUE(summary);
  const auto& samples = output(*summary, "A").samples;
  std::set<std::size_t> columns, quarters;
  for (const auto& sample : samples) {
    ASSERT_LT(sample.element, 65536U);
    EXPECT_EQ(sample.value, "1.5");
    columns.insert(sample.element % 256);
    quarters.insert(sample.element / 16384);
  }
  EXPECT_GT(columns.size(), 64U);
  EXPECT_EQ(quarters.size(), 4U);
}

TEST(DriverExpected, JsonReadsBackExactly) {
  const auto mep = manifest();
  const auto summary =
      summarise(mep, "a \"name\"", 1,
                {{"A", bytes_of<float>({0.1F, -1e-30F, INFINITY, NAN})}, {"B", std::vector<std::uint8_t>(48, 200)}});
  ASSERT_TRUE(summary);
  const auto json = nlohmann::json::parse(to_json(Expected{{*summary, *summary}}), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["workloads"].size(), 2U);
  const auto& workload = json["workloads"][0];
  EXPECT_EQ(workload["name"], "a \"name\"");
  const auto& a = workload["outputs"][0];
  EXPECT_EQ(static_cast<float>(a["samples"][0][1].get<double>()), 0.1F);
  EXPECT_EQ(static_cast<float>(a["samples"][1][1].get<double>()), -1e-30F);
  EXPECT_EQ(a["samples"][2][1], "inf");
  EXPECT_EQ(a["samples"][3][1], "nan");
  EXPECT_EQ(workload["outputs"][3]["samples"][1], (nlohmann::json{1, 200}));
}

TEST(MepFolder, HasWhatMakeNeedsAndReadsBackAsTheSameMep) {
  const auto mep = manifest();
  const auto files = mep_folder(mep, "{}\n", {});
  ASSERT_TRUE(files) << files.error().text();
  for (const auto* name : {"origin.json", "expected.json", "problem.txt", "Makefile", "driver/run.c"})
    EXPECT_TRUE(files->contains(name)) << name;
  // Every part that the Makefile names is there.
  const auto& makefile = files->at("Makefile");
  for (std::size_t at = makefile.find("driver/"); at != std::string::npos; at = makefile.find("driver/", at + 1)) {
    const auto end = makefile.find(".o", at);
    const auto name = makefile.substr(at, end - at);
    if (name.find_first_of("*\n ") == std::string::npos) {
      EXPECT_TRUE(files->contains(name + ".c")) << name;
    }
  }
  const auto again = mep_from_files(*files, "steps.mep");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, mep);
}

TEST(MepFolder, ADriverSpeaksTheKernelsLanguage) {
  auto mep = manifest();
  mep.language = Language::Cuda;
  const auto files = mep_folder(mep, "", {});
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->contains("kernel.cu"));
  EXPECT_NE(files->at("Makefile").find("nvcc"), std::string::npos);
  EXPECT_TRUE(files->contains("driver/emulated.h"));
  EXPECT_FALSE(files->contains("driver/opencl.h"));
  EXPECT_FALSE(files->contains("origin.json"));
}

TEST(MepFolder, BestReadsBackAsATemplateThatIsTheWinner) {
  const auto mep = manifest();
  const LaunchShape shape{"step", {*Expression::parse("launch.global[0] // 2")}, {*Expression::parse("8")}};
  const Variant winner{Language::OpenCL, "kernel void step() { }\n", {shape}, {"-cl-mad-enable"}};
  const auto files = best_folder(mep, winner);
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_TRUE(files->contains("problem.txt"));
  const auto fixed = template_from_files(*files, "best");
  ASSERT_TRUE(fixed) << fixed.error().text();
  const auto again = instantiate_source(*fixed, {});
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, winner);
}

}  // namespace
}  // namespace hone::mep
