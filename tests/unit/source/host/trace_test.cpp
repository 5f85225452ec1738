// Small host programs, one for each style of host code, and what is read from them. A folder of programs/ is one
// program; its trace.txt is what the interpreter saw.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "source/host/read.hpp"

namespace hone::host {
namespace {

namespace fs = std::filesystem;

const fs::path programs = fs::path(HONE_SOURCE_DIR) / "tests/unit/source/host/programs";

std::string text_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

Files files_of(const fs::path& folder) {
  Files out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename() != "trace.txt")
      out[fs::relative(entry.path(), folder).generic_string()] = text_of(entry.path());
  }
  return out;
}

std::string traces_of(const Files& files) {
  std::string out;
  const auto read = read_host(files, {});
  for (const auto& trace : read.traces) out += print(trace);
  for (const auto& note : read.notes) out += "note " + note + "\n";
  return out;
}

class HostPrograms : public testing::TestWithParam<std::string> {};

TEST_P(HostPrograms, AreReadAsTheirTraceSays) {
  const auto folder = programs / GetParam();
  const auto actual = traces_of(files_of(folder));
  const auto path = folder / "trace.txt";
  if (std::getenv("HONE_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  EXPECT_EQ(actual, text_of(path)) << "to accept: HONE_UPDATE_GOLDENS=1 ctest -R '^source$'";
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(programs)) out.push_back(entry.path().filename().string());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Styles, HostPrograms, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(HostReader, ALaunchInChevronsIsASiteWithItsSizesInTheHostsWords) {
  const auto read = read_host({{"a.cu",
                                "#define BLOCKS(n) (((n) + 255) / 256)\n"
                                "__global__ void k(float *a, int n) { a[0] = n; }\n"
                                "int main() {\n  int n = 1000;\n  float *a;\n  cudaMalloc(&a, n * 4);\n"
                                "  k<<<BLOCKS(n), 256>>>(a, n);\n"
                                "  dim3 grid(4, 8), block(16, 16);\n  k<<<grid, block>>>(a, n);\n}\n"}},
                              {});
  ASSERT_EQ(read.sites.size(), 2U);
  EXPECT_EQ(read.sites[0].global, std::vector<std::string>{"(BLOCKS(n)) * (256)"});
  EXPECT_EQ(read.sites[0].local, std::vector<std::string>{"(256)"});
  ASSERT_GE(read.sites[1].global.size(), 2U);
  EXPECT_EQ(read.sites[1].global[1], "grid.y * block.y");
}

TEST(HostReader, AFileThatClangCannotEndCostsThatFileOnly) {
  std::string endless =
      "#include <CL/cl.h>\ntemplate <int N> struct T { static const int v = T<N + 1>::v + T<N + 2>::v; };\n";
  endless += "int x = T<0>::v;\nvoid f() { clEnqueueNDRangeKernel(0, 0, 1, 0, 0, 0, 0, 0, 0); }\n";
  std::string deep = "#include <CL/cl.h>\nint g() { return clFinish(0) + " + std::string(60000, '(') + "1" +
                     std::string(60000, ')') + "; }\n";
  auto files = files_of(programs / "block_scopes");
  files["endless.cpp"] = endless;
  files["deep.c"] = deep;
  ReadLimits limits;
  limits.parse_each = std::chrono::milliseconds(4000);
  const auto read = read_host(files, {}, {}, limits);
  ASSERT_FALSE(read.programs.empty());
  EXPECT_EQ(std::get<HostLaunch>(read.programs.front().steps.at(0)).kernel, "scale");
}

/// Bytes dropped, doubled or replaced; the generator is fixed, so a failure comes back.
std::string mutated(std::string text, unsigned& state) {
  const auto next = [&] { return state = state * 1664525U + 1013904223U; };
  const int edits = 1 + static_cast<int>(next() >> 30U);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const auto at = next() % text.size();
    const auto length = std::min<std::size_t>(1 + (next() >> 28U), text.size() - at);
    switch (next() >> 30U) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text[at] = static_cast<char>("(){};,*&<>\"'0aZ#\n"[next() % 17]); break;
      default: text.insert(at, text.substr(next() % text.size(), 40)); break;
    }
  }
  return text;
}

TEST(HostReader, MutatedHostFilesNeverEndHone) {
  unsigned state = 20240611;
  int read_something = 0;
  for (const auto& name : names()) {
    for (int round = 0; round < 1; ++round) {
      auto files = files_of(programs / name);
      for (auto& [path, text] : files) text = mutated(text, state);
      const auto read = read_host(files, {});
      read_something += read.traces.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(read_something, 4);
}

TEST(HostTree, NodesWithoutThePartsOfTheirKindAreNoTree) {
  Unit unit;
  unit.files = {"a.c"};
  unit.functions.emplace_back();
  unit.functions[0].body.kind = Kind::Block;
  EXPECT_TRUE(unit_from_bytes(to_bytes(unit)).has_value());
  for (const auto kind :
       {Kind::If, Kind::For, Kind::Index, Kind::Binary, Kind::Cast, Kind::MethodCall, Kind::Declare}) {
    unit.functions[0].body.kind = kind;
    EXPECT_FALSE(unit_from_bytes(to_bytes(unit)).has_value()) << static_cast<int>(kind);
  }
  unit.functions[0].body.kind = Kind::Block;
  unit.files.clear();
  EXPECT_FALSE(unit_from_bytes(to_bytes(unit)).has_value());
}

TEST(HostTree, BytesThatEndTooEarlyAreNoTree) {
  Unit unit;
  unit.files = {"a.c"};
  unit.functions.emplace_back();
  const auto bytes = to_bytes(unit);
  ASSERT_TRUE(unit_from_bytes(bytes).has_value());
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_FALSE(unit_from_bytes(bytes.substr(0, cut)).has_value());
}

}  // namespace
}  // namespace hone::host
