#include "corpus.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "core/format.hpp"
#include "os/files.hpp"

namespace hone::hostile {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(HONE_SOURCE_DIR) / "tests" / "hostile"; }

std::string text_of(const fs::path& path) { return os::read_text(path).value(); }

std::vector<std::string> words(const std::string& list, char separator) {
  std::vector<std::string> out;
  for (const auto& word : split(list, separator)) {
    if (!trim(word).empty()) out.emplace_back(trim(word));
  }
  return out;
}

std::vector<Expression> sizes(const std::string& list) {
  std::vector<Expression> out;
  for (const auto& word : split(list, ';')) out.push_back(Expression::parse(trim(word)).value());
  return out;
}

Entry read(const fs::path& path) {
  Entry entry;
  entry.name = path.stem().string();
  entry.variant.source = text_of(path);
  if (path.extension() == ".cu") entry.variant.language = Language::Cuda;
  LaunchShape shape;
  for (const auto& line : split(entry.variant.source, '\n')) {
    if (!line.starts_with("// ")) break;
    const auto colon = line.find(": ");
    if (colon == std::string::npos) break;
    const auto key = line.substr(3, colon - 3);
    const auto value = line.substr(colon + 2);
    if (key == "base") entry.base = value;
    if (key == "verdict") entry.verdicts = words(value, ',');
    if (key == "defence") entry.defences = words(value, ',');
    if (key == "options") entry.variant.options = words(value, ' ');
    if (key == "seconds") entry.seconds = std::stod(value);
    if (key == "global") shape.global = sizes(value);
    if (key == "local") shape.local = sizes(value);
  }
  shape.kernel = base(entry.base).kernels.front().name;
  if (!shape.global.empty()) entry.variant.launches = {shape};
  return entry;
}

}  // namespace

Mep base(const std::string& name) {
  const auto at = folder() / "meps" / name;
  const std::string source = fs::exists(at / "kernel.cu") ? "kernel.cu" : "kernel.cl";
  return mep_from_files({{"mep.toml", text_of(at / "mep.toml")}, {source, text_of(at / source)}}, at.string()).value();
}

std::optional<Variant> precise(const std::string& name) {
  const auto path = folder() / "meps" / name / "precise.cl";
  if (!fs::exists(path)) return std::nullopt;
  return Variant{Language::OpenCL, text_of(path), {}, {}};
}

std::vector<Entry> entries(const std::string& kind) {
  std::vector<Entry> all;
  for (const auto& file : fs::directory_iterator(folder() / kind)) all.push_back(read(file.path()));
  std::ranges::sort(all, {}, &Entry::name);
  return all;
}

Entry entry(const std::string& name) { return read(folder() / "hostile" / (name + ".cl")); }

}  // namespace hone::hostile
