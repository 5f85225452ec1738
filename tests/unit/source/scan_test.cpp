#include "source/scan.hpp"

#include <gtest/gtest.h>

#include "source/extract.hpp"

namespace hone::source {
namespace {

const char* const kHost = R"(
#include <CL/cl.h>
#include "not_here.h"
#define TILE 16
static size_t up(size_t v, size_t m) { return (v + m - 1) / m * m; }
struct gpu { cl_kernel scale; cl_command_queue queue; };
static void run(struct gpu *g, cl_mem x, int n) {
  size_t local[1] = {TILE};
  size_t global[1];
  global[0] = up(n, TILE);
  clSetKernelArg(g->scale, 0, sizeof(cl_mem), &x);
  CHECK(clSetKernelArg(g->scale, 1, sizeof(int), &n));
  CHECK(clEnqueueNDRangeKernel(g->queue, g->scale, 1, NULL, global, local, 0, NULL, NULL));
}
int main(int argc, char **argv) {
  int n = 1000;
  if (argc > 1) n = atoi(argv[1]);
  struct gpu g;
  cl_int err;
  g.scale = clCreateKernel(program, "scale", &err);
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, &err);
  run(&g, data, n);
  clBuildProgram(program, 1, &device, "-DFACTOR=3 -cl-mad-enable", NULL, NULL);
}
)";
const char* const kDevice = R"(// a helper nobody needs, and one that is needed
float unused(float x) { return x; }
typedef float real;
real twice(real x) { return FACTOR * x; }
__kernel void scale(__global real *x, int n) {
  int i = get_global_id(0);
  if (i < n) x[i] = twice(x[i]);
}
)";

Files application() { return {{"main.c", kHost}, {"scale.cl", kDevice}}; }

HostLaunch only_launch(const HostProgram& program) {
  EXPECT_EQ(program.steps.size(), 1U);
  return std::get<HostLaunch>(program.steps.at(0));
}

TEST(Scan, ASizeOfAVariableIsNotLookedUpInItsOwnDeclarationForever) {
  const Files files = {{"main.cpp", R"(
void convolve(int n) {
  Owned<cl_mem, clReleaseMemObject> in(clCreateBuffer(context, CL_MEM_READ_ONLY, n, 0, &status));
  const size_t global[3] = {n, n, n};
  clEnqueueNDRangeKernel(queue, kernel, 3, 0, global, local, 0, 0, &event);
  cl_ulong begin, end;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, 0);
}
)"},
                       {"scale.cl", kDevice}};
  EXPECT_TRUE(scan(files).has_value());
}

TEST(Scan, FindsKernelsAndTheCallsThatLaunchThem) {
  const auto found = scan(application());
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->kernels.size(), 1U);
  EXPECT_EQ(found->kernels[0].signature, "scale(__global real *x, int n)");
  ASSERT_EQ(found->launches.size(), 1U);
  EXPECT_EQ(found->launches[0].kernel, "scale");
  EXPECT_EQ(found->launches[0].function, "run");
  EXPECT_EQ(found->launches[0].global, std::vector<std::string>{"global[0]"});
}

TEST(Scan, AKernelThatSeveralProgramsHaveIsReadInTheNearest) {
  const auto host = [](const std::string& size) {
    return "#include <CL/cl.h>\nint main(void) { cl_program p; cl_command_queue q; cl_int e; size_t g = " + size +
           "; cl_kernel k = clCreateKernel(p, \"twice\", &e);\n"
           "clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0); }";
  };
  const std::string kernel = "__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }";
  const Files files = {{"cuda/twice.cu",
                        "__global__ void twice(float *a) { a[threadIdx.x] *= 2; }\n"
                        "int main() { float *a; twice<<<1, 7>>>(a); }"},
                       {"one/main.c", host("100")},
                       {"one/twice.cl", kernel},
                       {"two/main.c", host("200")},
                       {"two/kernels/twice.cl", kernel}};
  const auto found = scan(files, {{"twice"}, "two/kernels/twice.cl"});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->launches.size(), 1U);
  EXPECT_EQ(found->launches[0].file, "two/main.c");
  EXPECT_EQ(scan(files)->launches.size(), 3U);
}

TEST(Scan, FollowsSizesAndArgumentsThroughHelpersAndStructs) {
  const auto found = scan(application());
  ASSERT_TRUE(found.has_value());
  const auto launch = only_launch(found->programs.at(0));
  ASSERT_EQ(launch.global.size(), 1U);
  const auto at = [](std::string_view name) -> std::optional<Value> {
    return name == "n" ? Value(std::int64_t{1000}) : Value(std::int64_t{16});
  };
  EXPECT_EQ(*launch.global[0].evaluate_integer(at), 1008);
  EXPECT_EQ(*launch.local[0].evaluate_integer(at), 16);
  EXPECT_EQ(launch.arguments.at(0).kind, HostArgument::Kind::Buffer);
  EXPECT_EQ(launch.arguments.at(0).value.print(), "data");
  EXPECT_EQ(launch.arguments.at(1).value.print(), "n");
  EXPECT_EQ(found->programs[0].buffers.at(0).bytes->print(), "n * 4");
  EXPECT_EQ(found->programs[0].symbols.at("n"), Value(std::int64_t{1000}));
}

TEST(Extract, TakesWhatTheKernelNeedsAndNothingElse) {
  const auto taken = extract(application(), {{"scale"}, {}, {}});
  ASSERT_TRUE(taken.has_value()) << taken.error().text();
  EXPECT_EQ(taken->source.find("unused"), std::string::npos);
  EXPECT_NE(taken->source.find("typedef float real;"), std::string::npos);
  EXPECT_NE(taken->source.find("real twice(real x)"), std::string::npos);
  for (const auto& piece : taken->origin.pieces) {
    EXPECT_EQ(taken->source.substr(piece.here.begin, piece.here.end - piece.here.begin),
              std::string(kDevice).substr(piece.there.begin, piece.there.end - piece.there.begin));
  }
}

TEST(Extract, TakesMacrosFromBuildOptionsAndSaysSo) {
  const auto taken = extract(application(), {{"scale"}, {}, {}});
  ASSERT_TRUE(taken.has_value());
  ASSERT_EQ(taken->defines.size(), 1U);
  EXPECT_EQ(taken->defines[0].value, "3");
  EXPECT_TRUE(taken->defines[0].inferred);
}

TEST(Extract, AMacroNobodyDefinesIsGuessedWithWhatSetsIt) {
  auto files = application();
  files["main.c"] = "int main(void) { return 0; }";
  const auto taken = extract(files, {{"scale"}, {}, {}});
  ASSERT_TRUE(taken.has_value()) << taken.error().text();
  ASSERT_EQ(taken->defines.size(), 1U);
  EXPECT_EQ(taken->defines[0].provenance.kind, Provenance::Kind::Guessed);
  EXPECT_NE(taken->notes[0].find("-D FACTOR=VALUE sets it"), std::string::npos) << taken->notes[0];
}

TEST(Extract, AnUnknownNameGetsTheNearest) {
  const auto taken = extract(application(), {{"scales"}, {}, {}});
  ASSERT_FALSE(taken.has_value());
  EXPECT_NE(taken.error().next().find("scale"), std::string::npos);
}

TEST(Scan, JoinsAdjacentLiteralsAndKeepsTheirPlaces) {
  const std::string host =
      "const char *s =\n  \"__kernel void f(__global int *a)\\n\" /* why */\n  \"{ a[0] = '\\x41'; }\\n\";\n";
  const auto taken = extract({{"a.c", host}}, {{"f"}, {}, {}});
  ASSERT_TRUE(taken.has_value()) << taken.error().text();
  EXPECT_EQ(taken->source, "__kernel void f(__global int *a)\n{ a[0] = 'A'; }\n");
  ASSERT_EQ(taken->origin.pieces.size(), 1U);
  EXPECT_EQ(taken->origin.pieces[0].embedding, Embedding::StringLiterals);
  EXPECT_EQ(host[taken->origin.pieces[0].there.begin], '_');
  EXPECT_EQ(host[taken->origin.pieces[0].there.end - 1], '}');
}

TEST(Scan, UnderstandsTheCppWrapper) {
  const std::string host = R"x(
    static const char* code = R"(__kernel void f(__global float* a, int n, __local float* t) { a[get_global_id(0)] = n; })";
    void go(int n) {
      cl::Kernel kernel(program, "f");
      cl::Buffer a(context, CL_MEM_READ_WRITE, sizeof(float) * n);
      kernel.setArg(0, a);
      kernel.setArg(1, n);
      kernel.setArg(2, 64 * sizeof(float), nullptr);
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n, 2), cl::NDRange(64, 1));
    })x";
  const auto found = scan({{"a.cpp", host}});
  ASSERT_TRUE(found.has_value());
  const auto launch = only_launch(found->programs.at(0));
  EXPECT_EQ(launch.kernel, "f");
  ASSERT_EQ(launch.global.size(), 2U);
  EXPECT_EQ(launch.global[0].print(), "n");
  EXPECT_EQ(launch.arguments.at(0).value.print(), "a");
  EXPECT_EQ(launch.arguments.at(2).kind, HostArgument::Kind::Local);
  EXPECT_EQ(launch.arguments.at(2).value.print(), "256");
}

TEST(Scan, LaunchesInACountedLoopKeepTheirLoop) {
  const std::string host = R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "f", 0);
      size_t g = n;
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, 4 * n, 0, 0);
      for (int t = 0; t < n; t++) {
        clSetKernelArg(k, 0, sizeof(cl_mem), &a);
        clSetKernelArg(k, 1, sizeof(int), &t);
        clEnqueueNDRangeKernel(q, k, 1, 0, &g, NULL, 0, 0, 0);
      }
    })";
  const auto found = scan({{"a.c", host}, {"a.cl", "kernel void f(global float* a, int t) { a[t] = 1; }"}});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->programs.at(0).steps.size(), 1U);
  const auto& loop = std::get<HostLoop>(found->programs[0].steps[0]);
  EXPECT_EQ(loop.variable, "t");
  EXPECT_EQ(loop.end.print(), "n");
  EXPECT_EQ(std::get<HostLaunch>(loop.body.at(0)).arguments.at(1).value.print(), "t");
}

TEST(Scan, BuffersThatSwapEachRoundBecomeAChoice) {
  const std::string host = R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "f", 0);
      size_t g = n;
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, 4 * n, 0, 0);
      cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, 4 * n, 0, 0);
      for (int t = 0; t < 10; t++) {
        clSetKernelArg(k, 0, sizeof(cl_mem), &a);
        clSetKernelArg(k, 1, sizeof(cl_mem), &b);
        clEnqueueNDRangeKernel(q, k, 1, 0, &g, NULL, 0, 0, 0);
        cl_mem old = a; a = b; b = old;
      }
    })";
  const auto found =
      scan({{"a.c", host}, {"a.cl", "kernel void f(global float* a, global float* b) { a[0] = b[0]; }"}});
  ASSERT_TRUE(found.has_value());
  const auto& loop = std::get<HostLoop>(found->programs.at(0).steps.at(0));
  EXPECT_EQ(std::get<HostLaunch>(loop.body.at(0)).arguments.at(0).value.print(), "a if t % 2 == 0 else b");
  EXPECT_TRUE(found->programs[0].host_steps.empty());
}

TEST(Extract, AHostThatLoopsOnDataIsNotOneProgram) {
  const std::string host = R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "f", 0), l = clCreateKernel(p, "g", 0);
      size_t g = n;
      int stop = 0;
      while (!stop) {
        clEnqueueNDRangeKernel(q, k, 1, 0, &g, NULL, 0, 0, 0);
        clEnqueueNDRangeKernel(q, l, 1, 0, &g, NULL, 0, 0, 0);
        clEnqueueReadBuffer(q, flag, 1, 0, 4, &stop, 0, 0, 0);
      }
    })";
  const Files files = {
      {"a.c", host},
      {"a.cl", "kernel void f(global float* a) { a[0] = 1; }\nkernel void g(global float* a) { a[1] = 1; }"}};
  const auto both = extract(files, {{"f", "g"}, {}, {}});
  ASSERT_FALSE(both.has_value());
  EXPECT_EQ(both.error().code(), "E-HOSTSTEP");
  EXPECT_TRUE(extract(files, {{"g"}, {}, {}}).has_value());
}

TEST(Scan, ListsCudaKernelsAndTheirLaunches) {
  const auto found = scan(
      {{"a.cu",
        "__global__ void f(float* x) { x[threadIdx.x] = 1; }\nvoid go(float* x, int n) { f<<<n / 64, 64>>>(x); }\n"}});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kernels[0].language, Language::Cuda);
  ASSERT_EQ(found->launches.size(), 1U);
  EXPECT_EQ(found->launches[0].kernel, "f");
}

TEST(Scan, OptionsPrintedAtRunTimeAreEvaluated) {
  const std::string host =
      "#define W 8\nvoid go() { char o[99]; sprintf(o, \"-DA=%d -D B=%d\", 4 * W, W); clBuildProgram(p, 0, 0, o, 0, "
      "0); }";
  const auto found = scan({{"a.c", host}, {"a.cl", "kernel void f(global float* a) { a[A] = B; }"}});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->defines.size(), 2U);
  EXPECT_EQ(found->defines[0].value, "32");
  EXPECT_EQ(found->defines[1].value, "8");
}

}  // namespace
}  // namespace hone::source
