#include "source/scan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "source/device_text.hpp"
#include "source/host/read.hpp"

namespace hone::source {
namespace {

std::string signature_of(const host::DeviceText& text, const host::Item& item) {
  const auto all = std::string_view(text.text).substr(item.range.begin, item.range.end - item.range.begin);
  const auto tokens = host::tokens_of(all);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(item.declares.front()) || !tokens[i + 1].is("(")) continue;
    std::string out(tokens[i].text);
    const auto end = host::after_matching(tokens, i + 1, tokens.size());
    for (auto t = i + 1; t < end; ++t) {
      const bool tight =
          tokens[t].is("(") || tokens[t].is(")") || tokens[t].is(",") || tokens[t - 1].is("(") || tokens[t - 1].is("*");
      out += (tight ? "" : " ") + std::string(tokens[t].text);
    }
    return out;
  }
  return item.declares.front();
}

}  // namespace

Result<Scan> scan(const Files& application, const std::vector<std::string>& wanted) {
  Scan out;
  for (const auto& text : host::device_texts(application)) {
    for (const auto& item : text.items) {
      if (item.kind != host::Item::Kind::Kernel) continue;
      FoundKernel found;
      found.name = item.declares.front();
      found.file = text.file;
      found.range = text.in_file(item.range);
      found.line = line_of(application.at(text.file), found.range.begin);
      found.embedding = text.embedding;
      found.language = text.language;
      found.signature = signature_of(text, item);
      out.kernels.push_back(std::move(found));
    }
  }
  if (out.kernels.empty()) {
    return fail("E-KERNEL",
                fmt::format("no kernel in {} files: looked for __kernel in .cl files and in strings of C and C++, and "
                            "for __global__ in .cu and .hip",
                            application.size()),
                "hone scan DIR with the folder that holds the kernels");
  }
  auto read = hone::host::read_host(application, wanted);
  for (auto& site : read.sites) {
    if (!site.kernel.empty()) out.launches.push_back(std::move(site));
  }
  out.notes = std::move(read.notes);
  for (const auto& program : read.programs) {
    for (const auto& note : program.notes) {
      if (std::ranges::find(out.notes, note) == out.notes.end()) out.notes.push_back(note);
    }
  }
  out.programs = std::move(read.programs);
  out.defines = std::move(read.defines);
  out.texts = std::move(read.texts);
  return out;
}

}  // namespace hone::source
