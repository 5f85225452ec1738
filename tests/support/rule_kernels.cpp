#include "support/rule_kernels.hpp"

#include <cstring>
#include <random>

#include "base/text.hpp"

namespace hone::testing {
namespace {

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string one_of(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

 private:
  std::mt19937 random_;
};

/// Parameters: IN[total] VEC[m] MAT[m * total] -> OUT[total], ACC[total], CNT[total] (ints).
class Maker {
 public:
  explicit Maker(std::uint32_t seed) : draw_(seed) {}

  RuleKernel run() {
    RuleKernel out;
    out.dimensions = static_cast<std::size_t>(1 + draw_.below(3));
    guarded_ = draw_.chance(75);
    const bool grouped = draw_.chance(40);
    local_memory_ = grouped && out.dimensions == 1 && draw_.chance(50);
    for (std::size_t d = 0; d < out.dimensions; ++d) {
      const int most = out.dimensions == 1 ? 19 : out.dimensions == 2 ? 7 : 4;
      out.size[d] = static_cast<std::size_t>(1 + draw_.below(most));
      if (grouped) out.local[d] = d == 0 ? 4 : 2;
      if (grouped && !guarded_) out.size[d] = out.local[d] * static_cast<std::size_t>(1 + draw_.below(3));
      out.global[d] = out.size[d] + static_cast<std::size_t>(guarded_ ? draw_.below(3) : 0);
      if (grouped) out.global[d] = (out.global[d] + out.local[d] - 1) / out.local[d] * out.local[d];
    }
    for (std::size_t d = out.dimensions; d < 3 && grouped; ++d) out.local[d] = 1;
    out.turns = 1 + draw_.below(6);
    out.text = text(out);
    return out;
  }

 private:
  std::string text(const RuleKernel& k) {
    in_ = draw_.one_of({"a", "in", "device", "launch", "and"});
    const std::string restricted = draw_.chance(30) ? " restrict" : "";
    std::string out = "__kernel void k(__global const float*" + restricted + " " + in_ +
                      ", __global const float* vec, __global float* mat, __global float*" + restricted +
                      " out, __global float* acc, __global int* cnt, int n0, int n1, int n2, int m" +
                      (local_memory_ ? ", __local float* tile" : "") + ") {\n";
    const char* const names[] = {"x", "y", "z"};
    std::string inside;
    for (std::size_t d = 0; d < k.dimensions; ++d) {
      const auto number = std::to_string(d);
      const auto cast = draw_.chance(20) ? "(int)" : "";
      out += std::string("  int ") + names[d] + " = " + cast + "get_global_id(" + number + ");\n";
      inside += (inside.empty() ? "" : " && ") + std::string(names[d]) + " < n" + number;
    }
    if (k.dimensions < 2) out += "  int y = 0;\n";
    if (k.dimensions < 3) out += "  int z = 0;\n";
    out += "  int at = (z * n1 + y) * n0 + x;\n  int all = n0 * n1 * n2;\n";
    choose_target();
    const auto body = statements(2 + draw_.below(4), "  ");
    if (local_memory_) out += exchange(inside);
    if (!guarded_) return out + body + "}\n";
    if (!local_memory_ && draw_.chance(40)) {
      std::string outside;
      for (std::size_t d = 0; d < k.dimensions; ++d)
        outside += (d == 0 ? "" : " || ") + std::string(names[d]) + " >= n" + std::to_string(d);
      return out + "  if (" + outside + ") return;\n" + body + "}\n";
    }
    return out + "  if (" + inside + ") {\n" + replace_all(body, "\n  ", "\n    ") + "  }\n}\n";
  }

  /// Neighbours in the group by way of local memory.
  std::string exchange(const std::string& inside) {
    shared_ = true;
    const std::string value = guarded_ ? "(" + inside + " ? " + in_ + "[at] : 0.0f)" : in_ + "[at]";
    return "  int l = get_local_id(0);\n  tile[l] = " + value +
           ";\n  barrier(CLK_LOCAL_MEM_FENCE);\n  float near = tile[" +
           draw_.one_of({"l ^ 1", "(l + 1) & 3", "3 - l", "l"}) + "];\n" +
           (draw_.chance(50)
                ? "  barrier(CLK_LOCAL_MEM_FENCE);\n  tile[l] = near * 2.0f;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "  near += tile[l];\n"
                : "") +
           (draw_.chance(40)
                ? "  for (int t = 0; t < m; t++) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n    tile[l] = near + "
                  "(float)t;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l < 3 - (t & 1)) near -= tile[l + "
                  "1] * 0.5f;\n  }\n"
                : "");
  }

  /// An element of acc, and when a work-item may touch it. No two work-items ever touch the same one.
  void choose_target() {
    switch (draw_.below(4)) {
      case 0: target_ = "acc[at - (x & 1)]", may_ = "(x & 1) == 0"; break;
      case 1: target_ = "acc[at + 1]", may_ = "x + 1 < n0"; break;
      default: target_ = "acc[at]", may_ = "";
    }
  }

  std::string statements(int count, const std::string& indent) {
    std::string out;
    for (int i = 0; i < count; ++i) out += indent + statement() + "\n";
    return out + indent + "out[at] = " + value() + ";\n";
  }

  std::string value() {
    const auto simple =
        draw_.one_of({in_ + "[at]", "vec[0]", "(float)x", "0.5f", in_ + "[at] * 2.0f", "(float)(at % 3)"});
    switch (draw_.below(7)) {
      case 0: return simple + " + " + (sums_ > 0 ? "s" + std::to_string(draw_.below(sums_)) : "1.0f");
      case 1: return "(" + in_ + "[at] > 0.0f ? " + simple + " : -" + in_ + "[at])";
      case 2: return "(x > 0 ? " + in_ + "[at - 1] : 0.0f) + " + simple;
      case 3: return in_ + "[at - x + min(x + 1, n0 - 1)]";
      case 4: return in_ + "[at - x + clamp(x - 2, 0, n0 - 1)] * " + simple;
      case 5: return "fmax(" + simple + ", 0.25f)" + (shared_ ? " + near" : "");
      default: return simple;
    }
  }

  std::string condition() {
    return draw_.one_of({"x < n0 / 2", "vec[k] > 0.0f", "k != 1", "(at & 1) == 0", in_ + "[at] < 0.5f", "x > k"});
  }

  std::string header(const std::string& k = "k") {
    const auto step = draw_.one_of({k + "++", "++" + k, k + " += 1", k + " += 2"});
    return "for (int " + k + " = 0; " + k + " < m; " + step + ")";
  }

  std::string addend() { return draw_.one_of({"vec[k]", "vec[k] * " + in_ + "[at]", "mat[k * all + at]", "(float)k"}); }

  std::string owned(const std::string& update) { return may_.empty() ? update : "if (" + may_ + ") " + update; }

  std::string statement() {
    const auto update = target_ + draw_.one_of({" += ", " -= ", " *= ", " = 1.0f + "}) + addend() + ";";
    switch (draw_.below(15)) {
      case 0: return header() + " " + owned(update);
      case 1: return header() + " { " + owned(update) + " }";
      case 2: return header() + " if (" + condition() + ") " + owned(update);
      case 3: return header() + " { if (" + condition() + ") continue; " + owned(update) + " }";
      case 4: return header() + " { if (" + condition() + ") break; " + owned(update) + " }";
      case 5: return owned("{ " + target_ + " = 0.0f; " + header() + " " + update + " }");
      case 6: return owned("{ " + target_ + " = 0.5f; " + header() + " if (" + condition() + ") " + update + " }");
      case 7: return "cnt[at] = (int)" + in_ + "[at] & 7; for (int k = 0; k < cnt[at]; k++) cnt[at] -= 1;";
      case 8: return header("j") + " " + header() + " " + owned(update);
      case 9:
        return header() + " { if (" + condition() + ") { " + owned(update) + " } else { " + owned(update) + " } }";
      case 10: return header() + " cnt[at] += k;";
      case 11:
      case 12: {
        const auto element = "mat[j * all + at]";
        return header("j") + " { float t = vec[j] * " + in_ + "[at]; " +
               (draw_.chance(40) ? "if (t > 0.5f) t -= 1.0f; " : "") +
               (draw_.chance(40) ? header() + " t += vec[k]; " : "") + element + " = t + (float)j; }";
      }
      default: {
        const auto name = "s" + std::to_string(sums_++);
        return "float " + name + " = " + draw_.one_of({"0.0f", in_ + "[at]"}) + "; " + header() + " " +
               (draw_.chance(30) ? "if (" + condition() + ") " : "") + name + " += " + addend() + ";";
      }
    }
  }

  Draw draw_;
  bool guarded_ = true, local_memory_ = false, shared_ = false;
  int sums_ = 0;
  std::string in_, target_, may_;
};

Bytes drawn_reals(std::size_t count, std::size_t salt) {
  Bytes bytes(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = 0.25F * static_cast<float>((i * 37 + salt * 11) % 23) - 2.5F;
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

}  // namespace

RuleKernel rule_kernel(std::uint32_t seed) { return Maker(seed).run(); }

rules::LiftedKernel lifted_rule_kernel(const RuleKernel& kernel, const ir::Unit& unit) {
  rules::LiftedKernel lifted;
  lifted.unit = unit;
  lifted.kernel = "k";
  KernelSpec spec;
  spec.name = "k";
  Launch launch;
  launch.kernel = "k";
  for (std::size_t d = 0; d < kernel.dimensions; ++d) {
    const bool exact = kernel.global[d] == kernel.size[d];
    launch.global.push_back(Expression::name(exact ? "n" + std::to_string(d) : "size"));
    if (kernel.local[d] > 0) launch.local.push_back(Expression::literal(static_cast<std::int64_t>(kernel.local[d])));
  }
  for (const auto& p : ir::parameters_of(ir::find_function(unit, "k"))) {
    ArgumentSpec argument;
    argument.name = p->text;
    spec.arguments.push_back(argument);
    const bool size = p->text == "n0" || p->text == "n1" || p->text == "n2";
    launch.arguments[p->text] = Binding{Expression::name(size ? p->text : p->text + "_buffer"), {}};
  }
  Workload workload;
  workload.launches.emplace_back(launch);
  lifted.mep.kernels = {spec};
  lifted.mep.workloads = {workload};
  return lifted;
}

interpreter::Geometry geometry_of(const RuleKernel& kernel, const Variant* variant) {
  interpreter::Geometry out;
  out.global = kernel.global;
  for (std::size_t d = 0; d < 3; ++d) out.local[d] = std::max<std::size_t>(kernel.local[d], 1);
  if (variant == nullptr || variant->launches.empty()) return out;
  std::map<std::string, Value> names;
  for (std::size_t d = 0; d < kernel.dimensions; ++d) {
    names["launch.global[" + std::to_string(d) + "]"] = static_cast<std::int64_t>(kernel.global[d]);
    names["launch.local[" + std::to_string(d) + "]"] = static_cast<std::int64_t>(kernel.local[d]);
  }
  const auto number = [&](const Expression& e) {
    return static_cast<std::size_t>(e.evaluate_integer(environment_of(names)).value());
  };
  const auto& shape = variant->launches.front();
  for (std::size_t d = 0; d < kernel.dimensions; ++d) {
    out.local[d] = shape.local.empty() ? 1 : number(shape.local[d]);
    out.global[d] = (number(shape.global[d]) + out.local[d] - 1) / out.local[d] * out.local[d];
  }
  return out;
}

Result<Bytes> run_rule_kernel(const RuleKernel& kernel, const ir::Unit& unit, const interpreter::Geometry& geometry) {
  const auto total = kernel.size[0] * kernel.size[1] * kernel.size[2];
  const auto turns = static_cast<std::size_t>(kernel.turns);
  auto in = drawn_reals(total, 1), vec = drawn_reals(turns, 2), mat = drawn_reals(turns * total, 3);
  auto out = drawn_reals(total, 4), acc = drawn_reals(total, 5), cnt = Bytes(4 * total);
  std::vector<interpreter::Argument> arguments = {&in, &vec, &mat, &out, &acc, &cnt};
  for (const auto n : kernel.size) arguments.emplace_back(static_cast<std::int64_t>(n));
  arguments.emplace_back(kernel.turns);
  if (ir::parameters_of(ir::find_function(unit, "k")).size() > arguments.size())
    arguments.emplace_back(interpreter::LocalBytes{4 * kernel.local[0]});
  if (const auto finding = interpreter::run(unit, "k", arguments, geometry))
    return fail("E-INTERPRET", std::string(interpreter::name_of(finding->kind)) + " at line " +
                                   std::to_string(finding->line) + ": " + finding->sentence);
  for (const auto* more : {&acc, &cnt, &in, &vec, &mat}) out.insert(out.end(), more->begin(), more->end());
  return out;
}

Schedule drawn_schedule(const RuleKernel& kernel, std::uint32_t seed) {
  Draw draw(seed);
  Schedule out;
  for (int left = 1 + draw.below(4); left > 0; --left) {
    const auto dimension = std::to_string(draw.below(static_cast<int>(kernel.dimensions)));
    switch (draw.below(11)) {
      case 0:
      case 1: out.push_back({"registers", {}}); break;
      case 9: out.push_back({"guard", {dimension}}); break;
      case 2:
        out.push_back({"lanes", {draw.chance(35) ? draw.one_of({"j", "k"}) : dimension, draw.one_of({"2", "4", "8"})}});
        break;
      case 3:
      case 4:
        out.push_back({"merge", {draw.chance(25) ? draw.one_of({"j", "k"}) : dimension, draw.one_of({"2", "3", "4"})}});
        break;
      case 5: out.push_back({"unroll", {draw.one_of({"k", "k", "j", "k@2"}), draw.one_of({"2", "3"})}}); break;
      case 6: out.push_back({"keep", {}}); break;
      case 7: out.push_back({"fold", {draw.one_of({"1", "2", "4"})}}); break;
      default: out.push_back({"workgroup", {draw.one_of({"1", "2", "4"}), "2"}});
    }
    if (out.back().rule == "workgroup" && kernel.dimensions == 1) out.back().arguments.pop_back();
  }
  return out;
}

}  // namespace hone::testing
