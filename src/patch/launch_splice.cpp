#include "patch/launch_splice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "patch/host_expression.hpp"
#include "patch/launch_site.hpp"
#include "patch/revision.hpp"
#include "patch/statement.hpp"

namespace hone::patch {
namespace {

bool is_original(const Expression& expression, const std::string& name) {
  const auto& root = expression.root();
  return root.kind == Expression::Kind::Name && root.text == name;
}

bool all_original(const std::vector<Expression>& sizes, const std::string& which) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!is_original(sizes[i], fmt::format("launch.{}[{}]", which, i))) return false;
  return true;
}

/// A name nobody uses in the file yet.
std::string fresh(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  for (int i = 2; taken.contains(name); ++i) name = fmt::format("{}_{}", wanted, i);
  taken.insert(name);
  return name;
}

struct Sizes {
  std::vector<std::string> global, local;
};

Result<Sizes> sizes_in_host_words(const LaunchShape& shape, const HostNames& names) {
  Sizes sizes;
  for (std::size_t i = 0; i < shape.global.size(); ++i) {
    const bool untouched =
        shape.local.empty() || (all_original(shape.local, "local") && all_original(shape.global, "global"));
    auto global =
        untouched ? host_expression(shape.global[i], names) : host_rounded(shape.global[i], shape.local[i], names);
    if (!global) return fail(std::move(global).error());
    sizes.global.push_back(std::move(*global));
  }
  for (const auto& expression : shape.local) {
    auto local = host_expression(expression, names);
    if (!local) return fail(std::move(local).error());
    sizes.local.push_back(std::move(*local));
  }
  return sizes;
}

class SiteSplice {
 public:
  SiteSplice(const LaunchShape& shape, const LaunchSite& site, const std::string& file, std::set<std::string>& taken,
             std::set<std::size_t>& changed)
      : shape_(shape), site_(site), file_(file), taken_(taken), changed_(changed) {}

  Result<std::vector<Edit>> run() {
    if (auto around = statement_around(file_, site_.call.begin); !around) return fail(std::move(around).error());
    auto call = read_call(file_, site_);
    if (!call) return fail(std::move(call).error());
    auto statement = statement_around(file_, call->place);
    if (!statement) return fail(std::move(statement).error());
    if (!changed_.insert(call->global.begin).second) return std::vector<Edit>{};
    if (call->dimensions != shape_.global.size())
      return fail("E-LAUNCHSITE", fmt::format("the launch has {} dimensions and the winner {}", call->dimensions,
                                              shape_.global.size()));
    return call->dialect == LaunchCall::Dialect::Chevrons ? chevrons(*call, *statement) : arrays(*call, *statement);
  }

 private:
  static HostNames names(const LaunchCall& call) {
    return [&call](std::string_view name) { return call.size_named(name); };
  }

  std::string declaration(const LaunchCall& call, const std::string& name,
                          const std::vector<std::string>& values) const {
    if (call.dialect == LaunchCall::Dialect::Ranges)
      return fmt::format("const cl::NDRange {}({});", name, join(values, ", "));
    return fmt::format("const size_t {}[{}] = {{{}}};", name, values.size(), join(values, ", "));
  }

  /// A copy of sizes that the call computes.
  std::string copy_of(const LaunchCall& call, const std::string& text, const std::string& name) const {
    const auto* type = call.dialect == LaunchCall::Dialect::Ranges ? "const cl::NDRange"
                       : call.in_c                                 ? "const size_t *const"
                                                                   : "const auto";
    return fmt::format("{} {} = {};", type, name, text);
  }

  Result<std::vector<Edit>> arrays(LaunchCall& call, const Statement& statement) {
    if (call.global_once) call.old_global = fresh("hone_old_global", taken_);
    if (call.local_once) call.old_local = fresh("hone_old_local", taken_);
    auto sizes = sizes_in_host_words(shape_, names(call));
    if (!sizes) return fail(std::move(sizes).error());
    std::vector<std::string> lines;
    std::vector<Edit> edits;
    const bool new_local = !shape_.local.empty() && !all_original(shape_.local, "local");
    // Rounding to a changed local size changes the global one too.
    const bool new_global = !all_original(shape_.global, "global") || (new_local && !rounding_is_known());
    if (call.global_once) {
      lines.push_back(copy_of(call, call.global_text, call.old_global));
      if (!new_global) edits.push_back({call.global, call.old_global});
    }
    if (call.local_once) {
      lines.push_back(copy_of(call, call.local_text, call.old_local));
      if (!new_local) edits.push_back({call.local, call.old_local});
    }
    std::string written;
    if (new_local) {
      if (auto in_place = local_in_place(call, *sizes)) {
        edits.push_back(std::move(*in_place));
      } else {
        const std::string name = fresh("hone_local", taken_);
        lines.push_back(declaration(call, name, sizes->local));
        written += lines.back();
        // What is left out is added behind the global size, which may be replaced itself.
        if (!call.local_is_absent) edits.push_back({call.local, name});
        added_ = call.local_is_absent ? ", " + name : "";
      }
    } else if (shape_.local.empty() && !call.local_is_null) {
      edits.push_back({call.local, call.null_text});
    }
    if (new_global) {
      const std::string name = fresh("hone_global", taken_);
      lines.push_back(declaration(call, name, sizes->global));
      written += lines.back();
      edits.push_back({call.global, name + added_});
    } else if (!added_.empty()) {
      edits.push_back({call.global, (call.global_once ? call.old_global : call.global_text) + added_});
    }
    // Computed as before, whether the new sizes are made of it or not.
    for (const auto& [once, changed, name] :
         {std::tuple(call.global_once, new_global, call.old_global), {call.local_once, new_local, call.old_local}})
      if (once && changed && !names_in(written).contains(name)) lines.push_back(fmt::format("(void){};", name));
    if (!lines.empty()) {
      auto before = put_before(file_, statement, lines);
      edits.insert(edits.end(), before.begin(), before.end());
    }
    return edits;
  }

  /// Not when a new size is made from the old ones.
  std::optional<Edit> local_in_place(const LaunchCall& call, const Sizes& sizes) const {
    if (call.dialect != LaunchCall::Dialect::Arrays) return std::nullopt;
    const auto use = only_use(file_, call.local_text);
    if (!use || (!use->is_array && sizes.local.size() != 1)) return std::nullopt;
    const std::string name = call.local_text.substr(use->is_array ? 0 : 1);
    for (const auto* texts : {&sizes.global, &sizes.local})
      for (const auto& text : *texts)
        if (names_in(text).contains(name)) return std::nullopt;
    return Edit{use->value, use->is_array ? "{" + join(sizes.local, ", ") + "}" : sizes.local.front()};
  }

  /// Local sizes of 1 divide everything.
  bool rounding_is_known() const {
    return std::all_of(shape_.local.begin(), shape_.local.end(),
                       [](const Expression& size) { return size.print() == "1"; });
  }

  /// CUDA and HIP count groups: the grid is the rounded global size divided by the block.
  Result<std::vector<Edit>> chevrons(LaunchCall& call, const Statement& statement) {
    if (shape_.local.empty()) return fail("E-LAUNCHSITE", "a <<<grid, block>>> launch needs a block size");
    const std::string old_grid = fresh("hone_old_grid", taken_);
    const std::string old_block = fresh("hone_old_block", taken_);
    const auto text = [&](ByteRange range) { return file_.substr(range.begin, range.end - range.begin); };
    std::vector<std::string> lines = {
        fmt::format("const dim3 {} = {}, {} = {};", old_grid, text(call.global), old_block, text(call.local))};
    call.old_global = old_grid;
    call.old_local = old_block;
    std::vector<std::string> grid;
    std::vector<std::string> block;
    for (std::size_t i = 0; i < shape_.global.size(); ++i) {
      auto groups = host_expression(Expression::call("ceil_div", {shape_.global[i], shape_.local[i]}), names(call));
      auto local = host_expression(shape_.local[i], names(call));
      if (!groups) return fail(std::move(groups).error());
      if (!local) return fail(std::move(local).error());
      grid.push_back(std::move(*groups));
      block.push_back(std::move(*local));
    }
    const std::string new_grid = fresh("hone_grid", taken_);
    const std::string new_block = fresh("hone_block", taken_);
    lines.push_back(fmt::format("const dim3 {}({});", new_block, join(block, ", ")));
    lines.push_back(fmt::format("const dim3 {}({});", new_grid, join(grid, ", ")));
    std::vector<Edit> edits = {{call.global, new_grid}, {call.local, new_block}};
    auto before = put_before(file_, statement, lines);
    edits.insert(edits.end(), before.begin(), before.end());
    return edits;
  }

  const LaunchShape& shape_;
  const LaunchSite& site_;
  const std::string& file_;
  std::string added_;  // behind the global size
  std::set<std::string>& taken_;
  std::set<std::size_t>& changed_;  // sizes that are already changed: two calls may be given the same ones
};

std::string where(const LaunchSite& site, const Files& files) {
  const auto file = files.find(site.file);
  return file == files.end() ? site.file : fmt::format("{}:{}", site.file, line_of(file->second, site.call.begin));
}

Status usable(const LaunchSite& site, const Origin& origin, const Files& files) {
  if (!files.contains(site.file)) return fail("E-LAUNCHSITE", site.file + " is not among the application's files");
  if (site.global.empty())
    return fail("E-LAUNCHSITE", where(site, files) + ": the sizes of this launch could not be followed");
  for (const auto& other : origin.launches)
    if (other.kernel != site.kernel && other.file == site.file && other.call == site.call)
      return fail("E-LAUNCHSITE", fmt::format("{}: this call launches {} too", where(site, files), other.kernel));
  return {};
}

}  // namespace

bool keeps_geometry(const LaunchShape& shape) {
  return all_original(shape.global, "global") && all_original(shape.local, "local") && !shape.local.empty();
}

Result<FileEdits> splice_launches(const std::vector<LaunchShape>& shapes, const Origin& origin, const Files& files) {
  FileEdits edits;
  std::map<std::string, std::set<std::string>> taken;
  std::map<std::string, std::set<std::size_t>> changed;
  for (const auto& shape : shapes) {
    if (keeps_geometry(shape)) continue;
    bool found = false;
    for (const auto& site : origin.launches) {
      if (site.kernel != shape.kernel) continue;
      found = true;
      if (auto status = usable(site, origin, files); !status) return fail(std::move(status).error());
      const std::string& file = files.at(site.file);
      auto& names = taken.try_emplace(site.file, names_in(file)).first->second;
      auto spliced = SiteSplice(shape, site, file, names, changed[site.file]).run();
      if (!spliced) return fail(std::move(spliced).error().context(where(site, files)));
      auto& of_file = edits[site.file];
      of_file.insert(of_file.end(), spliced->begin(), spliced->end());
    }
    if (!found) return fail("E-LAUNCHSITE", fmt::format("no launch of {} was found in the application", shape.kernel));
  }
  return edits;
}

}  // namespace hone::patch
