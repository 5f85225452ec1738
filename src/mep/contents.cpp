#include "mep/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.hpp"
#include "core/language.hpp"
#include "inputs/generator.hpp"
#include "mep/driver_views.hpp"

namespace hone::mep {
namespace {

template <class T>
double scalar_at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return static_cast<double>(value);
}

bool is_filled_with_reals(const BufferSpec& buffer) {
  const auto type = element_type(buffer.type);
  return type && type->kind == ScalarKind::Float && buffer.fill.starts_with("uniform(");
}

std::optional<std::string> doubt_about(const OutputView& view, const std::vector<std::uint8_t>& bytes) {
  const std::size_t count = view.scalars(bytes.size());
  if (view.scalar.kind != ScalarKind::Float) {  // a few may well be one number, as a counter is
    constexpr std::size_t kMany = 64;
    const auto element = [&](std::size_t i) { return bytes.data() + view.at(i); };
    for (std::size_t i = 1; i < count; ++i)
      if (std::memcmp(element(i), element(0), view.scalar.scalar_bytes) != 0) return std::nullopt;
    return count < kMany ? std::nullopt : std::optional(view.name + " is one and the same number everywhere");
  }
  if (count < 2 || view.scalar.kind != ScalarKind::Float || view.scalar.scalar_bytes < 4) return std::nullopt;
  double most = 0;
  std::optional<double> first;
  bool constant = true;
  const auto unwritten = [&](std::size_t i) {
    const auto* from = bytes.data() + view.at(i);
    return std::all_of(from, from + view.scalar.scalar_bytes, [](std::uint8_t b) { return b == inputs::kPoison; });
  };
  const auto value = [&](std::size_t i) {
    return view.scalar.scalar_bytes == 4 ? scalar_at<float>(bytes, view.at(i)) : scalar_at<double>(bytes, view.at(i));
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (unwritten(i)) continue;
    const double x = value(i);
    if (!std::isfinite(x)) return fmt::format("{} holds what is no number ({})", view.name, x);
    most = std::max(most, std::fabs(x));
    constant = constant && x == first.value_or(x);
    first = first.value_or(x);
  }
  if (!first) return view.name + " is not written at all";
  if (most > kBlownUp) return fmt::format("{} grows to {:.1e}", view.name, most);
  if (constant) return fmt::format("{} is {} everywhere", view.name, *first);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> doubtful(const Mep& mep, const OutputBytes& outputs) {
  for (const auto& [name, bytes] : outputs) {
    const auto views = views_of(mep, name);
    if (!views) {
      const bool same = std::ranges::all_of(bytes, [&](std::uint8_t b) { return b == bytes.front(); });
      if (same && !bytes.empty()) return name + " has the same byte everywhere";
      continue;
    }
    for (const auto& view : *views)
      if (auto doubt = doubt_about(view, bytes)) return doubt;
  }
  return std::nullopt;
}

std::vector<std::uint8_t> elements_in_order(const std::vector<std::uint8_t>& bytes, std::size_t element) {
  std::vector<const std::uint8_t*> places;
  for (std::size_t at = 0; element > 0 && at + element <= bytes.size(); at += element)
    places.push_back(bytes.data() + at);
  std::ranges::sort(places, [&](const auto* a, const auto* b) { return std::memcmp(a, b, element) < 0; });
  std::vector<std::uint8_t> out;
  out.reserve(bytes.size());
  for (const auto* place : places) out.insert(out.end(), place, place + element);
  out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(out.size()), bytes.end());
  return out;
}

std::vector<std::string> calmer_fills() {
  return {"uniform(0.1,0.9)",    "uniform(-0.1,0.1)",  "uniform(0.5,1.5)",
          "uniform(-0.01,0.01)", "uniform(0.01,0.02)", "uniform(-0.001,0.001)"};
}

void set_float_fills(Mep& mep, const std::string& fill) {
  for (auto& buffer : mep.buffers) {
    if (is_filled_with_reals(buffer)) buffer.fill = fill;
    if (buffer.fill.find(": uniform(") == std::string::npos) continue;  // of a struct, its real fields
    std::vector<std::string> parts;
    for (const auto& part : split(buffer.fill, ';')) {
      const auto at = part.find(": uniform(");
      parts.push_back(at == std::string::npos ? std::string(trim(part))
                                              : std::string(trim(part.substr(0, at))) + ": " + fill);
    }
    buffer.fill = join(parts, "; ");
  }
}

std::string first_fill(const std::vector<BufferSpec>& buffers) {
  const auto found = std::ranges::find_if(buffers, is_filled_with_reals);
  return found == buffers.end() ? "these" : found->fill;
}

}  // namespace hone::mep
