#include "source/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/text.hpp"
#include "source/conditions.hpp"

namespace hone::source::host {
namespace {

constexpr int deepest_include = 16;
constexpr std::size_t most_includes = 400;

using Opener = std::pair<const DeviceText*, std::size_t>;

/// An item that the preprocessor would see, with those of includes in their place.
struct Entry {
  const DeviceText* text;
  std::size_t index;
  std::vector<Opener> around;  // conditionals that stay, and scopes
  bool library = false;        // of another text: it only gives what the kernels' own does not have
  bool kept = false;
  const Item& item() const { return text->items[index]; }
};

struct Group {
  bool active = true, taken = false, stays = false;
};

/// Headers of the compilers' own, or of C, that are no part of an application, and the words that only they give a
/// meaning.
struct VendorHeader {
  std::string_view name;
  std::vector<std::string> words;
};
const std::vector<VendorHeader>& vendor_headers() {
  static const std::vector<std::string> halves = {
      "half",           "half2",        "__half",        "__half2",
      "__half_raw",     "__float2half", "__half2float",  "__hadd",
      "__hmul",         "__hfma",       "__float2half2", "__half22float2",
      "__hadd2",        "__hmul2",      "__hfma2",       "__float22half2_rn",
      "__float2half_rn"};
  static const std::vector<std::string> integers = {"int8_t",  "int16_t",  "int32_t",  "int64_t",
                                                    "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  static const std::vector<std::string> floats = {"FLT_MAX", "FLT_MIN", "FLT_EPSILON",
                                                  "DBL_MAX", "DBL_MIN", "DBL_EPSILON"};
  static const std::vector<std::string> limits = {"INT_MAX",  "INT_MIN",   "UINT_MAX",
                                                  "LONG_MAX", "LLONG_MAX", "CHAR_BIT"};
  static const std::vector<std::string> traits = {
      "is_same",          "is_same_v",         "enable_if",         "enable_if_t", "conditional",
      "conditional_t",    "is_integral",       "is_floating_point", "common_type", "decay",
      "remove_reference", "integral_constant", "true_type",         "false_type"};
  static const std::vector<std::string> constants = {"CUDART_INF_F", "CUDART_INF", "CUDART_NAN_F",       "CUDART_NAN",
                                                     "CUDART_PI_F",  "CUDART_PI",  "CUDART_MAX_NORMAL_F"};
  static const std::vector<VendorHeader> all = {
      {"stdint.h", integers},
      {"cstdint", integers},
      {"float.h", floats},
      {"cfloat", floats},
      {"limits.h", limits},
      {"climits", limits},
      {"stdio.h", {"printf"}},
      {"cstdio", {"printf"}},
      {"assert.h", {"assert"}},
      {"cassert", {"assert"}},
      {"limits", {"numeric_limits"}},
      {"type_traits", traits},
      {"math_constants.h", constants},
      {"cuda_fp16.h", halves},
      {"hip/hip_fp16.h", halves},
      {"cuda_bf16.h", {"__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16", "nv_bfloat162"}},
      {"hip/hip_bfloat16.h", {"hip_bfloat16"}},
      {"cooperative_groups.h", {"cooperative_groups"}},
      {"hip/hip_cooperative_groups.h", {"cooperative_groups"}},
  };
  return all;
}

/// No device has the host's containers: what is made of them may share a name with what a kernel needs, and is not it.
bool is_of_the_host(const Item& item) {
  static const std::vector<std::string> containers = {
      "vector", "string", "map", "set", "deque", "list", "unordered_map", "unique_ptr", "shared_ptr", "function"};
  return item.kind != Item::Kind::Kernel && item.mentions.contains("std") &&
         std::ranges::any_of(containers, [&](const auto& word) { return item.mentions.contains(word); });
}

std::string_view directive_text(const DeviceText& text, const Item& item) {
  return std::string_view(text.text).substr(item.range.begin, item.range.end - item.range.begin);
}

class Closer {
 public:
  Closer(const Files& application, const ClosureRequest& request, Language language, Macros defines)
      : application_(application), request_(request), language_(language), conditions_(std::move(defines)) {}

  void expand(const DeviceText& text, int depth = 0, const std::vector<Opener>& outside = {}) {
    std::vector<Group> groups;
    std::vector<std::pair<std::size_t, Opener>> staying;  // by depth of `groups`
    auto around = outside;
    const auto active = [&] { return std::ranges::all_of(groups, [](const Group& g) { return g.active; }); };
    for (std::size_t i = 0; i < text.items.size(); ++i) {
      const auto& item = text.items[i];
      if (item.kind == Item::Kind::Conditional) {
        conditional(text, i, groups, active(), around);
        continue;
      }
      if (!active()) continue;
      if (item.kind == Item::Kind::Scope) {
        if (item.directive == "endscope") remove(around, {&text, *item.group});
        entries_.push_back({&text, i, around});
        if (item.directive == "scope") around.emplace_back(&text, i);
        continue;
      }
      if (item.kind == Item::Kind::Include) {
        include(text, item, depth, around);
        continue;
      }
      if (item.kind == Item::Kind::Pragma && item.mentions.contains("once")) once_.insert(text.file);
      if (item.kind == Item::Kind::Macro) macro(text, item);
      entries_.push_back({&text, i, around});
    }
  }

  /// What was expanded so far is of other texts.
  void begin_own() {
    for (auto& entry : entries_) entry.library = true;
  }

  bool has(const std::string& kernel) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
      return entry.item().kind == Item::Kind::Kernel && declares(entry.item(), kernel);
    });
  }

  void keep(const std::vector<std::string>& kernels) {
    for (auto& entry : entries_) {
      const auto& item = entry.item();
      const bool asked = item.kind == Item::Kind::Kernel &&
                         std::ranges::any_of(kernels, [&](const std::string& k) { return declares(item, k); });
      if (asked) take(entry);
    }
    wanted_.insert(request_.wanted.begin(), request_.wanted.end());
    for (const auto& [kernel, instance] : request_.instances)  // a type of the application may be an argument
      for (const auto& parameter : instance.parameters) wanted_.insert(parameter.value);
    for (const auto& entry : entries_) {
      const auto text = directive_text(*entry.text, entry.item());
      if (is_of_the_host(entry.item()) && (text.starts_with("struct ") || text.starts_with("class ")))
        host_types_.insert(entry.item().declares.begin(), entry.item().declares.end());
    }
    for (const auto& entry : entries_)
      if (entry.item().kind == Item::Kind::Other && entry.item().mentions.contains("struct"))
        types_.insert(entry.item().declares.begin(), entry.item().declares.end());
    std::set<std::string> own;
    for (const auto& [name, value] : request_.defines) own.insert(name);
    for (const auto& entry : entries_) {
      if (!entry.library) own.insert(entry.item().declares.begin(), entry.item().declares.end());
    }
    const auto given = [&](const Entry& entry) {
      return entry.library &&
             std::ranges::any_of(entry.item().declares, [&](const auto& name) { return own.contains(name); });
    };
    for (bool grew = true; grew;) {
      grew = false;
      for (auto& entry : entries_) {
        if (entry.kept || given(entry) || is_variable_of_the_host(entry) || !needed(entry.item())) continue;
        take(entry);
        grew = true;
      }
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!entries_[i].kept) continue;
        for (const auto& opener : entries_[i].around) grew = keep_group(opener) || grew;
      }
    }
  }

  Closure print() const {
    Closure out;
    out.mentioned = wanted_;
    out.asked = asked_;
    out.notes = notes_;
    for (const auto& header : vendor_headers())
      if (language_ != Language::OpenCL &&
          std::ranges::any_of(header.words, [&](const auto& word) { return wanted_.contains(word); }) &&
          is_included(header.name))
        out.text += fmt::format("#include <{}>\n", header.name);
    const Entry* before = nullptr;
    for (const auto& entry : entries_) {
      if (!entry.kept) continue;
      const auto& item = entry.item();
      for (const auto& name : item.declares) out.declared.insert(name);
      const bool adjacent = before != nullptr && before->text == entry.text && before->index + 1 == entry.index;
      if (adjacent) {
        piece(out, *entry.text, {before->item().range.end, item.range.begin}, {});
      } else if (before != nullptr) {
        out.text += item.kind == Item::Kind::Kernel || item.kind == Item::Kind::Function ? "\n\n" : "\n";
      }
      // A directive begins its line, whatever stood before it in a block that has no lines.
      const bool directive = !item.directive.empty() && item.kind != Item::Kind::Scope;
      if (directive && !out.text.empty() && out.text.back() != '\n' && trim(last_line(out.text)) != "")
        out.text += "\n";
      const std::string kernel = item.kind == Item::Kind::Kernel ? item.declares.back() : std::string();
      if (const auto instance = request_.instances.find(kernel);
          instance != request_.instances.end() && !kernel.empty())
        instantiated(out, *entry.text, item.range, kernel, instance->second);
      else
        piece(out, *entry.text, item.range, kernel);
      before = &entry;
    }
    out.text += "\n";
    return out;
  }

 private:
  static bool declares(const Item& item, const std::string& name) {
    return std::ranges::find(item.declares, name) != item.declares.end();
  }
  static std::string_view last_line(const std::string& text) {
    const auto line = text.rfind('\n');
    return std::string_view(text).substr(line == std::string::npos ? 0 : line + 1);
  }
  static void remove(std::vector<Opener>& around, const Opener& opener) { std::erase(around, opener); }

  /// By the kernel's files, or by those that include them behind it: a header relies on who comes before it.
  bool is_included(std::string_view header) const {
    if (included_.contains(std::string(header))) return true;
    const bool of_hip = header.starts_with("hip/");
    const bool of_cuda = header.starts_with("cu") || header.starts_with("cooperative") || header == "math_constants.h";
    if ((of_hip && language_ != Language::Hip) || (of_cuda && language_ != Language::Cuda)) return false;
    const auto wanted = fmt::format("#include <{}>", header);
    return std::ranges::any_of(application_,
                               [&](const auto& file) { return file.second.find(wanted) != std::string::npos; });
  }

  /// Does the kernel that is asked for stand in this conditional?
  bool holds_kernel(const DeviceText& text, std::size_t opener) const {
    return std::ranges::any_of(text.items, [&](const Item& item) {
      return item.kind == Item::Kind::Kernel && std::ranges::find(item.conditions, opener) != item.conditions.end() &&
             std::ranges::any_of(request_.kernels, [&](const std::string& k) { return declares(item, k); });
    });
  }

  void conditional(const DeviceText& text, std::size_t i, std::vector<Group>& groups, bool outer,
                   std::vector<Opener>& around) {
    const auto& item = text.items[i];
    const auto line = directive_text(text, item);
    const bool opens = item.directive.starts_with("if");
    if (opens) {
      Group group;
      if (!outer) {
        group = {false, true, false};
      } else {
        note_asked(item);
        const auto decided = conditions_.holds(line, holds_kernel(text, i));
        group.stays = !decided;
        group.active = decided.value_or(true);
        group.taken = group.active;
      }
      if (group.stays) {
        entries_.push_back({&text, i, around});
        around.emplace_back(&text, i);
      }
      groups.push_back(group);
      return;
    }
    if (groups.empty() || !item.group) return;
    auto& group = groups.back();
    if (group.stays) {
      if (item.directive == "endif") remove(around, {&text, *item.group});
      entries_.push_back({&text, i, around});
    }
    if (item.directive == "endif") {
      groups.pop_back();
    } else if (!group.stays) {
      if (group.taken) {
        group.active = false;
      } else {
        note_asked(item);
        group.active = item.directive == "else" || conditions_.holds(line, true).value_or(false);
        group.taken = group.active;
      }
    }
  }

  void note_asked(const Item& item) { asked_.insert(item.mentions.begin(), item.mentions.end()); }

  void macro(const DeviceText& text, const Item& item) {
    if (item.directive == "undef") {
      conditions_.undefine(item.declares.front());
    } else if (auto made = macro_of(directive_text(text, item))) {
      conditions_.define(*made);
    }
  }

  void include(const DeviceText& text, const Item& item, int depth, const std::vector<Opener>& around) {
    auto line = std::string(directive_text(text, item));
    auto open = line.find_first_of("\"<");
    if (open == std::string::npos) {  // #include NAME
      line = expand_all(line.substr(line.find("include") + 7), conditions_.macros());
      open = line.find_first_of("\"<");
    }
    const auto close = open == std::string::npos ? open : line.find_first_of("\">", open + 1);
    if (close == std::string::npos) return;
    const auto wanted = line.substr(open + 1, close - open - 1);
    const auto pieces = text.pieces_of(item.range);
    const auto from = pieces.empty() ? text.file : pieces.front().file;
    const auto path = resolve_include(application_, from, wanted, request_.include_folders);
    if (path.empty()) {
      included_.insert(wanted);
      notes_.push_back(fmt::format("{} includes {}, which is not in the folder", from, wanted));
      return;
    }
    if (depth > deepest_include || ++includes_ > most_includes || once_.contains(path)) return;
    auto known = files_.find(path);
    if (known == files_.end()) known = files_.emplace(path, device_file(path, application_.at(path))).first;
    expand(known->second, depth + 1, around);
  }

  void take(Entry& entry) {
    entry.kept = true;
    wanted_.insert(entry.item().mentions.begin(), entry.item().mentions.end());
    called_.insert(entry.item().calls.begin(), entry.item().calls.end());
  }

  /// A declaration of the host's that shares its name with something of a kernel.
  bool speaks_of_the_host(const Item& item) const {
    return item.kind != Item::Kind::Kernel && item.kind != Item::Kind::Macro && !item.mentions.contains("__device__") &&
           std::ranges::any_of(host_types_, [&](const auto& type) { return item.mentions.contains(type); });
  }

  /// `__device__ float4 operator+(float4, float4)` is used where nobody says its name.
  bool is_operator_of_a_wanted_type(const Item& item) const {
    if (language_ == Language::OpenCL || item.kind != Item::Kind::Function || !declares(item, "operator")) return false;
    return item.mentions.contains("__device__") && std::ranges::any_of(item.mentions, [&](const std::string& word) {
             return wanted_.contains(word) && (types_.contains(word) || is_short_vector(word));
           });
  }
  static bool is_short_vector(std::string_view word) {
    if (word.size() < 4 || word.back() < '2' || word.back() > '4') return false;
    static const std::set<std::string_view> scalars = {"char", "uchar", "short", "ushort",   "int",       "uint",
                                                       "long", "ulong", "float", "longlong", "ulonglong", "double"};
    return scalars.contains(word.substr(0, word.size() - 1));
  }

  /// `float code[] = {...};` of the host, whose name a parameter of a kernel has too: nothing of a device can use it.
  bool is_variable_of_the_host(const Entry& entry) const {
    static const std::set<std::string_view> types = {"float", "double", "int",  "unsigned", "char",
                                                     "long",  "short",  "bool", "size_t",   "FILE"};
    if (language_ == Language::OpenCL || entry.item().kind != Item::Kind::Other) return false;
    for (const auto* word : {"const", "constexpr", "__device__", "__constant__", "__managed__", "__shared__"})
      if (entry.item().mentions.contains(word)) return false;
    auto text = directive_text(*entry.text, entry.item());
    if (text.starts_with("static ")) text.remove_prefix(7);
    return types.contains(text.substr(0, text.find_first_of(" *\t\n")));
  }

  bool needed(const Item& item) const {
    if (item.kind == Item::Kind::Pragma)
      return item.mentions.contains("OPENCL") || item.mentions.contains("FP_CONTRACT");
    if (is_of_the_host(item) || speaks_of_the_host(item)) return false;
    if (is_operator_of_a_wanted_type(item)) return true;
    const auto& by = item.kind == Item::Kind::Kernel ? called_ : wanted_;
    return std::ranges::any_of(item.declares, [&](const std::string& name) {
      return name != "operator" && by.contains(name) &&
             (language_ != Language::OpenCL || item.kind == Item::Kind::Macro || !is_keyword(name));
    });
  }

  bool keep_group(const Opener& opener) {
    bool grew = false;
    for (auto& entry : entries_) {
      const bool belongs =
          entry.text == opener.first && (entry.index == opener.second || entry.item().group == opener.second);
      if (!belongs || entry.kept) continue;
      take(entry);
      grew = true;
    }
    return grew;
  }

  /// Without its header, between macros that give its parameters their values.
  static void instantiated(Closure& out, const DeviceText& text, ByteRange range, const std::string& kernel,
                           const TemplateKernel& instance) {
    if (!out.text.empty() && out.text.back() != '\n') out.text += "\n";
    for (const auto& parameter : instance.parameters)
      out.text += fmt::format("#define {} {}\n", parameter.name, parameter.value);
    // The header was read of a text of its own; its length is the same here.
    const auto header = instance.header.end - instance.header.begin;
    piece(out, text, {range.begin + header, range.end}, kernel);
    for (const auto& parameter : instance.parameters) out.text += fmt::format("\n#undef {}", parameter.name);
    out.text += "\n";
  }

  static void piece(Closure& out, const DeviceText& text, ByteRange range, const std::string& kernel) {
    if (range.begin >= range.end) return;
    for (auto made : text.pieces_of(range)) {
      made.here = {out.text.size() + made.here.begin, out.text.size() + made.here.end};
      made.kernel = kernel;
      out.pieces.push_back(std::move(made));
    }
    out.text += text.text.substr(range.begin, range.end - range.begin);
  }

  const Files& application_;
  const ClosureRequest& request_;
  Language language_;
  Conditions conditions_;
  std::map<std::string, DeviceText> files_;
  std::vector<Entry> entries_;
  std::set<std::string> once_, wanted_, asked_, called_;
  std::set<std::string> included_;  // what the folder does not have
  std::set<std::string> types_;
  std::set<std::string> host_types_;  // that hold the host's containers
  std::vector<std::string> notes_;
  std::size_t includes_ = 0;
};

Macros macros_from(const std::map<std::string, std::string>& defines) {
  Macros out;
  for (const auto& [name, value] : defines) {
    // -D 'F(x)=x*2'
    if (auto macro = macro_of("#define " + name + " " + value)) out.insert_or_assign(macro->name, *macro);
  }
  return out;
}

/// A define that makes the item's branches those that are taken, one conditional after the other.
std::map<std::string, std::string> assumptions_for(const DeviceText& text, std::size_t index,
                                                   const std::map<std::string, std::string>& defines) {
  std::map<std::string, std::string> out;
  const auto* item = &text.items[index];
  for (const auto opener : item->conditions) {
    if (text.items[opener].kind != Item::Kind::Conditional) continue;
    std::vector<std::size_t> branches = {opener};  // up to the kernel's own
    for (std::size_t i = opener + 1; i < index; ++i) {
      if (text.items[i].group == opener) branches.push_back(i);
    }
    const auto reached = [&](const std::map<std::string, std::string>& with) {
      auto all = defines;
      all.insert(out.begin(), out.end());
      for (const auto& [name, value] : with) all[name] = value;
      Conditions conditions(macros_from(all));
      for (std::size_t i = 0; i < opener; ++i) {
        const auto& before = text.items[i];
        if (before.kind == Item::Kind::Macro && before.directive == "define" && before.conditions.empty())
          if (auto made = macro_of(directive_text(text, before))) conditions.define(*made);
      }
      for (std::size_t b = 0; b < branches.size(); ++b) {
        const auto& branch = text.items[branches[b]];
        const bool holds =
            branch.directive == "else" || conditions.holds(directive_text(text, branch), true).value_or(false);
        if (b + 1 == branches.size()) return holds;
        if (holds) return false;
      }
      return false;
    };
    if (reached({})) continue;
    std::vector<std::string> names;
    std::vector<std::string> values = {"1", "0"};
    for (const auto branch : branches) {
      for (const auto& token : tokens_of(directive_text(text, text.items[branch]).substr(1), false)) {
        const bool keyword = token.is("if") || token.is("ifdef") || token.is("ifndef") || token.is("elif") ||
                             token.is("else") || token.is("defined");
        if (token.kind == Token::Kind::Word && !keyword) names.emplace_back(token.text);
        if (token.kind != Token::Kind::Number) continue;
        const auto value = std::strtoll(std::string(token.text).c_str(), nullptr, 0);
        for (const auto near : {value, value + 1, value - 1}) values.push_back(std::to_string(near));
      }
    }
    const auto found = [&] {
      for (const auto& name : names)
        for (const auto& value : values)
          if (reached({{name, value}})) return out.emplace(name, value).second;
      for (const auto& a : names)
        for (const auto& b : names)
          if (reached({{a, "1"}, {b, "1"}})) {
            out.emplace(a, "1");
            return out.emplace(b, "1").second;
          }
      return false;
    };
    if (!found()) return {};
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> defines_that_declare(const DeviceText& text, const std::string& name,
                                                        const std::map<std::string, std::string>& defines) {
  for (std::size_t i = 0; i < text.items.size(); ++i) {
    const auto& item = text.items[i];
    const bool declares = item.kind != Item::Kind::Kernel && item.directive != "undef" && !item.conditions.empty() &&
                          std::ranges::find(item.declares, name) != item.declares.end();
    if (!declares) continue;
    if (auto found = assumptions_for(text, i, defines); !found.empty()) return found;
  }
  return {};
}

Closure close_over(const DeviceText& text, const std::vector<const DeviceText*>& libraries,
                   const ClosureRequest& request, const Files& application) {
  auto defines = request.defines;
  std::map<std::string, std::string> assumed;
  for (int round = 0;; ++round) {
    Closer closer(application, request, text.language, macros_from(defines));
    for (const auto* library : libraries) closer.expand(*library);
    closer.begin_own();
    closer.expand(text);
    const auto missing = std::ranges::find_if(request.kernels, [&](const auto& kernel) { return !closer.has(kernel); });
    if (missing != request.kernels.end() && round < 3) {
      const auto item = std::ranges::find_if(text.items, [&](const Item& i) {
        return i.kind == Item::Kind::Kernel && std::ranges::find(i.declares, *missing) != i.declares.end();
      });
      const auto more = item == text.items.end()
                            ? std::map<std::string, std::string>()
                            : assumptions_for(text, static_cast<std::size_t>(item - text.items.begin()), defines);
      if (!more.empty()) {
        assumed.insert(more.begin(), more.end());
        for (const auto& [name, value] : more) defines.insert_or_assign(name, value);
        continue;
      }
    }
    closer.keep(request.kernels);
    auto out = closer.print();
    out.assumed = std::move(assumed);
    return out;
  }
}

}  // namespace hone::source::host
