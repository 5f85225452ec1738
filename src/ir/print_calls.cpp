// What the builtin functions and constants of one dialect are called in the other. CUDA and HIP share a column.
#include <algorithm>
#include <array>

#include "ir/printer.hpp"

namespace hone::ir {
namespace {

struct Pair {
  const char* opencl;
  const char* cuda;
};

constexpr auto renamed = std::to_array<Pair>({
    {"native_sin", "__sinf"},
    {"native_cos", "__cosf"},
    {"native_exp", "__expf"},
    {"native_log", "__logf"},
    {"native_log2", "__log2f"},
    {"native_log10", "__log10f"},
    {"native_powr", "__powf"},
    {"native_divide", "__fdividef"},
    {"native_sqrt", "__fsqrt_rn"},
    {"native_rsqrt", "rsqrtf"},
    {"mad", "fma"},
    {"mul24", "__mul24"},
    {"mul_hi", "__mulhi"},
    {"popcount", "__popc"},
    {"clz", "__clz"},
    {"atomic_add", "atomicAdd"},
    {"atomic_sub", "atomicSub"},
    {"atomic_min", "atomicMin"},
    {"atomic_max", "atomicMax"},
    {"atomic_and", "atomicAnd"},
    {"atomic_or", "atomicOr"},
    {"atomic_xor", "atomicXor"},
    {"atomic_xchg", "atomicExch"},
    {"atomic_cmpxchg", "atomicCAS"},
    {"as_int", "__float_as_int"},
    {"as_uint", "__float_as_uint"},
    {"as_float", "__int_as_float"},
});

/// CUDA's C names for single precision have one overloaded name in OpenCL.
constexpr auto single = std::to_array<const char*>(
    {"sqrt", "rsqrt", "sin",  "cos",   "tan",   "exp",  "exp2",  "log",  "log2", "log10", "pow",
     "fabs", "floor", "ceil", "round", "trunc", "fmod", "fmin",  "fmax", "fma",  "atan",  "atan2",
     "asin", "acos",  "sinh", "cosh",  "tanh",  "cbrt", "hypot", "erf",  "erfc", "expm1", "log1p"});

constexpr auto shared =
    std::to_array<const char*>({"min", "max", "abs", "printf", "isnan", "isinf", "rint", "copysign"});

constexpr auto constants = std::to_array<Pair>({
    {"M_PI_F", "3.14159274101257f"},
    {"M_PI_2_F", "1.57079637050629f"},
    {"M_E_F", "2.71828174591064f"},
    {"M_SQRT2_F", "1.41421353816986f"},
    {"M_LN2_F", "0.693147182464600f"},
    {"M_LOG2E_F", "1.44269502162933f"},
    {"MAXFLOAT", "3.402823466e+38f"},
});

bool holds(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Counterpart to_cuda(const std::string& callee) {
  using enum Counterpart::As;
  for (const auto& pair : renamed)
    if (callee == pair.opencl) return {Renamed, pair.cuda};
  if (callee.starts_with("convert_") && callee.find("_sat") == std::string::npos &&
      callee.find("_rt") == std::string::npos)
    return {Cast, callee.substr(8)};
  if (holds(single, callee) || holds(shared, callee)) return {Same, {}};
  return {Refused, {}};
}

Counterpart to_opencl(const std::string& callee) {
  using enum Counterpart::As;
  for (const auto& pair : renamed)
    if (callee == pair.cuda) return {Renamed, pair.opencl};
  if (callee.ends_with('f') && holds(single, callee.substr(0, callee.size() - 1)))
    return {Renamed, callee.substr(0, callee.size() - 1)};
  if (holds(single, callee) || holds(shared, callee)) return {Same, {}};
  return {Refused, {}};
}

}  // namespace

Counterpart counterpart_of_call(const std::string& callee, Dialect from, Dialect to) {
  const bool from_cl = from == Dialect::OpenCL;
  const bool to_cl = to == Dialect::OpenCL;
  if (from_cl == to_cl) return {};
  return to_cl ? to_opencl(callee) : to_cuda(callee);
}

std::optional<std::string> counterpart_of_name(const std::string& name, Dialect from, Dialect to) {
  if (from != Dialect::OpenCL || to == Dialect::OpenCL) return name;
  for (const auto& pair : constants)
    if (name == pair.opencl) return pair.cuda;
  if (name.starts_with("CLK_")) return std::nullopt;
  return name;
}

}  // namespace hone::ir
