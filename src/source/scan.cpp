#include "source/scan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "source/device_text.hpp"
#include "source/explain.hpp"
#include "source/host/near.hpp"
#include "source/host/read.hpp"

namespace hone::source {
namespace {

std::string signature_of(const host::DeviceText& text, const host::Item& item) {
  const auto all = std::string_view(text.text).substr(item.range.begin, item.range.end - item.range.begin);
  const auto tokens = host::tokens_of(all);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(item.declares.back()) || !tokens[i + 1].is("(")) continue;
    std::string out(tokens[i].text);
    const auto end = host::after_matching(tokens, i + 1, tokens.size());
    for (auto t = i + 1; t < end; ++t) {
      const bool tight =
          tokens[t].is("(") || tokens[t].is(")") || tokens[t].is(",") || tokens[t - 1].is("(") || tokens[t - 1].is("*");
      out += (tight ? "" : " ") + std::string(tokens[t].text);
    }
    return out;
  }
  return item.declares.back();
}

/// Under `#if 0` nothing is a kernel.
bool is_switched_off(const host::DeviceText& text, const host::Item& item) {
  return std::ranges::any_of(item.conditions, [&](std::size_t opener) {
    const auto& line = text.items[opener];
    const auto words = host::tokens_of(
        std::string_view(text.text).substr(line.range.begin, line.range.end - line.range.begin).substr(1), false);
    if (line.directive != "if" || words.size() != 2 || !words[1].is("0")) return false;
    // In its #else branch it is.
    return std::ranges::none_of(text.items, [&](const host::Item& other) {
      return other.group == opener && other.directive.starts_with("el") && other.range.begin < item.range.begin;
    });
  });
}

void list_kernels(const host::DeviceText& text, const Files& application, std::vector<FoundKernel>& out) {
  for (const auto& item : text.items) {
    if (item.kind != host::Item::Kind::Kernel || is_switched_off(text, item)) continue;
    FoundKernel found;
    const auto piece = text.first_piece(item.range);
    found.name = item.declares.back();
    found.file = piece.file;
    found.range = piece.there;
    found.line = line_of(application.at(found.file), found.range.begin);
    found.embedding = piece.embedding;
    found.language = text.language;
    found.signature = signature_of(text, item);
    const bool again = std::ranges::any_of(out, [&](const FoundKernel& known) {
      return known.name == found.name && known.file == found.file && known.range.begin == found.range.begin;
    });
    if (!again) out.push_back(std::move(found));
  }
}

/// Host code near the kernels that are wanted; all of it when none are, or when nothing there launches them.
hone::host::HostReading read_for(const Files& application, const WantedKernels& wanted, const Scan& scan,
                                 const hone::host::ReadPorts& ports) {
  hone::host::Wanted near{wanted.names, {}, Language::Hip};
  for (const auto& kernel : scan.kernels) {
    const bool asked = std::ranges::find(wanted.names, kernel.name) != wanted.names.end() &&
                       (wanted.file.empty() || is_in_file(kernel.file, kernel.line, wanted.file));
    if (!asked || kernel.language > near.language) continue;
    if (kernel.language < near.language) near.files.clear();  // OpenCL before its twins in other languages
    near.language = kernel.language;
    near.files.push_back(kernel.file);
  }
  if (!near.files.empty()) {
    if (const auto some = hone::host::near(application, near)) {
      hone::host::ReadLimits limits;
      limits.units = 24;
      limits.run_all = std::chrono::milliseconds(4000);
      auto read = hone::host::read_host(*some, wanted.names, ports, limits);
      const bool launched = std::ranges::any_of(read.sites, [&](const LaunchSite& site) {
        return std::ranges::find(wanted.names, site.kernel) != wanted.names.end();
      });
      if (launched) return read;
    }
  }
  return hone::host::read_host(application, wanted.names, ports);
}

}  // namespace

bool is_in_file(const std::string& file, std::size_t line, const std::string& asked) {
  return file == asked || file.ends_with("/" + asked) || fmt::format("{}:{}", file, line) == asked;
}

Result<Scan> scan(const Files& application, const WantedKernels& wanted, const hone::host::ReadPorts& ports) {
  Scan out;
  auto device = std::make_shared<host::DeviceTexts>(host::device_texts(application));
  out.device = device;
  for (const auto& text : device->kernels) list_kernels(text, application, out.kernels);
  out.explained = explain_unlisted(application, out.kernels);
  if (out.kernels.empty()) {
    return fail("E-KERNEL",
                fmt::format("no kernel in {} files: looked for __kernel and __global__ in files of any suffix, in "
                            "strings and in blocks that macros make strings of{}",
                            application.size(), out.explained.empty() ? "" : "; " + out.explained.front()),
                "hone scan DIR with the folder that holds the kernels");
  }
  auto read = read_for(application, wanted, out, ports);
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
