#include "worker/frame.hpp"

#include <gtest/gtest.h>

#include "worker/messages.hpp"

namespace hone::worker {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Frame example_frame() {
  Frame frame;
  frame.header = {{"request", "x"}, {"text", "a\xFF"}};
  frame.blobs = {{1, 2, 3}, {}, Blob(100000, 7)};
  return frame;
}

TEST(Frame, ComesBackWholeFromBytesThatArriveOneByOne) {
  const auto wire = encode(example_frame());
  FrameReader reader;
  for (std::size_t i = 0; i < wire.size(); ++i) {
    auto one = bytes_of(wire).subspan(i, 1);
    const auto frame = reader.take(one);
    ASSERT_TRUE(frame) << frame.error().message();
    ASSERT_EQ(frame->has_value(), i + 1 == wire.size());
    if (*frame) {
      EXPECT_EQ((*frame)->blobs, example_frame().blobs);
      EXPECT_EQ((*frame)->header.at("request"), "x");
    }
  }
  EXPECT_FALSE(reader.in_the_middle());
}

TEST(Frame, TwoInOneReadAreTakenOneAfterTheOther) {
  const auto wire = encode(example_frame()) + encode(example_frame());
  auto bytes = bytes_of(wire);
  FrameReader reader;
  EXPECT_TRUE(reader.take(bytes)->has_value());
  EXPECT_TRUE(reader.take(bytes)->has_value());
  EXPECT_TRUE(bytes.empty());
}

TEST(Frame, AnnouncedSizesAreNotAllocated) {
  Frame frame;
  auto wire = encode(frame);
  const std::uint64_t huge = std::uint64_t{7} << 30U;
  for (std::size_t i = 0; i < 8; ++i) wire[12 + i] = static_cast<char>(huge >> (8 * i));
  const std::string header = R"({"blobs":[)" + std::to_string(huge) + "]}";
  wire = wire.substr(0, 20) + header;
  wire[8] = static_cast<char>(header.size());
  auto bytes = bytes_of(wire);
  FrameReader reader;
  const auto taken = reader.take(bytes);
  ASSERT_TRUE(taken) << "within the limits, so it may come; nothing was allocated for it yet";
  EXPECT_FALSE(taken->has_value());
}

TEST(Frame, OversizedAndInconsistentFramesAreErrors) {
  const auto refused = [](std::string wire) {
    auto bytes = bytes_of(wire);
    return !FrameReader().take(bytes).has_value();
  };
  const auto good = encode(example_frame());
  auto wrong_magic = good, wrong_version = good, long_header = good, long_blobs = good;
  wrong_magic[0] = 'h';
  wrong_version[4] = 9;
  long_header[11] = '\x7F';
  long_blobs[18] = '\x7F';
  EXPECT_TRUE(refused(wrong_magic));
  EXPECT_TRUE(refused(wrong_version));
  EXPECT_TRUE(refused(long_header));
  EXPECT_TRUE(refused(long_blobs));
  auto one_more = good;
  one_more[12] = static_cast<char>(one_more[12] + 1);
  EXPECT_TRUE(refused(one_more)) << "blobs do not add up";
}

std::vector<Request> requests() {
  ConcreteLaunch launch{"k", {}, {4, 4}, {2, 2}, {1, 0}};
  using Kind = ArgumentSpec::Kind;
  launch.arguments = {{Kind::Buffer, "a", {}, 0}, {Kind::Scalar, "", {1, 2, 3, 255}, 0}, {Kind::Local, "", {}, 64},
                      {Kind::Image, "i", {}, 0},  {Kind::Sampler, "nearest", {}, 0},     {Kind::Struct, "", {9, 9}, 0}};
  const BufferData buffer{"a", "float", 12, "uniform(-1,1)", 5, true, {1, 2}};
  return {{1, Milliseconds(5), Hello{"opencl:0:0", Bytes{99}}},
          {2, Milliseconds(5), ListDevices{}},
          {3, Milliseconds(5), Build{"kernel void k() {}", {"-DX=1"}}},
          {4, Milliseconds(5), BuildAll{{{"s", {"-w"}, {launch}}, {"t", {}, {}}}}},
          {5, Milliseconds(5), Load{{buffer}, {{"i", "RGBA", "float", 3, 4, "ramp", 8}}}},
          {6, Milliseconds(5), Run{"b", {launch}, {"a"}}},
          {7, Milliseconds(5), Time{"b", {launch, launch}, 30, true, {"c"}}},
          {8, Milliseconds(5), Read{{"a", "b"}, {"c"}}}};
}
std::vector<Reply> replies() {
  const DeviceInfo device{
      "opencl:0:0",
      "n",
      "d",
      "cpu",
      {{"x", Value(std::int64_t{3})}, {"y", Value(true)}, {"z", Value(0.5)}, {"s", Value(std::string("t"))}}};
  const Built built{"id", "hash", {{"k", {{"local_bytes", 4}}}}, Milliseconds(3)};
  const os::SandboxReport sandbox{{{"network", true, "a", ""}, {"files", false, "b", "c"}}};
  return {
      {1, Welcome{device, sandbox}},
      {2, Devices{{device, device}, sandbox}},
      {3, built},
      {4, NotBuilt{"log"}},
      {5, BuildsDone{{built, NotBuilt{"l"}}}},
      {6, Loaded{}},
      {7, Ran{{{"a", {1, 2, 3}}, {"b", {}}}, {"a"}, "printed", Nanoseconds(7), {{"a", {16, 4096}}}, {{"c", "hash"}}}},
      {8,
       TimesTaken{
           {Nanoseconds(1.5)}, {Nanoseconds(1)}, "hash", {}, {}, {}, {Nanoseconds(2)}, {Nanoseconds(3)}, {"left"}}},
      {9, NotLaunched{"why"}},
      {10, Refused{"E-X", "m"}}};
}

TEST(Messages, EveryRequestAndReplyComesBackTheSame) {
  for (const auto& request : requests()) {
    const auto wire = encode(to_frame(request));
    const auto again = request_from(to_frame(request));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(encode(to_frame(*again)), wire);
    EXPECT_EQ(again->question.index(), request.question.index());
  }
  for (const auto& reply : replies()) {
    const auto wire = encode(to_frame(reply));
    const auto again = reply_from(to_frame(reply));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(encode(to_frame(*again)), wire);
    EXPECT_EQ(again->answer.index(), reply.answer.index());
  }
}

/// A generator of its own, so that a failure is the same failure next time.
struct Dice {
  std::uint64_t state;
  std::uint64_t roll(std::uint64_t n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33U) % n;
  }
};

std::string mutated(std::string wire, Dice& dice) {
  for (std::uint64_t left = 1 + dice.roll(4); left > 0 && !wire.empty(); --left) {
    const auto at = dice.roll(wire.size());
    switch (dice.roll(4)) {
      case 0: wire[at] = static_cast<char>(dice.roll(256)); break;
      case 1: wire.erase(at, 1 + dice.roll(8)); break;
      case 2: wire.insert(at, wire.substr(dice.roll(wire.size()), 1 + dice.roll(16))); break;
      default: wire[at] = static_cast<char>(wire[at] ^ static_cast<char>(1U << dice.roll(8)));
    }
  }
  return wire;
}

TEST(Messages, MutatedFramesAreReadOrRefusedButNeverBreakTheReader) {
  Dice dice{1};
  std::vector<std::string> wires;
  for (const auto& request : requests()) wires.push_back(encode(to_frame(request)));
  for (const auto& reply : replies()) wires.push_back(encode(to_frame(reply)));
  std::size_t read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto wire = mutated(wires[dice.roll(wires.size())], dice);
    auto bytes = bytes_of(wire);
    FrameReader reader;
    auto frame = reader.take(bytes);
    if (!frame || !*frame) {
      ++refused;
      continue;
    }
    auto copy = **frame;
    request_from(std::move(copy)) || reply_from(std::move(**frame)) ? ++read : ++refused;
  }
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace hone::worker
