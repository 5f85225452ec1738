#include "patch/launch_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Node = Expression::Node;

constexpr std::array group_words = {"barrier",
                                    "work_group_barrier",
                                    "get_local_id",
                                    "get_local_size",
                                    "get_group_id",
                                    "get_num_groups",
                                    "get_enqueued_local_size",
                                    "get_local_linear_id",
                                    "async_work_group_copy",
                                    "wait_group_events",
                                    "__local",
                                    "local",
                                    "reqd_work_group_size",
                                    "async_work_group_strided_copy"};

bool is_group_word(std::string_view word) {
  return word.starts_with("work_group_") || word.starts_with("sub_group_") || word.starts_with("get_sub_group") ||
         std::ranges::find(group_words, word) != group_words.end();
}

tl::unexpected<Error> no(const std::string& why) { return fail("E-LAUNCHSITE", why); }

bool is_name(const Node& node, const std::string& name) {
  return node.kind == Expression::Kind::Name && node.text == name;
}

/// The launch's own size divided by its own groups' size.
bool is_groups(const Node& node, std::size_t d) {
  const bool division = (node.kind == Expression::Kind::Call && node.text == "ceil_div") ||
                        (node.kind == Expression::Kind::Binary && node.text == "//");
  return division && is_name(*node.operands[0], size_called("global", d)) &&
         is_name(*node.operands[1], size_called("local", d));
}

/// A launch of CUDA counts blocks: there both divisions are exact.
Expression::NodePtr over_groups(const Expression::NodePtr& node, std::size_t d) {
  if (is_groups(*node, d)) {
    Node name;
    name.kind = Expression::Kind::Name;
    name.text = size_called("groups", d);
    return std::make_shared<const Node>(std::move(name));
  }
  Node out = *node;
  for (auto& operand : out.operands) operand = over_groups(operand, d);
  return std::make_shared<const Node>(std::move(out));
}

/// get_global_size(0) and get_num_groups(0).
Result<std::vector<SizeUse>> uses_in_opencl(const std::string& source, const std::vector<bool>& changed) {
  const auto tokens = tokens_of(source);
  const auto word = [&](std::size_t i) { return text_of(tokens[i], source); };
  std::vector<SizeUse> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto name = word(i);
    const bool groups = name == "get_num_groups";
    if (tokens[i].kind == Token::Kind::Directive && (name.find("get_global_size") != std::string_view::npos ||
                                                     name.find("get_num_groups") != std::string_view::npos))
      return no("a macro of it asks for the size of the launch");
    if (tokens[i].kind != Token::Kind::Word) continue;
    if (name == "get_global_linear_id") return no("it asks for get_global_linear_id");
    if (!groups && name != "get_global_size") continue;
    const bool plain = i + 3 < tokens.size() && word(i + 1) == "(" && word(i + 3) == ")" && word(i + 2).size() == 1 &&
                       word(i + 2)[0] >= '0' && word(i + 2)[0] <= '2';
    if (!plain) return no("a helper of it asks for the size of the launch");
    const auto d = static_cast<std::size_t>(word(i + 2)[0] - '0');
    if (d < changed.size() && changed[d]) out.push_back({{tokens[i].begin, tokens[i + 3].end}, d, groups});
  }
  return out;
}

/// Other ways to the number of blocks: cooperative groups, PTX, builtins of AMD's compiler.
constexpr std::array<std::string_view, 6> grid_words = {
    "nctaid", "grid_group", "this_grid", "clusterDim", "__ockl_get_num_groups", "__builtin_amdgcn_grid_size"};

/// gridDim.x and hipGridDim_x.
Result<std::vector<SizeUse>> uses_in_cuda(const std::string& source, const std::vector<bool>& changed) {
  for (const auto hidden : grid_words)
    if (source.find(hidden) != std::string::npos)
      return no(fmt::format("it says `{}`, which may ask for the size of the launch", hidden));
  const auto tokens = tokens_of(source);
  const auto word = [&](std::size_t i) { return i < tokens.size() ? text_of(tokens[i], source) : std::string_view(); };
  const auto axis = [](std::string_view letter) {
    return letter.size() == 1 ? std::string_view("xyz").find(letter[0]) : std::string_view::npos;
  };
  std::vector<SizeUse> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto name = word(i);
    if (tokens[i].kind == Token::Kind::Directive &&
        (name.find("gridDim") != std::string_view::npos || name.find("hipGridDim") != std::string_view::npos))
      return no("a macro of it asks for the size of the launch");
    if (tokens[i].kind != Token::Kind::Word) continue;
    const bool whole = name == "gridDim";
    if (!whole && !name.starts_with("hipGridDim_")) continue;
    const auto d = whole ? (word(i + 1) == "." ? axis(word(i + 2)) : std::string_view::npos) : axis(name.substr(11));
    if (d == std::string_view::npos) return no("it asks for gridDim as a whole");
    if (d < changed.size() && changed[d]) out.push_back({{tokens[i].begin, tokens[whole ? i + 2 : i].end}, d, true});
  }
  return out;
}

}  // namespace

std::string size_called(std::string_view which, std::size_t d) { return fmt::format("launch.{}[{}]", which, d); }

HostNames size_names(Language language) {
  return [language](std::string_view name) -> std::optional<std::string> {
    for (std::size_t d = 0; d < 3; ++d) {
      const bool opencl = language == Language::OpenCL;
      const char axis = "xyz"[d];
      if (name == size_called("global", d))
        return opencl ? fmt::format("get_global_size({})", d)
                      : fmt::format("(size_t(gridDim.{0}) * blockDim.{0})", axis);
      if (name == size_called("local", d))
        return opencl ? fmt::format("get_local_size({})", d) : fmt::format("blockDim.{}", axis);
      if (name == size_called("groups", d))
        return opencl ? fmt::format("get_num_groups({})", d) : fmt::format("gridDim.{}", axis);
    }
    return std::nullopt;
  };
}

Expression groups_of(Language language, const Expression& global, std::size_t d) {
  const auto local = Expression::name(size_called("local", d));
  if (language == Language::OpenCL) return Expression::call("ceil_div", {global, local});
  const auto root = global.root();
  if (is_name(root, size_called("global", d))) return Expression::name(size_called("groups", d));
  const auto counted = over_groups(std::make_shared<const Node>(root), d);
  if (counted->kind == Expression::Kind::Binary && counted->text == "*")
    for (const std::size_t i : {0U, 1U})
      if (is_name(*counted->operands[i], size_called("local", d))) return Expression(counted->operands[1 - i]);
  return Expression::call("ceil_div", {Expression(counted), local});
}

std::string place_called(Language language, bool group, std::size_t d) {
  if (language != Language::OpenCL) return fmt::format("blockIdx.{}", "xyz"[d]);
  return fmt::format("get_{}_id({})", group ? "group" : "global", d);
}

std::string word_of_groups(Language language, const std::string& source) {
  if (language != Language::OpenCL) return "blockIdx";
  for (const auto& token : tokens_of(source))
    if (token.kind == Token::Kind::Word && is_group_word(text_of(token, source)))
      return std::string(text_of(token, source));
  return "";
}

Result<std::vector<SizeUse>> size_uses(Language language, const std::string& source, const std::vector<bool>& changed) {
  return language == Language::OpenCL ? uses_in_opencl(source, changed) : uses_in_cuda(source, changed);
}

}  // namespace hone::patch
