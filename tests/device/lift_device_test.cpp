// A sample of generated kernels on a real OpenCL device: the text as written and its forced print give the same bits.
#include <gtest/gtest.h>

#include <cstring>

#include "ir/print.hpp"
#include "source/lift.hpp"
#include "support/generated_run.hpp"
#include "support/generator.hpp"
#include "support/start_worker.hpp"
#include "worker/client.hpp"

namespace hone::testing {
namespace {

ArgumentValue buffer(const std::string& name) {
  return {.kind = ArgumentSpec::Kind::Buffer, .text = name, .bytes = {}, .local_bytes = 0};
}

template <class T>
ArgumentValue scalar(T value) {
  ArgumentValue argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

BufferData data(const std::string& name, const std::string& type, std::vector<std::uint8_t> contents) {
  const auto count = contents.size() / 4;
  return {.name = name,
          .type = type,
          .count = count,
          .fill = "zero",
          .seed = 1,
          .poison = false,
          .contents = std::move(contents)};
}

GeneratedOutputs run(DeviceSession& session, const std::string& source) {
  GeneratedOutputs out;
  const auto built = session.build(source, {});
  if (const auto* refused = std::get_if<NotBuilt>(&built)) ADD_FAILURE() << refused->log << "\n" << source;
  if (!std::holds_alternative<Built>(built)) return out;
  const std::vector<BufferData> buffers = {data("out", "float", out.reals), data("iout", "int", out.integers),
                                           data("a", "float", generated_reals()),
                                           data("b", "int", generated_integers())};
  if (!std::holds_alternative<std::monostate>(session.load(buffers, {}))) ADD_FAILURE() << "the data did not load";
  ConcreteLaunch launch;
  launch.kernel = "k";
  launch.arguments = {buffer("out"), buffer("iout"), buffer("a"), buffer("b"), scalar(16), scalar(1.5F)};
  launch.global = {16};
  launch.local = {8};
  auto ran = session.run(std::get<Built>(built).id, {launch}, {"out", "iout"});
  if (!std::holds_alternative<Ran>(ran)) {
    ADD_FAILURE() << "not launched\n" << source;
    return out;
  }
  out.reals = std::get<Ran>(ran).outputs.at("out");
  out.integers = std::get<Ran>(ran).outputs.at("iout");
  return out;
}

TEST(LiftOnDevice, ForcedPrintsGiveTheSameBits) {
  worker::WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  auto session = worker::WorkerSessions(options).start();
  HONE_SESSION_OR_SKIP(session);
  for (std::uint32_t seed = 1; seed <= 6 && !HasFailure(); ++seed) {
    const auto text = generate_kernel(seed);
    const auto unit = source::ClangLifter().lift(text, ir::Dialect::OpenCL).value();
    const auto forced = ir::force_print(unit, ir::Dialect::OpenCL).value();
    const auto as_written = run(**session, text);
    EXPECT_NE(as_written, GeneratedOutputs{}) << "nothing was written";
    EXPECT_EQ(as_written, run(**session, forced)) << text << "\n" << forced;
  }
}

}  // namespace
}  // namespace hone::testing
