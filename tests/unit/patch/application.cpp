#include "application.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "patch/region.hpp"

namespace hone::patch::test {
namespace fs = std::filesystem;
namespace {

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  const auto end = text.find(to, begin);
  EXPECT_NE(end, std::string::npos) << from;
  return text.substr(begin, end + to.size() - begin);
}

}  // namespace

Application& Application::with_kernel(const std::string& kernel, const std::string& file, Embedding embedding,
                                      const std::string& text, const std::string& there) {
  const std::size_t at = files.at(file).find(there);
  EXPECT_NE(at, std::string::npos) << there;
  const std::size_t here = mep.source.size();
  mep.source += text + "\n\n";
  mep.kernels.push_back({kernel, {}});
  origin.pieces.push_back({{here, here + text.size()}, file, {at, at + there.size()}, embedding, kernel});
  return *this;
}

Application& Application::with_launch(const std::string& kernel, const std::string& file, const std::string& call,
                                      std::vector<std::string> global) {
  const std::size_t at = files.at(file).find(call);
  EXPECT_NE(at, std::string::npos) << call;
  LaunchSite site;
  site.kernel = kernel;
  site.file = file;
  site.call = {at, at + call.size()};
  site.global = std::move(global);
  origin.launches.push_back(site);
  return *this;
}

Application& Application::stamped() {
  for (const auto& [file, text] : files) origin.files.push_back({file, sha256(text)});
  return *this;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Files folder(const std::string& path) {
  Files files;
  for (const auto& entry : fs::directory_iterator(std::string(HONE_SOURCE_DIR) + "/" + path)) {
    const std::string name = entry.path().filename();
    const auto extension = entry.path().extension();
    const bool source = name == "Makefile" || extension == ".c" || extension == ".h" || extension == ".cpp" ||
                        extension == ".hpp" || extension == ".cl";
    if (source) files[name] = read(entry.path());
  }
  return files;
}

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(HONE_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("HONE_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  EXPECT_EQ(actual, read(path)) << "to accept: HONE_UPDATE_GOLDENS=1 ctest -R '^patch$'";
}

Files after_command(const Files& files, const std::string& diff, const std::string& command) {
  std::string pattern = (fs::temp_directory_path() / "hone-patch-XXXXXX").string();
  const fs::path root = mkdtemp(pattern.data());
  fs::create_directory(root / "tree");
  for (const auto& [name, text] : files) std::ofstream(root / "tree" / name, std::ios::binary) << text;
  std::ofstream(root / "change.diff", std::ios::binary) << diff;
  Files out;
  const std::string line = "cd '" + (root / "tree").string() + "' && " + command + " > ../log 2>&1";
  if (std::system(line.c_str()) == 0) {
    for (const auto& entry : fs::directory_iterator(root / "tree"))
      if (entry.is_regular_file()) out[entry.path().filename()] = read(entry.path());
  } else {
    ADD_FAILURE() << command << " failed:\n" << read(root / "log") << "\n" << diff;
  }
  fs::remove_all(root);
  return out;
}

Application matmul_example() {
  Application app;
  app.files = folder("examples/matmul");
  const std::string kernel = between(app.files["matmul.cl"], "__kernel", "\n}");
  app.with_kernel("matmul", "matmul.cl", Embedding::File, kernel, kernel);
  app.with_launch("matmul", "main.c",
                  "clEnqueueNDRangeKernel(device->queue, kernel, 2, NULL, global, local, 0, NULL, &events[run])",
                  {"round_up(columns, TILE)", "round_up(rows, TILE)"});
  return app.stamped();
}

Application filter_example() {
  Application app;
  app.files = folder("examples/filter");
  const std::string kernel = between(app.files["blur.cpp"], "__kernel", "\n}");
  app.with_kernel("blur", "blur.cpp", Embedding::RawString, kernel, kernel);
  app.with_launch("blur", "blur.cpp",
                  "clEnqueueNDRangeKernel(gpu.queue, kernel, 2, nullptr, global, local, 0, nullptr, &events[run])",
                  {"round_up(width, 16)", "round_up(height, 8)"});
  return app.stamped();
}

Application dotproduct_example() {
  Application app;
  app.files = folder("examples/dotproduct");
  const std::string& file = app.files["dot.c"];
  const std::string there = between(file, "__kernel", "\"}");
  const auto region = Region::find(file, Embedding::StringLiterals, file.find("__kernel"));
  app.with_kernel("dot_partial", "dot.c", Embedding::StringLiterals, std::string(trim(region->text())), there);
  app.with_launch(
      "dot_partial", "dot.c",
      "clEnqueueNDRangeKernel(session.queue, kernel, 1, NULL, &global_size, &local_size, 0, NULL, &events[run])",
      {"groups * GROUP"});
  return app.stamped();
}

}  // namespace hone::patch::test
