// What somebody proposes where the code does not say how a kernel is called.
#include "mep/proposed.hpp"

#include <gtest/gtest.h>

#include "mep/complete.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

const char* const kernel_alone = R"(__kernel void scale(__global float *y, __global const float *x, float f, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = f * x[i];
}
)";

const char* const host_of_it = R"(
#include <CL/cl.h>
int main(void) {
  cl_context c; cl_program p; cl_command_queue q; cl_int e; int n = 1000; float f = 2.0f;
  cl_mem out = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof(float) * n, 0, &e);
  cl_mem weights = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof(float) * n, 0, &e);
  cl_kernel k = clCreateKernel(p, "scale", &e);
  clSetKernelArg(k, 0, sizeof(cl_mem), &out);
  clSetKernelArg(k, 1, sizeof(cl_mem), &weights);
  clSetKernelArg(k, 2, sizeof(float), &f);
  clSetKernelArg(k, 3, sizeof(int), &n);
  size_t g = n;
  clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0);
  return 0;
}
)";

Expression e(const std::string& text) { return *Expression::parse(text); }

Extraction extracted(const Files& application) {
  source::ExtractRequest request;
  request.kernels = {"scale"};
  auto taken = source::extract(application, request);
  EXPECT_TRUE(taken) << taken.error().text();
  return taken ? std::move(*taken) : Extraction{};
}

ir::Unit lifted(const Extraction& extraction) {
  ir::LiftOptions options;
  for (const auto& define : extraction.defines) options.defines[define.name] = define.value;
  auto unit = source::ClangLifter().lift(extraction.source, ir::Dialect::OpenCL, options);
  EXPECT_TRUE(unit) << unit.error().text();
  return unit ? std::move(*unit) : ir::Unit{};
}

Completion proposal() {
  Completion out;
  out.set = {{"n", Value(std::int64_t{4096})}, {"f", Value(0.5)}};
  out.bytes = {{"y", e("4 * (n + 64)")}};
  out.fills = {{"x", "ramp(0,1)"}};
  out.launches = {{"scale", {e("round_up(n, 64)")}, {e("64")}, {}, "", {}, {}}};
  return out;
}

Result<Mep> completed_with(const Completion& proposed, const Files& application) {
  auto extraction = with_declarations(extracted(application), proposed, "somebody");
  const auto unit = lifted(extraction);
  auto with = with_values(std::move(extraction), unit, proposed, "somebody");
  if (!with) return fail(std::move(with).error());
  Limits limits;
  limits.fills = fills_of(*with, unit, proposed);
  return complete(*with, unit, limits, nullptr);
}

TEST(Proposed, BecomesAMepWhoseValuesAreGuessesOfWhoeverMadeThem) {
  const auto mep = completed_with(proposal(), {{"k.cl", kernel_alone}});
  ASSERT_TRUE(mep) << mep.error().text();
  const auto& tune = mep->workloads.front();
  const auto& launch = std::get<Launch>(tune.launches.at(0));
  EXPECT_EQ(launch.local.at(0).print(), "64");
  EXPECT_EQ(launch.sizes, (Provenance{Provenance::Kind::Guessed, "by somebody"}));
  EXPECT_EQ(tune.scalars.at("f"), Value(0.5));
  EXPECT_EQ(tune.from.at("n"), (Provenance{Provenance::Kind::Guessed, "by somebody"}));
  for (const auto& buffer : mep->buffers) {
    if (buffer.name == "x") {
      EXPECT_EQ(buffer.fill, "ramp(0,1)");
    }
    if (buffer.name != "y") continue;
    EXPECT_EQ(buffer.extent.print(), "n + 64");
    EXPECT_EQ(buffer.from, (Provenance{Provenance::Kind::Guessed, "by somebody"}));
  }
}

TEST(Proposed, ChangesNothingThatTheCodeSays) {
  const auto said = extracted({{"k.cl", kernel_alone}, {"main.c", host_of_it}});
  const auto with = with_values(said, lifted(said), proposal(), "somebody");
  ASSERT_TRUE(with) << with.error().text();
  EXPECT_EQ(with->host.steps, said.host.steps);
  for (const auto& [name, value] : said.host.symbols) EXPECT_EQ(with->host.symbols.at(name), value) << name;
  for (std::size_t i = 0; i < said.host.buffers.size(); ++i)
    EXPECT_EQ(with->host.buffers[i].bytes, said.host.buffers[i].bytes);
}

TEST(Proposed, ContentsAreForTheBufferThatTheHostGivesTheArgument) {
  const auto said = extracted({{"k.cl", kernel_alone}, {"main.c", host_of_it}});
  EXPECT_EQ(fills_of(said, lifted(said), proposal()), (std::map<std::string, std::string>{{"weights", "ramp(0,1)"}}));
}

TEST(Proposed, LaunchesOfOneLoopStandInItTogether) {
  Completion proposed;
  for (const auto* loop : {"k", "k", ""})
    proposed.launches.push_back({"scale", {e("n")}, {}, {{"f", e("1")}}, loop, e("0"), e("3")});
  const auto said = extracted({{"k.cl", kernel_alone}});
  const auto with = with_values(said, lifted(said), proposed, "somebody");
  ASSERT_TRUE(with) << with.error().text();
  ASSERT_EQ(with->host.steps.size(), 2U);
  EXPECT_EQ(std::get<HostLoop>(with->host.steps[0]).body.size(), 2U);
  EXPECT_EQ(std::get<HostLaunch>(with->host.steps[1]).arguments.at(2).value.print(), "1");
}

TEST(Proposed, AnArgumentThatNoKernelHasIsNamed) {
  auto proposed = proposal();
  proposed.launches.front().arguments["weight"] = e("1");
  const auto mep = completed_with(proposed, {{"k.cl", kernel_alone}});
  ASSERT_FALSE(mep);
  EXPECT_EQ(mep.error().message(), "scale has no argument weight");
}

TEST(Proposed, DeclarationsTakeThePlaceOfWhatWasMadeOfANameByItsUse) {
  auto said = extracted({{"k.cl", kernel_alone}});
  const Provenance guess{Provenance::Kind::Guessed, {}}, seen{Provenance::Kind::Seen, "Makefile:3"};
  said.defines = {{"pair_t", "float", {}, true, guess},
                  {"BLOCK", "16", {}, true, guess},
                  {"WIDTH", "8", "Makefile:3", false, seen}};
  said.notes = {"-Dpair_t=float is a guess by its use"};
  Completion proposed;
  proposed.stubs = "typedef struct { float a, b; } pair_t;\ntypedef int WIDTHS;\n";
  proposed.defines = {{"BLOCK", "32"}, {"WIDTH", "4"}};
  const auto with = with_declarations(said, proposed, "somebody");
  std::map<std::string, std::string> defines;
  for (const auto& define : with.defines) defines[define.name] = define.value;
  EXPECT_EQ(defines, (std::map<std::string, std::string>{{"BLOCK", "32"}, {"WIDTH", "8"}}));
  EXPECT_NE(with.notes.front(), said.notes.front());
}

TEST(Proposed, DeclarationsLeaveEveryByteItsPlaceInTheApplication) {
  Completion proposed;
  proposed.stubs = "typedef struct { float x; } point;\n";
  proposed.defines = {{"BLOCK", "16"}};
  const auto said = extracted({{"k.cl", kernel_alone}});
  const auto with = with_declarations(said, proposed, "somebody");
  ASSERT_FALSE(said.origin.pieces.empty());
  for (std::size_t i = 0; i < said.origin.pieces.size(); ++i) {
    const auto& before = said.origin.pieces[i];
    const auto& after = with.origin.pieces[i];
    EXPECT_EQ(after.there, before.there);
    EXPECT_EQ(with.source.substr(after.here.begin, after.here.end - after.here.begin),
              said.source.substr(before.here.begin, before.here.end - before.here.begin));
  }
  EXPECT_EQ(with.defines.back().provenance, (Provenance{Provenance::Kind::Guessed, "by somebody"}));
}

}  // namespace
}  // namespace hone::mep
