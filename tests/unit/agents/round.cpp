#include "round.hpp"

namespace hone::agents::test {
namespace {

Expression e(const std::string& text) { return *Expression::parse(text); }

std::map<std::string, Binding> bound() { return {{"a", {e("A"), {}}}, {"c", {e("C"), {}}}, {"n", {e("n"), {}}}}; }

Mep matmul() {
  using Kind = ArgumentSpec::Kind;
  Mep mep;
  mep.name = "matmul";
  mep.source =
      "__kernel void matmul(__global const float *a, __global float *c, int n)\n"
      "{\n    int i = get_global_id(0);\n    if (i < n) c[i] = a[i];\n}\n";
  mep.buffers = {{"A", "float", e("n"), "uniform(-1,1)"}, {"C", "float", e("n"), "zero"}};
  mep.kernels = {{"matmul",
                  {{"a", Kind::Buffer, "float", Access::Read},
                   {"c", Kind::Buffer, "float", Access::Write},
                   {"n", Kind::Scalar, "int", Access::Read}}}};
  Workload tune{"tune",
                Role::Tune,
                {{"n", std::int64_t{512}}},
                {Launch{"matmul", bound(), {e("n"), e("n")}, {e("16"), e("16")}, {}}}};
  Workload awkward{"awkward",
                   Role::Awkward,
                   {{"n", std::int64_t{509}}},
                   {Launch{"matmul", bound(), {e("round_up(n, 16)"), e("n")}, {}, {}}}};
  mep.workloads = {tune, awkward};
  return mep;
}

}  // namespace

RoundContext matmul_round() {
  RoundContext context;
  context.mep = matmul();
  context.device.name = "A small device";
  context.device.kind = "cpu";
  context.device.facts = {{"max_work_group_size", std::int64_t{4096}}, {"local_bytes", std::int64_t{32768}}};
  context.profile.time = Nanoseconds(12.5e6);
  context.profile.numbers = {{"gflops", 1.53}};
  context.profile.access_patterns = {"a[i] is read with stride 1 along dimension 0"};
  context.suggestions = {
      {SuggestionKind::Coalescing, "c[i]", "stride 512 along dimension 0", "Let neighbours write neighbours"},
      {SuggestionKind::Locality, "loop k", "every element is read 512 times", "Keep a tile in registers"}};
  Pattern pattern;
  pattern.change = "lanes 0 16";
  pattern.device = "A small device";
  pattern.ratio = 9.8;
  pattern.low = 9.5;
  pattern.high = 10.1;
  context.patterns = {pattern};
  Attempt attempt;
  attempt.round = 1;
  attempt.template_name = "tiles";
  attempt.fate = "WrongOutput";
  attempt.reason = "differs at the edge";
  context.tried = {attempt};
  context.incumbent.variant.source = context.mep.source;
  context.round = 2;
  context.limit = 3;
  return context;
}

}  // namespace hone::agents::test
