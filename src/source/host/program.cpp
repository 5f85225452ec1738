#include "source/host/program.hpp"

#include <algorithm>
#include <set>

#include "source/host/api/table.hpp"

namespace hone::host {
namespace {

std::string last_part(const std::string& name) {
  const auto cut = name.rfind("::");
  return cut == std::string::npos ? name : name.substr(cut + 2);
}

bool is_row(const Unit& unit, const Node& node, bool launches_only) {
  if (node.kind == Kind::Launch) return true;
  const bool called = node.kind == Kind::Call || node.kind == Kind::MethodCall || node.kind == Kind::Construct ||
                      node.kind == Kind::CallValue || node.kind == Kind::Operator;
  if (node.kind == Kind::Opaque && !node.text.empty()) return names_api(node.text, launches_only);
  if (!called) return false;
  if (node.kind == Kind::Operator) {  // f(EnqueueArgs(...), ...)
    if (node.text != "()" || node.function < 0) return false;
    const auto& of = unit.functions[static_cast<std::size_t>(node.function)].record;
    return of.starts_with("cl::KernelFunctor") || of.find("::make_kernel") != std::string::npos ||
           of.find("functionImplementation_") != std::string::npos;
  }
  const auto* row = find_row(node.kind, node.text);
  return row != nullptr && (!launches_only || row->launches);
}

}  // namespace

Program::Program(std::vector<Unit> units) : units_(std::move(units)) {
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(units_.size()); ++u) {
    const auto& unit = units_[static_cast<std::size_t>(u)];
    for (std::int32_t f = 0; f < static_cast<std::int32_t>(unit.functions.size()); ++f) {
      const auto& function = unit.functions[static_cast<std::size_t>(f)];
      if (!function.has_body) continue;
      by_key_[function.key].push_back({u, f});
      by_name_[last_part(function.name)].push_back({u, f});
    }
    for (std::size_t r = 0; r < unit.records.size(); ++r) records_.try_emplace(unit.records[r].name, u, r);
    for (std::size_t g = 0; g < unit.globals.size(); ++g) {
      const auto& decl = unit.decls[static_cast<std::size_t>(unit.globals[g].decl)];
      globals_[decl.key].emplace_back(u, g);
    }
  }
  find_pointed();
  mark_reaching();
}

std::size_t Program::nearness(std::int32_t from, std::int32_t to) const {
  if (from == to) return 1U << 20U;
  const auto& a = unit(from).files[0];
  const auto& b = unit(to).files[0];
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  return static_cast<std::size_t>(std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(same), '/')) + 1;
}

FunctionRef Program::definition(std::int32_t u, std::int32_t f) const {
  if (u < 0 || f < 0) return {};
  const auto& wanted = unit(u).functions[static_cast<std::size_t>(f)];
  if (wanted.has_body) return {u, f};
  const auto found = by_key_.find(wanted.key);
  FunctionRef best;
  std::size_t near = 0;
  const auto consider = [&](const std::vector<FunctionRef>& all, bool by_name_only) {
    for (const auto& ref : all) {
      const auto& candidate = function(ref);
      if (candidate.is_static && ref.unit != u) continue;
      if (by_name_only && (candidate.is_template || candidate.record != wanted.record || candidate.name != wanted.name))
        continue;
      if (const auto n = nearness(u, ref.unit); n > near) {
        near = n;
        best = ref;
      }
    }
  };
  if (found != by_key_.end()) consider(found->second, false);
  if (!best.found() && wanted.name.rfind("std::", 0) != 0) {
    const auto named = by_name_.find(last_part(wanted.name));
    if (named != by_name_.end()) consider(named->second, true);
  }
  return best;
}

FunctionRef Program::by_name(std::int32_t u, const std::string& name, std::size_t arguments) const {
  const auto found = by_name_.find(last_part(name));
  if (found == by_name_.end()) return {};
  FunctionRef best;
  std::size_t near = 0;
  for (const auto& ref : found->second) {
    const auto& candidate = function(ref);
    const bool fits = candidate.parameters.size() == arguments ||
                      (candidate.has_pack && arguments + 1 >= candidate.parameters.size());
    if (!fits || (candidate.is_static && ref.unit != u)) continue;
    const auto n = 2 * nearness(u, ref.unit) + (candidate.has_pack ? 0 : 1);
    if (n > near) {
      near = n;
      best = ref;
    }
  }
  return best;
}

FunctionRef Program::method(const std::string& of, const std::string& name, std::size_t arguments) const {
  std::string at = of;
  for (int depth = 0; depth < 8; ++depth) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) {
      for (const auto& ref : found->second) {
        const auto& candidate = function(ref);
        const bool fits = candidate.parameters.size() == arguments || candidate.has_pack;
        if (candidate.record == at && fits) return ref;
      }
    }
    const auto* known = record(at);
    if (known == nullptr || known->bases.empty()) break;
    at = known->bases.front();
  }
  return {};
}

const Record* Program::record(const std::string& name, std::int32_t* u) const {
  const auto found = records_.find(name);
  if (found == records_.end()) return nullptr;
  if (u != nullptr) *u = found->second.first;
  return &unit(found->second.first).records[found->second.second];
}

std::pair<std::int32_t, const Node*> Program::global(std::int32_t u, const std::string& key) const {
  const auto found = globals_.find(key);
  if (found == globals_.end()) return {-1, nullptr};
  std::pair<std::int32_t, const Node*> best{-1, nullptr};
  std::size_t near = 0;
  for (const auto& [in, index] : found->second) {
    const auto& node = unit(in).globals[index];
    const auto n = nearness(u, in) * 2 + (node.parts.empty() ? 0 : 1);
    if (n > near) {
      near = n;
      best = {in, &node};
    }
  }
  return best;
}

/// `struct backend gpu = { open_gpu, launch_gpu }`: who calls through a pointer may come there.
void Program::find_pointed() {
  const auto note = [&](const auto& self, std::int32_t u, const Node& node) -> void {
    if (node.kind == Kind::FunctionName && node.function >= 0) {
      if (const auto ref = definition(u, node.function); ref.found()) pointed_.push_back(ref);
    }
    for (const auto& part : node.parts) self(self, u, part);
  };
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(units_.size()); ++u)
    for (const auto& global : unit(u).globals) note(note, u, global);
}

std::set<std::string> Program::kernels_made_into(std::int32_t u, const Node& target) const {
  if (!made_kernels_) made_kernels_.emplace(units_);
  return made_kernels_->into(unit(u), target);
}

bool Program::walk(std::int32_t u, const Node& node, bool launches_only) const {
  auto& memo = launches_only ? launches_memo_ : matters_memo_;
  const auto& marked = launches_only ? launching_ : mattering_;
  if (const auto found = memo.find(&node); found != memo.end()) return found->second;
  bool out = is_row(unit(u), node, launches_only);
  const auto is_marked = [&](FunctionRef ref) {
    const auto found = marked.find(ref);
    return found != marked.end() && found->second;
  };
  if (!out && node.function >= 0 && node.kind != Kind::FunctionName) {
    const auto ref = definition(u, node.function);
    out = ref.found() && is_marked(ref);
    if (!out && !ref.found() && node.kind == Kind::MethodCall) {  // virtual: any override
      const auto found = by_name_.find(node.text);
      if (found != by_name_.end())
        out = std::ranges::any_of(found->second, [&](FunctionRef r) { return function(r).is_method && is_marked(r); });
    }
  } else if (!out && (node.kind == Kind::Call || node.kind == Kind::MethodCall)) {
    const auto ref = by_name(u, node.text, node.parts.size() - (node.kind == Kind::MethodCall ? 1 : 0));
    out = ref.found() && is_marked(ref);
  } else if (!out && (node.kind == Kind::FunctionName || node.kind == Kind::Lambda) && node.function >= 0) {
    const auto ref = definition(u, node.function);
    out = ref.found() && is_marked(ref);
  }
  const bool by_pointer = node.kind == Kind::CallValue || (node.kind == Kind::MethodCall && node.function < 0);
  if (!out && by_pointer) out = std::ranges::any_of(pointed_, is_marked);
  for (const auto& part : node.parts) {
    if (out) break;
    out = walk(u, part, launches_only);
  }
  memo[&node] = out;
  return out;
}

void Program::mark_reaching() {
  for (const bool launches_only : {true, false}) {
    auto& marked = launches_only ? launching_ : mattering_;
    auto& memo = launches_only ? launches_memo_ : matters_memo_;
    for (bool grew = true; grew;) {
      grew = false;
      memo.clear();
      for (std::int32_t u = 0; u < static_cast<std::int32_t>(units_.size()); ++u) {
        const auto& unit = units_[static_cast<std::size_t>(u)];
        for (std::int32_t f = 0; f < static_cast<std::int32_t>(unit.functions.size()); ++f) {
          const auto& function = unit.functions[static_cast<std::size_t>(f)];
          if (!function.has_body || function.is_kernel || marked[{u, f}]) continue;
          bool reaches = walk(u, function.body, launches_only);
          for (const auto& one : function.initializers) reaches = reaches || walk(u, one, launches_only);
          if (reaches) grew = marked[{u, f}] = true;
        }
      }
    }
    memo.clear();
  }
}

bool Program::launches(std::int32_t u, const Node& node) const { return walk(u, node, true); }
bool Program::matters(std::int32_t u, const Node& node) const { return walk(u, node, false); }

std::vector<FunctionRef> Program::roots() const {
  // A function of a header is one function, however many units have it; two programs of a tree may each define theirs.
  std::set<std::string> called;
  const auto identity = [&](FunctionRef ref) {
    const auto& place = function(ref).place;
    const auto where =
        place.file < 0 ? std::to_string(ref.unit)
                       : unit(ref.unit).files[static_cast<std::size_t>(place.file)] + ":" + std::to_string(place.line);
    return function(ref).key + "@" + where;
  };
  const auto note = [&](const auto& self, std::int32_t u, FunctionRef within, const Node& node) -> void {
    if (node.function >= 0) {
      const auto ref = definition(u, node.function);
      if (ref.found() && ref != within) called.insert(identity(ref));
    }
    for (const auto& part : node.parts) self(self, u, within, part);
  };
  std::vector<FunctionRef> mains, others;
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(units_.size()); ++u) {
    const auto& unit = units_[static_cast<std::size_t>(u)];
    for (std::int32_t f = 0; f < static_cast<std::int32_t>(unit.functions.size()); ++f) {
      const auto& function = unit.functions[static_cast<std::size_t>(f)];
      if (function.has_body) note(note, u, {u, f}, function.body);
      for (const auto& one : function.initializers) note(note, u, {u, f}, one);
    }
  }
  const bool has_main = std::ranges::any_of(
      launching_, [&](const auto& one) { return one.second && function(one.first).name == "main"; });
  if (has_main)
    for (const auto& ref : pointed_) called.insert(identity(ref));
  for (const auto& [ref, reaches] : launching_) {
    if (!reaches) continue;
    const auto& f = function(ref);
    if (f.name == "main") {
      mains.push_back(ref);
    } else if (!f.is_template && called.insert(identity(ref)).second) {
      others.push_back(ref);
    }
  }
  // Who builds programs and launches nothing that is seen: for the options.
  const auto builds = [](const auto& self, const Node& node) -> bool {
    if ((node.kind == Kind::Call || node.kind == Kind::Opaque) && node.text.find("clBuildProgram") != std::string::npos)
      return true;
    return std::ranges::any_of(node.parts, [&](const Node& part) { return self(self, part); });
  };
  for (const auto& [ref, reaches] : mattering_) {
    const auto launches = launching_.find(ref);
    if (!reaches || (launches != launching_.end() && launches->second) || function(ref).is_template) continue;
    if (builds(builds, function(ref).body) && called.insert(identity(ref)).second) others.push_back(ref);
  }
  mains.insert(mains.end(), others.begin(), others.end());
  return mains;
}

}  // namespace hone::host
