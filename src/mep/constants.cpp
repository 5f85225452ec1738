// A host whose sizes are constants: `#define N 1024`, passed to the kernel and launched over. Constants that the kernel
// takes as bounds become sizes which start from what the host says, so that workloads may be smaller and differ.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "core/layout.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

constexpr std::int64_t kSmallestPromoted = 64;
/// A loop that begins or ends a little before the size: 0..n-2.
constexpr std::int64_t kEdge = 3;

using Promoted = std::map<std::int64_t, std::string>;  // value -> the name of the size

std::optional<std::int64_t> whole_literal(const Expression& expression) {
  if (expression.root().kind != Expression::Kind::Literal) return std::nullopt;
  const auto* whole = std::get_if<std::int64_t>(&expression.root().value);
  return whole != nullptr ? std::optional(*whole) : std::nullopt;
}

Expression whole_number(std::int64_t value) { return Expression::literal(Value(value)); }

/// The kernel's text has this number itself: another size would not be the same program.
bool text_has_number(const Extraction& extraction, std::int64_t value) {
  const auto word = std::to_string(value);
  const auto in_number = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  for (const auto& define : extraction.defines)
    if (define.value.find(word) != std::string::npos) return true;
  const auto& text = extraction.source;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !in_number(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !in_number(text[at + word.size()]);
    if (starts && ends) return true;
  }
  return false;
}

/// Arguments that stand in an index, a guard or a loop.
std::set<std::string> bounds_of(const affine::View& view) {
  std::set<std::string> out;
  for (const auto& access : view.accesses) {
    if (access.index) out.merge(access.index->symbols());
    for (const auto& condition : access.conditions) out.merge(condition.symbols());
  }
  return out;
}

Promoted promoted_values(const Extraction& extraction, const Draft& draft, HostProgram& host) {
  Promoted out;
  std::set<std::string> taken;
  for (const auto& buffer : host.buffers) taken.insert(buffer.name);
  for (const auto& [name, start] : host.symbols) taken.insert(name);
  each_launch(std::as_const(host.steps), [&](const HostLaunch& launch) {
    const auto* spec = find_kernel(draft.mep, launch.kernel);
    const auto view = draft.views.find(launch.kernel);
    if (spec == nullptr || view == draft.views.end()) return;
    const auto bounds = bounds_of(view->second);
    for (const auto& [position, argument] : launch.arguments) {
      if (position >= spec->arguments.size() || argument.kind != HostArgument::Kind::Scalar) continue;
      const auto& name = spec->arguments[position].name;
      const auto value = whole_literal(argument.value);
      if (!value || *value < kSmallestPromoted || out.contains(*value) || !bounds.contains(name) ||
          !is_identifier(name) || !taken.insert(name).second || text_has_number(extraction, *value))
        continue;
      out[*value] = name;
      host.symbols[name] = Value(*value);
      host.symbol_provenance[name] = argument.provenance;
    }
  });
  return out;
}

std::optional<Expression> as_size(std::int64_t value, std::optional<std::int64_t> local, const Promoted& sizes) {
  if (const auto same = sizes.find(value); same != sizes.end()) return Expression::name(same->second);
  if (!local || *local <= 1) return std::nullopt;
  for (const auto& [size, name] : sizes) {
    if ((size + *local - 1) / *local * *local == value)
      return Expression::call("round_up", {Expression::name(name), whole_number(*local)});
  }
  return std::nullopt;
}

/// 1024 * 1024 elements as n * n.
std::optional<Expression> as_product(std::int64_t elements, const Promoted& sizes) {
  if (const auto same = sizes.find(elements); same != sizes.end()) return Expression::name(same->second);
  for (const auto& [size, name] : sizes) {
    if (elements % size != 0) continue;
    const auto rest = elements / size;
    const auto other = sizes.find(rest);
    if (other != sizes.end()) return Expression::binary("*", Expression::name(name), Expression::name(other->second));
    for (const auto& [second, second_name] : sizes) {
      const auto third = rest % second == 0 ? sizes.find(rest / second) : sizes.end();
      if (third != sizes.end())
        return Expression::binary("*", Expression::binary("*", Expression::name(name), Expression::name(second_name)),
                                  Expression::name(third->second));
    }
  }
  return std::nullopt;
}

void respell_launch(HostLaunch& launch, const Promoted& sizes) {
  for (auto& [position, argument] : launch.arguments) {
    const auto value = argument.kind == HostArgument::Kind::Scalar ? whole_literal(argument.value) : std::nullopt;
    const auto found = value ? sizes.find(*value) : sizes.end();
    if (found != sizes.end()) argument.value = Expression::name(found->second);
  }
  for (std::size_t d = 0; d < launch.global.size(); ++d) {
    const auto value = whole_literal(launch.global[d]);
    const auto local = d < launch.local.size() ? whole_literal(launch.local[d]) : std::nullopt;
    if (!value) continue;
    if (auto size = as_size(*value, local, sizes)) launch.global[d] = std::move(*size);
  }
}

void respell_buffers(const Draft& draft, HostProgram& host, const Promoted& sizes) {
  each_launch(std::as_const(host.steps), [&](const HostLaunch& launch) {
    const auto* spec = find_kernel(draft.mep, launch.kernel);
    for (const auto& [position, argument] : launch.arguments) {
      if (spec == nullptr || position >= spec->arguments.size() || argument.kind != HostArgument::Kind::Buffer)
        continue;
      const auto layout = layout_of(spec->arguments[position].type, draft.mep.structs);
      const auto buffer = std::ranges::find(host.buffers, argument.value.print(), &HostBuffer::name);
      if (buffer == host.buffers.end() || !buffer->bytes || !layout || layout->bytes == 0) continue;
      const auto bytes = whole_literal(*buffer->bytes);
      const auto each = static_cast<std::int64_t>(layout->bytes);
      if (!bytes || *bytes % each != 0) continue;
      if (auto elements = as_product(*bytes / each, sizes))
        buffer->bytes = Expression::binary("*", *elements, whole_number(each));
    }
  });
}

}  // namespace

Extraction with_constants_as_sizes(Extraction extraction, Draft& draft) {
  auto host = extraction.host;
  bool symbolic = false;
  each_launch(std::as_const(host.steps), [&](const HostLaunch& launch) {
    for (const auto& size : launch.global) symbolic = symbolic || !size.names().empty();
  });
  if (symbolic) return extraction;
  const auto sizes = promoted_values(extraction, draft, host);
  if (sizes.empty()) return extraction;
  respell_buffers(draft, host, sizes);
  each_loop(host.steps, [&](HostLoop& loop) {
    const auto end = whole_literal(loop.end);
    for (const auto& [size, name] : sizes) {
      if (!end || *end > size || *end < size - kEdge) continue;
      loop.end = *end == size ? Expression::name(name)
                              : Expression::binary("-", Expression::name(name), whole_number(size - *end));
      break;
    }
  });
  bool launched_over = false;
  each_launch(host.steps, [&](HostLaunch& launch) {
    respell_launch(launch, sizes);
    for (const auto& size : launch.global) launched_over = launched_over || !size.names().empty();
  });
  if (!launched_over) return extraction;
  for (const auto& [value, name] : sizes)
    draft.because(fmt::format("{}: the host's constant {} is taken as a size", name, value));
  extraction.host = std::move(host);
  return extraction;
}

}  // namespace hone::mep
