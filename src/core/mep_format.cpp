// mep.toml. Reading and writing stand side by side so that a key cannot be added to one and forgotten in the other.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/format.hpp"
#include "core/launch_walk.hpp"
#include "core/provenance_text.hpp"
#include "core/toml_reader.hpp"

namespace hone {
namespace {

struct ArgumentKey {
  ArgumentSpec::Kind kind;
  std::string_view key;
};
constexpr ArgumentKey argument_keys[] = {
    {ArgumentSpec::Kind::Buffer, "buffer"},   {ArgumentSpec::Kind::Scalar, "scalar"},
    {ArgumentSpec::Kind::Local, "local"},     {ArgumentSpec::Kind::Image, "image"},
    {ArgumentSpec::Kind::Sampler, "sampler"}, {ArgumentSpec::Kind::Struct, "struct"}};

struct AccessName {
  Access access;
  std::string_view name;
};
constexpr AccessName access_names[] = {
    {Access::Read, "read"}, {Access::Write, "write"}, {Access::ReadWrite, "readwrite"}};

ArgumentSpec read_argument(const toml::table& node, const std::string& where, TomlFaults& faults) {
  TomlTable table(node, "an argument of " + where, faults);
  ArgumentSpec out;
  out.name = table.text("name");
  int kinds = 0;
  for (const auto& [kind, key] : argument_keys) {
    if (!table.has(key)) continue;
    out.kind = kind;
    out.type = table.text(key);
    ++kinds;
  }
  if (kinds != 1) table.fault("name", "needs exactly one of buffer, scalar, local, image, sampler, struct");
  const auto access = table.text("access", false);
  const auto* found = std::ranges::find(access_names, access, &AccessName::name);
  if (found != std::end(access_names))
    out.access = found->access;
  else if (!access.empty())
    table.fault("access", "is read, write or readwrite");
  return out;
}

std::string write(const ArgumentSpec& a) {
  const auto* key = std::ranges::find(argument_keys, a.kind, &ArgumentKey::kind);
  const auto* access = std::ranges::find(access_names, a.access, &AccessName::access);
  std::string out = fmt::format("{{ name = {}, {} = {}", toml_quote(a.name), key->key, toml_quote(a.type));
  if (a.kind == ArgumentSpec::Kind::Buffer || a.kind == ArgumentSpec::Kind::Image || a.access != Access::Read)
    out += fmt::format(", access = \"{}\"", access->name);
  return out + " }";
}

/// "seen main.c:57"; stated when the key is absent.
Provenance read_provenance(TomlTable& table, std::string_view key) {
  if (!table.has(key)) return stated();
  if (const auto known = provenance_from(table.text(key))) return *known;
  table.fault(key, "begins with seen, inferred, guessed or set");
  return stated();
}

std::map<std::string, Provenance> read_provenances(const toml::table* node, const std::string& where,
                                                   TomlFaults& faults) {
  std::map<std::string, Provenance> out;
  if (node == nullptr) return out;
  TomlTable table(*node, where, faults);
  for (const auto& name : table.all_keys()) out[name] = read_provenance(table, name);
  return out;
}

/// `, key = "guessed"`; nothing for what was stated, which needs no label.
std::string write_from(const Provenance& from, std::string_view separator, std::string_view key = "from") {
  return from == stated() ? std::string() : fmt::format("{}{} = {}", separator, key, toml_quote(print(from)));
}

std::string write_provenances(const std::map<std::string, Provenance>& all) {
  std::vector<std::string> parts;
  for (const auto& [name, from] : all) parts.push_back(toml_key(name) + " = " + toml_quote(print(from)));
  return "{ " + join(parts, ", ") + " }";
}

std::map<std::string, Binding> read_bindings(const toml::table* node, const std::string& where, TomlFaults& faults) {
  std::map<std::string, Binding> out;
  if (node == nullptr) return out;
  TomlTable table(*node, "the arguments of " + where, faults);
  for (const auto& name : table.all_keys()) {
    Binding binding;
    if (const auto* fields = node->get(name)->as_table()) {
      TomlTable inner(*fields, "argument " + name, faults);
      for (const auto& field : inner.all_keys()) binding.fields[field] = inner.expression(field);
    } else {
      binding.value = table.expression(name);
    }
    out[name] = std::move(binding);
  }
  return out;
}

std::vector<LaunchStep> read_steps(TomlTable& table, TomlFaults& faults);

/// Between backquotes where the name is a word of the language.
std::string loop_variable(std::string_view text) {
  const auto name = trim(text);
  const bool quoted = name.size() > 2 && name.front() == '`' && name.back() == '`';
  return std::string(quoted ? name.substr(1, name.size() - 2) : name);
}

LaunchStep read_step(const toml::table& node, TomlFaults& faults) {
  TomlTable table(node, "a launch", faults);
  if (table.has("loop")) {
    LaunchLoop loop;
    const auto text = table.text("loop");
    const auto in = text.find(" in "), dots = text.find("..");
    auto begin = in == std::string::npos || dots == std::string::npos
                     ? Result<Expression>(fail("E-FORMAT", ""))
                     : Expression::parse(text.substr(in + 4, dots - in - 4));
    auto end = begin ? Expression::parse(text.substr(dots + 2)) : Result<Expression>(fail("E-FORMAT", ""));
    if (begin && end)
      loop = {loop_variable(text.substr(0, in)), *begin, *end, {}};
    else
      table.fault("loop", "is written \"k in 0..n\" (n excluded)");
    loop.body = read_steps(table, faults);
    return loop;
  }
  Launch launch;
  launch.kernel = table.text("kernel");
  launch.arguments = read_bindings(table.table("arguments"), "launch " + launch.kernel, faults);
  launch.global = table.expressions("global");
  launch.local = table.expressions("local");
  launch.offset = table.expressions("offset");
  launch.sizes = read_provenance(table, "from");
  for (const auto& [name, from] : read_provenances(table.table("arguments_from"), "arguments_from", faults)) {
    const auto bound = launch.arguments.find(name);
    if (bound == launch.arguments.end())
      table.fault("arguments_from", "names no argument of this launch: " + name);
    else
      bound->second.from = from;
  }
  if (launch.global.empty()) table.fault("global", "needs one to three sizes");
  return launch;
}

std::vector<LaunchStep> read_steps(TomlTable& table, TomlFaults& faults) {
  std::vector<LaunchStep> out;
  for (const auto* node : table.tables("launches")) out.push_back(read_step(*node, faults));
  return out;
}

std::string write_list(const std::vector<Expression>& expressions) {
  std::vector<std::string> parts;
  for (const auto& e : expressions) parts.push_back(toml_quote(e.print()));
  return "[" + join(parts, ", ") + "]";
}

std::string write(const Binding& binding) {
  if (binding.fields.empty()) return toml_quote(binding.value.print());
  std::vector<std::string> parts;
  for (const auto& [name, e] : binding.fields)
    parts.push_back(fmt::format("{} = {}", toml_quote(name), toml_quote(e.print())));
  return "{ " + join(parts, ", ") + " }";
}

std::string write(const LaunchStep& step, const std::string& indent) {
  if (const auto* loop = std::get_if<LaunchLoop>(&step)) {
    std::string out =
        fmt::format("{}{{ loop = {}, launches = [\n", indent,
                    toml_quote(print_name(loop->variable) + " in " + loop->begin.print() + ".." + loop->end.print()));
    for (const auto& inner : loop->body) out += write(inner, indent + "  ") + ",\n";
    return out + indent + "] }";
  }
  const auto& launch = std::get<Launch>(step);
  std::vector<std::string> arguments;
  for (const auto& [name, binding] : launch.arguments) arguments.push_back(toml_key(name) + " = " + write(binding));
  std::string out = fmt::format("{}{{ kernel = {}, arguments = {{ {} }}, global = {}", indent,
                                toml_quote(launch.kernel), join(arguments, ", "), write_list(launch.global));
  if (!launch.local.empty()) out += ", local = " + write_list(launch.local);
  if (!launch.offset.empty()) out += ", offset = " + write_list(launch.offset);
  out += write_from(launch.sizes, ", ");
  std::map<std::string, Provenance> bound;
  for (const auto& [name, binding] : launch.arguments)
    if (binding.from != stated()) bound[name] = binding.from;
  if (!bound.empty()) out += ", arguments_from = " + write_provenances(bound);
  return out + " }";
}

Workload read_workload(const toml::table& node, TomlFaults& faults) {
  TomlTable table(node, "[[workload]]", faults);
  Workload out;
  out.name = table.text("name");
  const auto role = table.text("role");
  const Role roles[] = {Role::Tune, Role::HeldOut, Role::Awkward};
  const auto* found = std::ranges::find(roles, role, [](Role r) { return name_of(r); });
  if (found != std::end(roles))
    out.role = *found;
  else
    table.fault("role", "is tune, held-out or awkward");
  if (const auto* scalars = table.table("scalars")) {
    TomlTable values(*scalars, "scalars", faults);
    for (const auto& name : values.all_keys())
      if (auto v = values.value(name)) out.scalars[name] = *v;
  }
  out.from = read_provenances(table.table("scalars_from"), "scalars_from", faults);
  out.launches = read_steps(table, faults);
  if (out.launches.empty()) table.fault("launches", "at least one launch is needed");
  return out;
}

std::string write(const Workload& w) {
  std::vector<std::string> scalars;
  for (const auto& [name, value] : w.scalars) {
    const auto* text = std::get_if<std::string>(&value);
    scalars.push_back(toml_key(name) + " = " + (text != nullptr ? toml_quote(*text) : print(value)));
  }
  std::string out = fmt::format("\n[[workload]]\nname = {}\nrole = \"{}\"\nscalars = {{ {} }}\n{}launches = [\n",
                                toml_quote(w.name), name_of(w.role), join(scalars, ", "),
                                w.from.empty() ? "" : "scalars_from = " + write_provenances(w.from) + "\n");
  for (const auto& step : w.launches) out += write(step, "  ") + ",\n";
  return out + "]\n";
}

Fidelity read_fidelity(const toml::table& node, TomlFaults& faults) {
  TomlTable table(node, "fidelity", faults);
  Fidelity out;
  const auto values = table.text("values");
  if (values.size() == 1 && values[0] >= 'A' && values[0] <= 'D')
    out.values = values[0];
  else
    table.fault("values", "is one of A, B, C, D");
  const auto parts = split(table.text("mutants", false), '/');
  try {
    if (parts.size() == 2)
      out.mutants_killed = std::stoi(parts[0]), out.mutants_total = std::stoi(parts[1]);
    else if (table.has("mutants"))
      table.fault("mutants", "is written \"46/52\"");
  } catch (const std::exception&) {
    table.fault("mutants", "is written \"46/52\"");
  }
  out.reasons = table.texts("reasons");
  return out;
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::vector<std::string> parts;
  for (const auto& item : items) parts.push_back(toml_quote(item));
  return "[" + join(parts, ", ") + "]";
}

void read_data(TomlTable& root, Mep& mep, TomlFaults& faults) {
  for (const auto* node : root.tables("struct")) {
    TomlTable table(*node, "[[struct]]", faults);
    StructSpec out{table.text("name"), {}, false, 0};
    out.packed = table.boolean("packed").value_or(false);
    out.alignment = static_cast<std::size_t>(std::max<std::int64_t>(table.integer("align").value_or(0), 0));
    for (const auto* field : table.tables("fields")) {
      TomlTable f(*field, "a field of " + out.name, faults);
      out.fields.push_back({f.text("name"), f.text("type"), static_cast<std::size_t>(f.integer("count").value_or(1))});
    }
    mep.structs.push_back(std::move(out));
  }
  for (const auto* node : root.tables("buffer")) {
    TomlTable t(*node, "[[buffer]]", faults);
    mep.buffers.push_back(
        {t.text("name"), t.text("type"), t.expression("extent"), t.text("fill"), read_provenance(t, "from")});
  }
  for (const auto* node : root.tables("image")) {
    TomlTable t(*node, "[[image]]", faults);
    ImageSpec image{t.text("name"),         t.text("channel_order"), t.text("channel_type"),    t.expression("width"),
                    t.expression("height"), t.text("fill"),          read_provenance(t, "from")};
    if (t.has("kind")) image.kind = t.text("kind");
    if (std::ranges::find(image_kinds(), image.kind) == image_kinds().end())
      t.fault("kind", "is one of " + join(image_kinds(), ", "));
    if (t.has("depth")) image.depth = t.expression("depth");
    mep.images.push_back(std::move(image));
  }
  for (const auto* node : root.tables("kernel")) {
    TomlTable t(*node, "[[kernel]]", faults);
    KernelSpec kernel{t.text("name"), {}};
    for (const auto* argument : t.tables("arguments"))
      kernel.arguments.push_back(read_argument(*argument, kernel.name, faults));
    mep.kernels.push_back(std::move(kernel));
  }
}

std::string write_from_line(const Provenance& from) {
  const auto text = write_from(from, "");
  return text.empty() ? text : text + "\n";
}

std::string write_data(const Mep& mep) {
  std::string out;
  for (const auto& s : mep.structs) {
    out +=
        fmt::format("\n[[struct]]\nname = {}\n{}{}fields = [\n", toml_quote(s.name), s.packed ? "packed = true\n" : "",
                    s.alignment > 0 ? fmt::format("align = {}\n", s.alignment) : "");
    for (const auto& f : s.fields)
      out +=
          fmt::format("  {{ name = {}, type = {}, count = {} }},\n", toml_quote(f.name), toml_quote(f.type), f.count);
    out += "]\n";
  }
  for (const auto& b : mep.buffers)
    out += fmt::format("\n[[buffer]]\nname = {}\ntype = {}\nextent = {}\nfill = {}\n{}", toml_quote(b.name),
                       toml_quote(b.type), toml_quote(b.extent.print()), toml_quote(b.fill), write_from_line(b.from));
  for (const auto& i : mep.images) {
    const auto kind = i.kind == "2d" ? std::string() : fmt::format("kind = {}\n", toml_quote(i.kind));
    const auto depth =
        i.depth.print() == "1" ? std::string() : fmt::format("depth = {}\n", toml_quote(i.depth.print()));
    out += fmt::format(
        "\n[[image]]\nname = {}\n{}channel_order = {}\nchannel_type = {}\nwidth = {}\nheight = {}\n{}fill = {}\n{}",
        toml_quote(i.name), kind, toml_quote(i.channel_order), toml_quote(i.channel_type), toml_quote(i.width.print()),
        toml_quote(i.height.print()), depth, toml_quote(i.fill), write_from_line(i.from));
  }
  for (const auto& k : mep.kernels) {
    out += fmt::format("\n[[kernel]]\nname = {}\narguments = [\n", toml_quote(k.name));
    for (const auto& a : k.arguments) out += "  " + write(a) + ",\n";
    out += "]\n";
  }
  return out;
}

/// Format 1 did not say what was guessed. Where the values were inferred or stubbed, a pointer that is bound to a
/// buffer of its own name is what a guess looked like.
void doubt_what_looks_guessed(Mep& mep) {
  if (mep.fidelity.values != 'D' && mep.fidelity.reasons.empty()) return;
  if (mep.fidelity.values == 'A' || mep.fidelity.values == 'B') return;
  for (auto& workload : mep.workloads)
    each_launch(workload.launches, [&](Launch& launch) {
      const auto* spec = find_kernel(mep, launch.kernel);
      for (const auto& argument : spec == nullptr ? std::vector<ArgumentSpec>{} : spec->arguments) {
        const auto bound = launch.arguments.find(argument.name);
        if (bound == launch.arguments.end() || argument.kind != ArgumentSpec::Kind::Buffer) continue;
        if (bound->second.value == Expression::name(argument.name))
          bound->second.from = {Provenance::Kind::Guessed, {}};
      }
    });
}

Mep read_mep(const toml::table& node, TomlFaults& faults) {
  TomlTable root(node, "the MEP", faults);
  Mep mep;
  const auto format = root.integer("format").value_or(1);
  if (format != 1 && format != 2) root.fault("format", "must be 1 or 2; this version reads no other");
  mep.name = root.text("name");
  const auto language = root.text("language");
  if (const auto known = language_named(language))
    mep.language = *known;
  else
    root.fault("language", "is opencl, cuda or hip");
  mep.options = root.texts("options");
  mep.defines = read_provenances(root.table("options_from"), "options_from", faults);
  mep.contract = root.expressions("contract");
  if (const auto* fidelity = root.table("fidelity")) mep.fidelity = read_fidelity(*fidelity, faults);
  read_data(root, mep, faults);
  for (const auto* workload : root.tables("workload")) mep.workloads.push_back(read_workload(*workload, faults));
  if (const auto* check = root.table("check")) {
    TomlTable table(*check, "[check]", faults);
    mep.check.relative = table.real("relative");
    mep.check.tolerance = table.real("tolerance");
    mep.check.unordered = table.texts("unordered");
    if (mep.check.tolerance && !(*mep.check.tolerance >= 0)) table.fault("tolerance", "is not negative");
  }
  if (format == 1) doubt_what_looks_guessed(mep);
  if (mep.kernels.empty()) root.fault("kernel", "at least one [[kernel]] is needed");
  if (mep.workloads.empty()) root.fault("workload", "at least one [[workload]] is needed");
  return mep;
}

}  // namespace

Result<Mep> mep_from_toml(const std::string& text, const std::string& file) {
  TomlFaults faults(file);
  try {
    const auto node = toml::parse(text, file);
    auto mep = read_mep(node, faults);
    if (faults.first()) return fail(*faults.first());
    return mep;
  } catch (const toml::parse_error& e) {
    return fail("E-FORMAT", fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
}

std::string to_toml(const Mep& mep) {
  std::string out =
      fmt::format("format = 2\nname = {}\nlanguage = \"{}\"\n", toml_quote(mep.name), name_of(mep.language));
  const auto& f = mep.fidelity;
  const auto mutants =
      f.mutants_total == 0 ? std::string() : fmt::format(" mutants = \"{}/{}\",", f.mutants_killed, f.mutants_total);
  out += fmt::format("fidelity = {{ values = \"{}\",{} reasons = {} }}\n", f.values, mutants, quoted_list(f.reasons));
  out += "contract = " + write_list(mep.contract) + "\n";
  if (!mep.options.empty()) out += "options = " + quoted_list(mep.options) + "\n";
  if (!mep.defines.empty()) out += "options_from = " + write_provenances(mep.defines) + "\n";
  out += write_data(mep);
  for (const auto& workload : mep.workloads) out += write(workload);
  if (mep.check.relative || mep.check.tolerance || !mep.check.unordered.empty()) out += "\n[check]\n";
  if (mep.check.relative) out += fmt::format("relative = {}\n", print(Value(*mep.check.relative)));
  if (mep.check.tolerance) out += fmt::format("tolerance = {}\n", print(Value(*mep.check.tolerance)));
  if (!mep.check.unordered.empty()) out += "unordered = " + quoted_list(mep.check.unordered) + "\n";
  return out;
}

Result<Mep> mep_from_files(const Files& files, const std::string& folder) {
  const auto manifest = files.find("mep.toml");
  if (manifest == files.end())
    return fail("E-FORMAT", folder + " has no mep.toml, so it is not a MEP", "hone extract DIR --kernel NAME -o X.mep");
  auto mep = mep_from_toml(manifest->second, folder + "/mep.toml");
  if (!mep) return mep;
  const auto name = "kernel" + std::string(source_extension(mep->language));
  const auto source = files.find(name);
  if (source == files.end()) return fail("E-FORMAT", folder + " has no " + name);
  mep->source = source->second;
  return mep;
}

Files to_files(const Mep& mep) {
  return {{"mep.toml", to_toml(mep)}, {"kernel" + std::string(source_extension(mep.language)), mep.source}};
}

}  // namespace hone
