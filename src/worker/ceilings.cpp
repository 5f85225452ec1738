#include "worker/ceilings.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "os/files.hpp"

namespace hone::worker {
namespace {

// CPUs stream best when each work-item walks a stretch of its own, GPUs when neighbours read neighbours.
constexpr const char* kMove = R"(
#ifdef STRETCH
#define AT(i) (get_global_id(0) * n + (i))
#else
#define AT(i) (get_global_id(0) + (i) * get_global_size(0))
#endif
kernel void move_in(global const float16* a, global float16* out, ulong n, uint repeat) {
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (uint r = 0; r < repeat; ++r)
    for (ulong i = 0; i < n; i += 4) { s0 += a[AT(i)]; s1 += a[AT(i + 1)]; s2 += a[AT(i + 2)]; s3 += a[AT(i + 3)]; }
  out[get_global_id(0)] = s0 + s1 + s2 + s3;
}
kernel void nothing(global float16* out) { if (get_global_id(0) == ~(size_t)0) out[0] = 0; }
)";

constexpr const char* kCompute = R"(
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
kernel void compute(global T* out, S seed, uint n) {
  T x = (T)(seed), a0 = x, a1 = x + (S)1, a2 = x + (S)2, a3 = x + (S)3, a4 = x + (S)4, a5 = x + (S)5, a6 = x + (S)6, a7 = x + (S)7, a8 = x + (S)8,
    a9 = x + (S)9;
  for (uint i = 0; i < n; ++i) {
    a0 = OP(a0, x, x); a1 = OP(a1, x, x); a2 = OP(a2, x, x); a3 = OP(a3, x, x); a4 = OP(a4, x, x);
    a5 = OP(a5, x, x); a6 = OP(a6, x, x); a7 = OP(a7, x, x); a8 = OP(a8, x, x); a9 = OP(a9, x, x);
  }
  out[get_global_id(0)] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
}
)";
constexpr double kChains = 10;

template <class T>
ArgumentValue scalar(T value) {
  ArgumentValue argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}
ArgumentValue buffer(const char* name) {
  return {.kind = ArgumentSpec::Kind::Buffer, .text = name, .bytes = {}, .local_bytes = 0};
}

tl::unexpected<Error> unmeasured(const std::string& why) { return fail("E-CEILINGS", "measuring the device: " + why); }

Result<std::string> build(DeviceSession& session, const std::string& source, const std::vector<std::string>& options) {
  auto outcome = session.build(source, options);
  if (const auto* built = std::get_if<Built>(&outcome)) return built->id;
  if (const auto* refused = std::get_if<NotBuilt>(&outcome)) return unmeasured(refused->log.substr(0, 300));
  return unmeasured(std::get<WorkerLost>(outcome).reason);
}

Status load(DeviceSession& session, std::size_t floats_in, std::size_t floats_out) {
  const auto outcome = session.load(
      {{"a", "float", floats_in, "zero", 1, false, {}}, {"out", "float", floats_out, "zero", 1, false, {}}}, {});
  if (const auto* refused = std::get_if<NotLaunched>(&outcome)) return unmeasured(refused->reason);
  if (const auto* lost = std::get_if<WorkerLost>(&outcome)) return unmeasured(lost->reason);
  return {};
}

Result<std::vector<Nanoseconds>> spans(DeviceSession& session, const std::string& id,
                                       const std::vector<ConcreteLaunch>& launches, std::size_t runs) {
  auto outcome = session.time(id, launches, runs, false, {});
  if (auto* taken = std::get_if<TimesTaken>(&outcome)) {
    std::sort(taken->span.begin(), taken->span.end());
    if (!taken->span.empty()) return std::move(taken->span);
    return unmeasured("no times came back");
  }
  if (const auto* refused = std::get_if<NotLaunched>(&outcome)) return unmeasured(refused->reason);
  return unmeasured(std::get<WorkerLost>(outcome).reason);
}

std::int64_t fact(const DeviceInfo& device, const char* name, std::int64_t otherwise) {
  const auto found = device.facts.find(name);
  if (found == device.facts.end() || !std::holds_alternative<std::int64_t>(found->second)) return otherwise;
  return std::get<std::int64_t>(found->second);
}
bool flag(const DeviceInfo& device, const char* name) {
  const auto found = device.facts.find(name);
  return found != device.facts.end() && std::holds_alternative<bool>(found->second) && std::get<bool>(found->second);
}

struct Shape {
  std::size_t items, group;
};
/// Enough work-items to fill the device, in one group per unit on a CPU.
Shape shape_for(const DeviceInfo& device) {
  const auto units = static_cast<std::size_t>(std::max<std::int64_t>(fact(device, "compute_units", 1), 1));
  if (device.kind == "cpu") return {units, 1};
  return {units * 2048, 256};
}

Result<double> bandwidth_at(DeviceSession& session, const std::string& id, Bytes footprint) {
  constexpr std::uint64_t kMoved = std::uint64_t{128} << 20U;
  constexpr std::size_t kVector = 64;
  const auto shape = shape_for(session.device());
  const auto n = std::max<std::size_t>(footprint.count / kVector / shape.items / 4 * 4, 4);
  const std::size_t bytes = n * shape.items * kVector;
  const auto repeat = static_cast<std::uint32_t>(std::max<std::uint64_t>(kMoved / bytes, 1));
  if (auto loaded = load(session, bytes / 4, shape.items * 16); !loaded) return fail(std::move(loaded).error());
  const ConcreteLaunch launch{"move_in",
                              {buffer("a"), buffer("out"), scalar<std::uint64_t>(n), scalar(repeat)},
                              {shape.items},
                              {shape.group},
                              {}};
  const auto taken = spans(session, id, {launch}, 5);
  if (!taken) return fail(taken.error());
  return static_cast<double>(bytes) * repeat / (taken->front().count() * 1e-9);
}

struct Arithmetic {
  const char* name;
  const char* vector;
  std::vector<std::string> options;
  std::size_t lanes, scalar_bytes;
};

Result<double> flops_of(DeviceSession& session, const Arithmetic& kind) {
  constexpr std::uint32_t kSteps = 20000;
  auto options = kind.options;
  options.insert(options.end(), {std::string("-DT=") + kind.vector, std::string("-DS=") + kind.name, "-cl-mad-enable"});
  const auto id = build(session, kCompute, options);
  if (!id) return fail(id.error());
  auto shape = shape_for(session.device());
  shape.items *= 4;
  if (auto loaded = load(session, 1, shape.items * kind.lanes * kind.scalar_bytes / 4); !loaded)
    return fail(std::move(loaded).error());
  ArgumentValue seed;
  seed.bytes.assign(kind.scalar_bytes, 0);  // zero is zero in every type, and keeps every chain finite
  const ConcreteLaunch launch{"compute", {buffer("out"), seed, scalar(kSteps)}, {shape.items}, {shape.group}, {}};
  const auto taken = spans(session, *id, {launch}, 5);
  if (!taken) return fail(taken.error());
  return 2.0 * kChains * kSteps * static_cast<double>(kind.lanes * shape.items) / (taken->front().count() * 1e-9);
}

/// The best of several ways to write it; a way the device does not take is no error.
void measure_arithmetic(DeviceSession& session, Ceilings& ceilings) {
  std::vector<Arithmetic> kinds;
  for (const auto* op : {"-DOP=mad", "-DOP=fma"})
    for (const auto& [vector, lanes] : {std::pair{"float8", 8}, std::pair{"float16", 16}})
      kinds.push_back({"float", vector, {op}, static_cast<std::size_t>(lanes), 4});
  kinds.push_back({"int", "int8", {"-DOP(a,b,c)=((a)*(b)+(c))"}, 8, 4});
  if (flag(session.device(), "has_double"))
    for (const auto& [vector, lanes] : {std::pair{"double4", 4}, std::pair{"double8", 8}})
      kinds.push_back({"double", vector, {"-DOP=fma", "-DDOUBLE"}, static_cast<std::size_t>(lanes), 8});
  if (flag(session.device(), "has_half")) kinds.push_back({"half", "half16", {"-DOP=fma", "-DHALF"}, 16, 2});
  for (const auto& kind : kinds)
    if (const auto rate = flops_of(session, kind))
      ceilings.flops[kind.name] = std::max(ceilings.flops[kind.name], *rate);
}

Status measure_launches(DeviceSession& session, const std::string& id, Ceilings& ceilings) {
  constexpr std::size_t kSequence = 100;
  if (auto loaded = load(session, 1, 16); !loaded) return loaded;
  const ConcreteLaunch nothing{"nothing", {buffer("out")}, {1}, {1}, {}};
  const auto sequence = spans(session, id, std::vector<ConcreteLaunch>(kSequence, nothing), 9);
  if (!sequence) return fail(sequence.error());
  const auto single = spans(session, id, {nothing}, 49);
  if (!single) return fail(single.error());
  ceilings.launch_overhead = (*sequence)[sequence->size() / 2] / static_cast<double>(kSequence);
  // Half of all runs lie within this of each other.
  ceilings.timer_noise = (*single)[single->size() * 3 / 4] - (*single)[single->size() / 4];
  return {};
}

Result<std::string> build_moving(DeviceSession& session) {
  // The kernels above are OpenCL C.
  if (!session.device().id.starts_with("opencl"))
    return fail("E-CEILINGS", "ceilings are measured on OpenCL devices only so far");
  std::vector<std::string> options;
  if (session.device().kind == "cpu") options.emplace_back("-DSTRETCH");
  return build(session, kMove, options);
}

}  // namespace

Result<double> measure_bandwidth(DeviceSession& session, Bytes footprint) {
  const auto id = build_moving(session);
  if (!id) return fail(id.error());
  return bandwidth_at(session, *id, footprint);
}

Result<Ceilings> measure_ceilings(DeviceSession& session, Bytes largest) {
  Ceilings ceilings{.device = session.device().name, .driver = session.device().driver, .bandwidth = {}, .flops = {}};
  const auto id = build_moving(session);
  if (!id) return fail(id.error());
  const auto fits = static_cast<std::uint64_t>(fact(session.device(), "max_allocation_bytes", INT64_MAX));
  for (std::uint64_t size = std::uint64_t{16} << 10U; size <= std::min(largest.count, fits / 2); size *= 4) {
    const auto rate = bandwidth_at(session, *id, Bytes{size});
    if (!rate) return fail(rate.error());
    ceilings.bandwidth.push_back({Bytes{size}, *rate});
  }
  if (auto measured = measure_launches(session, *id, ceilings); !measured) return fail(std::move(measured).error());
  measure_arithmetic(session, ceilings);
  return ceilings;
}

std::string to_json_text(const Ceilings& ceilings) {
  nlohmann::json points = nlohmann::json::array();
  for (const auto& point : ceilings.bandwidth) points.push_back({point.footprint.count, point.bytes_per_second});
  const nlohmann::json all = {{"format", 1},
                              {"device", ceilings.device},
                              {"driver", ceilings.driver},
                              {"bandwidth", points},
                              {"flops", ceilings.flops},
                              {"launch_overhead_ns", ceilings.launch_overhead.count()},
                              {"timer_noise_ns", ceilings.timer_noise.count()}};
  return all.dump(2) + "\n";
}

Result<Ceilings> ceilings_from_text(const std::string& text) {
  try {
    const auto all = nlohmann::json::parse(text);
    if (all.at("format") != 1) return fail("E-FORMAT", "ceilings of a format that is not known");
    Ceilings ceilings{
        .device = all.at("device"), .driver = all.at("driver"), .bandwidth = {}, .flops = all.at("flops")};
    for (const auto& point : all.at("bandwidth")) ceilings.bandwidth.push_back({Bytes{point.at(0)}, point.at(1)});
    ceilings.launch_overhead = Nanoseconds(all.at("launch_overhead_ns").get<double>());
    ceilings.timer_noise = Nanoseconds(all.at("timer_noise_ns").get<double>());
    return ceilings;
  } catch (const std::exception& why) {
    return fail("E-FORMAT", std::string("ceilings that cannot be read: ") + why.what());
  }
}

Result<Ceilings> ceilings_of(DeviceSession& session, const std::filesystem::path& cache) {
  if (const auto text = os::read_text(cache)) {
    auto known = ceilings_from_text(*text);
    if (known && known->device == session.device().name && known->driver == session.device().driver) return known;
  }
  auto measured = measure_ceilings(session);
  // A cache that cannot be written costs time, not the answer.
  if (measured) [[maybe_unused]]
    const auto written = os::write_text(cache, to_json_text(*measured));
  return measured;
}

}  // namespace hone::worker
