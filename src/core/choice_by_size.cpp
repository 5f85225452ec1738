#include "core/choice_by_size.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "core/c_tokens.hpp"
#include "core/launch_walk.hpp"

namespace hone {
namespace {

tl::unexpected<Error> no_choice(const std::string& why) { return fail("E-CHOICE", why); }

struct Range {
  std::size_t begin = 0, end = 0;
};

/// Where the bracket that opens at token `at` closes; the number of tokens when it does not.
std::size_t closing(const std::vector<CToken>& tokens, std::size_t at, std::string_view open, std::string_view close) {
  int depth = 0;
  for (auto i = at; i < tokens.size(); ++i) {
    if (tokens[i].text == open) ++depth;
    if (tokens[i].text == close && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t next_word(const std::vector<CToken>& tokens, std::size_t at) {
  using enum CToken::Kind;
  while (at < tokens.size() && (tokens[at].kind == Space || tokens[at].kind == Newline || tokens[at].kind == Comment))
    ++at;
  return at;
}

/// The braces of a kernel's body, as bytes of the source.
std::optional<Range> body_of(const std::string& source, const std::string& kernel) {
  const auto tokens = c_tokens(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != CToken::Kind::Identifier || tokens[i].text != kernel) continue;
    const auto opening = next_word(tokens, i + 1);
    if (opening >= tokens.size() || tokens[opening].text != "(") continue;
    const auto brace = next_word(tokens, closing(tokens, opening, "(", ")") + 1);
    if (brace >= tokens.size() || tokens[brace].text != "{") continue;
    const auto last = closing(tokens, brace, "{", "}");
    if (last >= tokens.size()) return std::nullopt;
    const auto begin = static_cast<std::size_t>(tokens[brace].text.data() - source.data());
    const auto end = static_cast<std::size_t>(tokens[last].text.data() - source.data()) + 1;
    return Range{begin, end};
  }
  return std::nullopt;
}

bool declares_local(const std::string& body) {
  return std::ranges::any_of(c_tokens(body), [](const CToken& token) {
    return token.kind == CToken::Kind::Identifier && (token.text == "__local" || token.text == "local");
  });
}

/// A source with its kernels' bodies taken out, and the bodies.
struct Parts {
  std::string frame;
  std::map<std::string, std::string> bodies;
};

Result<Parts> parts_of(const Mep& mep, const Variant& variant) {
  Parts out{variant.source, {}};
  for (const auto& kernel : mep.kernels) {
    const auto body = body_of(out.frame, kernel.name);
    if (!body) return no_choice("the body of " + kernel.name + " was not found in the text");
    out.bodies[kernel.name] = out.frame.substr(body->begin, body->end - body->begin);
    out.frame.replace(body->begin, body->end - body->begin, "{}");
  }
  return out;
}

Result<std::string> condition_in(const Mep& mep, const KernelSpec& kernel, const SizeCase& one) {
  std::vector<std::string> parts;
  for (const auto& [scalar, value] : one.when) {
    const auto argument = argument_for(mep, kernel, scalar);
    if (!argument) return no_choice(kernel.name + " does not get " + scalar + " as an argument");
    parts.push_back(*argument + " == " + print(value));
  }
  return join(parts, " && ");
}

/// if (a) {...} else if (b) {...} else {...}
Result<std::string> joined_body(const Mep& mep, const KernelSpec& kernel, const Parts& rest,
                                const std::vector<SizeCase>& cases, const std::vector<Parts>& parts) {
  std::string out = "{\n    ";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& body = parts[i].bodies.at(kernel.name);
    if (body == rest.bodies.at(kernel.name)) continue;
    if (declares_local(body) || declares_local(rest.bodies.at(kernel.name)))
      return no_choice(kernel.name + " declares local memory, which only the outermost block of a kernel can");
    const auto condition = condition_in(mep, kernel, cases[i]);
    if (!condition) return fail(condition.error());
    out += "if (" + *condition + ") " + body + "\n    else ";
  }
  return out + rest.bodies.at(kernel.name) + "\n}";
}

const LaunchShape* shape_for(const Variant& variant, const std::string& kernel) {
  const auto found = std::ranges::find(variant.launches, kernel, &LaunchShape::kernel);
  return found == variant.launches.end() ? nullptr : &*found;
}

/// The original launch, said like another one.
LaunchShape unchanged_launch(const LaunchShape& like) {
  LaunchShape out{like.kernel, {}, {}};
  for (std::size_t d = 0; d < like.global.size(); ++d)
    out.global.push_back(Expression::name("launch.global[" + std::to_string(d) + "]"));
  for (std::size_t d = 0; d < like.local.size(); ++d)
    out.local.push_back(Expression::name("launch.local[" + std::to_string(d) + "]"));
  return out;
}

Expression select(const SizeCase& one, const Expression& then, const Expression& otherwise) {
  if (then == otherwise) return then;
  std::vector<std::string> parts;
  for (const auto& [scalar, value] : one.when) parts.push_back(print_name(scalar) + " == " + print(value));
  const auto condition = Expression::parse(join(parts, " and "));
  Expression::Node node;
  node.kind = Expression::Kind::Select;
  for (const auto* part : {&then, &*condition, &otherwise})
    node.operands.push_back(std::make_shared<const Expression::Node>(part->root()));
  return Expression(std::make_shared<const Expression::Node>(std::move(node)));
}

Result<std::optional<LaunchShape>> joined_launch(const std::string& kernel, const Variant& rest,
                                                 const std::vector<SizeCase>& cases) {
  const auto* like = shape_for(rest, kernel);
  for (const auto& one : cases)
    if (like == nullptr) like = shape_for(one.variant, kernel);
  if (like == nullptr) return std::optional<LaunchShape>();
  auto out = shape_for(rest, kernel) != nullptr ? *shape_for(rest, kernel) : unchanged_launch(*like);
  for (auto one = cases.rbegin(); one != cases.rend(); ++one) {
    const auto* found = shape_for(one->variant, kernel);
    const auto own = found != nullptr ? *found : unchanged_launch(out);
    if (own.global.size() != out.global.size() || own.local.size() != out.local.size())
      return no_choice("the launches of " + kernel + " differ in their dimensions");
    for (std::size_t d = 0; d < out.global.size(); ++d) out.global[d] = select(*one, own.global[d], out.global[d]);
    for (std::size_t d = 0; d < out.local.size(); ++d) out.local[d] = select(*one, own.local[d], out.local[d]);
  }
  return std::optional(std::move(out));
}

}  // namespace

std::optional<std::string> argument_for(const Mep& mep, const KernelSpec& kernel, const std::string& scalar) {
  std::optional<std::string> out;
  for (const auto& argument : kernel.arguments) {
    if (argument.kind != ArgumentSpec::Kind::Scalar) continue;
    bool always = true, launched = false;
    for (const auto& workload : mep.workloads)
      each_launch(workload.launches, [&](const Launch& launch) {
        if (launch.kernel != kernel.name) return;
        launched = true;
        const auto bound = launch.arguments.find(argument.name);
        always = always && bound != launch.arguments.end() && bound->second.value == Expression::name(scalar);
      });
    if (always && launched) return argument.name;
  }
  return out;
}

Result<Variant> choice_by_size(const Mep& mep, const Variant& rest, const std::vector<SizeCase>& cases) {
  const auto general = parts_of(mep, rest);
  if (!general) return fail(general.error());
  std::vector<Parts> parts;
  for (const auto& one : cases) {
    auto own = parts_of(mep, one.variant);
    if (!own) return fail(std::move(own).error());
    if (own->frame != general->frame) return no_choice("the variants differ outside of their kernels");
    if (one.variant.options != rest.options) return no_choice("the variants are built with different options");
    parts.push_back(std::move(*own));
  }
  Variant out = rest;
  out.launches.clear();
  for (const auto& kernel : mep.kernels) {
    const auto body = joined_body(mep, kernel, *general, cases, parts);
    if (!body) return fail(body.error());
    const auto all_same = std::ranges::all_of(
        parts, [&](const Parts& one) { return one.bodies.at(kernel.name) == general->bodies.at(kernel.name); });
    const auto place = body_of(out.source, kernel.name);
    if (!all_same) out.source.replace(place->begin, place->end - place->begin, *body);
    auto launch = joined_launch(kernel.name, rest, cases);
    if (!launch) return fail(std::move(launch).error());
    if (*launch) out.launches.push_back(std::move(**launch));
  }
  return out;
}

}  // namespace hone
