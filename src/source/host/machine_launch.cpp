#include <fmt/format.h>

#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;
using ArgumentKind = HostArgument::Kind;

std::string object_name(std::int32_t slot) { return "buffer#" + std::to_string(slot); }

const HostValue* field_of(const HostValue& value, const std::string& name) {
  if (!value.parts) return nullptr;
  const auto found = value.parts->fields.find(name);
  return found == value.parts->fields.end() ? nullptr : &found->second;
}

void add_fields(const HostValue& value, const std::string& prefix, std::map<std::string, Expression>& out, int depth) {
  if (!value.parts || depth > 4) return;
  for (const auto& [name, field] : value.parts->fields) {
    if (field.is(VK::Number)) out.emplace(prefix + name, field.number);
    add_fields(field, prefix + name + ".", out, depth + 1);
  }
  for (const auto& [index, element] : value.parts->elements) {
    if (index > 64) break;
    const auto base = prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1);
    if (element.is(VK::Number)) out.emplace(base + "[" + std::to_string(index) + "]", element.number);
  }
}

}  // namespace

HostValue Machine::kernel_at(const Node& written, const HostValue& value) {
  if (value.is_handle("kernel")) return value;
  const auto made = program_.kernels_made_into(current_unit(), written);
  if (made.size() != 1) return value;
  auto held = record("#kernel");
  auto parts = std::make_shared<Parts>();
  parts->fields["name"] = text(*made.begin());
  parts->fields["program"] = unknown("made on a way that was not run");
  held.parts = std::move(parts);
  auto kernel = handle("kernel", make(std::move(held)));
  if (const auto at = locate(written); at && !at->vague) memory_.store(*at, kernel);
  return kernel;
}

void Machine::set_argument(const HostValue& kernel, std::int64_t index, HostValue argument) {
  if (!kernel.is_handle("kernel") || index < 0 || index > 256) return;
  memory_.store(Location{kernel.at.slot, {}, false}.field("arguments").element(index), std::move(argument));
}

std::vector<HostValue> Machine::sizes_at(const HostValue& value, std::size_t dimensions) {
  std::vector<HostValue> out;
  HostValue held = value;
  if (value.is(VK::Pointer)) {
    const auto whole = memory_.load(value.at);
    const bool one = !whole.parts;
    if (one && !value.at.path.empty() && value.at.path.back().field.empty()) {
      for (std::size_t d = 0; d < dimensions; ++d)
        out.push_back(memory_.load(value.at.moved(static_cast<std::int64_t>(d))));
      return out;
    }
    held = whole;
    if (one) return {held};
  }
  if (held.is(VK::Record) && (held.text == "#range" || held.text == "dim3")) {
    if (held.text == "dim3") {
      for (const auto* axis : {"x", "y", "z"}) {
        if (const auto* size = field_of(held, axis)) out.push_back(*size);
      }
      while (out.size() > 1 && out.back().whole() == 1 && out.back().number.root().kind == Expression::Kind::Literal)
        out.pop_back();
      return out;
    }
    for (const auto& [index, size] : held.parts->elements) out.push_back(size);
    return out;
  }
  if (held.parts) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto found = held.parts->elements.find(static_cast<std::int64_t>(d));
      if (found != held.parts->elements.end()) {
        out.push_back(found->second);
      } else if (held.parts->rest) {
        out.push_back(*held.parts->rest);
      } else {
        out.push_back(unknown("a size that was given no value"));
      }
    }
    return out;
  }
  if (held.is(VK::Number)) out.push_back(held);
  if (held.is(VK::Unknown)) out.push_back(held);
  return out;
}

HostArgument Machine::describe_argument(const HostValue& argument) {
  auto out = describe_held(argument);
  const auto* place = field_of(argument, "place");
  if (place != nullptr && place->is(VK::Unknown)) {  // set at two places, and which of them was not decided
    out.provenance.place.clear();
    out.provenance.kind = std::max(out.provenance.kind, Provenance::Kind::Inferred);
  }
  return out;
}

HostArgument Machine::describe_held(const HostValue& argument) {
  HostArgument out;
  const auto* written = field_of(argument, "text");
  const auto* held = field_of(argument, "value");
  const auto* bytes = field_of(argument, "bytes");
  const auto* place = field_of(argument, "place");
  if (written != nullptr) out.text = written->text;
  out.provenance.place = place != nullptr ? place->text : "";
  if (held == nullptr) {
    out.reason = argument.is(VK::Unknown) ? argument.text : "not followed";
    return out;
  }
  HostValue value = *held;
  const auto* by_address = field_of(argument, "address");
  if (value.is(VK::Null) && by_address != nullptr) {
    out.kind = ArgumentKind::Local;
    if (bytes != nullptr && bytes->is(VK::Number)) {
      out.value = bytes->number;
      out.provenance.kind = bytes->from;
    } else {
      out.kind = ArgumentKind::Unknown;
      out.reason = "bytes of local memory: " + (bytes != nullptr ? print(*bytes) : "not said");
    }
    return out;
  }
  if (value.is_handle("local")) {
    const auto size = memory_.load({value.at.slot, {}, false});
    if (const auto* b = field_of(size, "bytes"); b != nullptr && b->is(VK::Number)) {
      out.kind = ArgumentKind::Local;
      out.value = b->number;
      out.provenance.kind = b->from;
    } else {
      out.reason = "bytes of local memory";
    }
    return out;
  }
  if (value.is_handle("buffer") || value.is_handle("image")) {
    out.kind = value.text == "image" ? ArgumentKind::Image : ArgumentKind::Buffer;
    out.value = Expression::name(object_name(value.at.slot));
    out.provenance.kind = value.from;
    return out;
  }
  if (value.is_handle("sampler")) {
    out.kind = ArgumentKind::Sampler;
    out.value = Expression::literal(hone::Value(memory_.load({value.at.slot, {}, false}).text));
    out.provenance.kind = Provenance::Kind::Seen;
    return out;
  }
  if (value.is(VK::Number)) {
    out.kind = ArgumentKind::Scalar;
    out.value = value.number;
    out.provenance.kind = value.from;
    return out;
  }
  if (value.is(VK::Null)) {
    out.kind = ArgumentKind::Scalar;
    out.value = Expression::literal(hone::Value(std::int64_t{0}));
    out.provenance.kind = Provenance::Kind::Seen;
    return out;
  }
  if (value.is(VK::Record) || value.is(VK::Array)) {
    add_fields(value, "", out.fields, 0);
    out.kind = ArgumentKind::Struct;
    out.provenance.kind = Provenance::Kind::Seen;
    return out;
  }
  out.reason = value.is(VK::Unknown) ? value.text : print(value);
  return out;
}

void Machine::launch(const Node& node, LaunchRequest request) {
  HostLaunch out;
  const auto place = place_of(node);
  if (request.kernel.is_handle("kernel")) {
    const auto held = memory_.load({request.kernel.at.slot, {}, false});
    if (const auto* name = field_of(held, "name"); name != nullptr && name->is(VK::Text))
      request.kernel_name = name->text;
    if (const auto* set = field_of(held, "arguments"); set != nullptr && set->parts) {
      for (const auto& [index, argument] : set->parts->elements)
        request.arguments.try_emplace(static_cast<std::size_t>(index), argument);
    }
  }
  const bool unasked = request.kernel.is_handle("kernel") && request.kernel_name.empty();
  if (unasked) request.kernel = unknown("one of all kernels of a program, by their order, which the runtime decides");
  LaunchSite site;
  site.kernel = request.kernel_name;
  site.function = current_function().name;
  if (const auto cut = site.function.rfind("::");
      cut != std::string::npos && site.function.find('<') == std::string::npos)
    site.function.erase(0, cut + 2);
  if (node.place.file >= 0) site.file = program_.unit(current_unit()).files[static_cast<std::size_t>(node.place.file)];
  site.call = {node.place.begin, node.place.end};
  for (const auto* written : request.written) {
    const bool inside = written->place.file == node.place.file && !written->place.in_macro;
    site.arguments.push_back(inside ? ByteRange{written->place.begin, written->place.end}
                                    : ByteRange{node.place.begin, node.place.begin});
  }
  site.local_is_null = request.local_is_null;
  out.kernel = request.kernel_name;
  out.place = place;
  out.condition = condition_;
  out.local_is_null = request.local_is_null;
  out.sizes = {Provenance::Kind::Seen, place};
  const auto add = [&](const std::vector<HostValue>& from, std::vector<Expression>& to, const char* what) {
    for (std::size_t d = 0; d < from.size(); ++d) {
      if (!from[d].is(VK::Number)) {
        out.reasons.push_back(
            fmt::format("{} size {}: {}", what, d, from[d].is(VK::Unknown) ? from[d].text : print(from[d])));
        to.clear();
        return;
      }
      to.push_back(from[d].number);
      out.sizes.kind = std::max(out.sizes.kind, from[d].from);
    }
  };
  add(request.global, out.global, "global");
  add(request.local, out.local, "local");
  add(request.offset, out.offset, "offset");
  if (request.global.empty()) out.reasons.push_back("global size: not followed");
  const auto* places = request.sizes;
  const auto texts = [&](int position, std::size_t dimensions, std::vector<std::string>& to) {
    if (position < 0 || position >= static_cast<int>(request.written.size()) || dimensions == 0) return;
    const auto text = source_of(*request.written[static_cast<std::size_t>(position)]);
    for (std::size_t d = 0; d < dimensions; ++d)
      to.push_back(text.starts_with("&") && dimensions == 1 ? text.substr(1) : text + "[" + std::to_string(d) + "]");
  };
  if (places != nullptr) {
    texts(places->global, out.global.size(), site.global);
    texts(places->local, out.local.size(), site.local);
  }
  const auto elements = [](const std::string& range, std::size_t dimensions, std::vector<std::string>& to) {
    for (std::size_t d = 0; d < dimensions && !range.empty(); ++d) to.push_back(range + "[" + std::to_string(d) + "]");
  };
  elements(request.global_text, out.global.size(), site.global);
  elements(request.local_text, out.local.size(), site.local);
  if (!request.grid_text.empty() && !out.global.empty() && !out.local.empty()) {
    const auto of_axis = [](const std::string& text, std::size_t dimensions, std::size_t d) {
      return dimensions == 1 ? "(" + text + ")" : text + "." + "xyz"[d];
    };
    for (std::size_t d = 0; d < out.local.size(); ++d)
      site.local.push_back(of_axis(request.block_text, out.local.size(), d));
    for (std::size_t d = 0; d < out.global.size(); ++d)
      site.global.push_back(of_axis(request.grid_text, out.global.size(), d) +
                            (d < site.local.size() ? " * " + site.local[d] : ""));
  }
  if (std::ranges::find(trace_.sites, site) == trace_.sites.end()) trace_.sites.push_back(site);
  trace_.lines.insert(place);
  if (out.kernel.empty()) {
    note(fmt::format(
        "{}: which kernel is launched here could not be followed: {}", place,
        request.kernel.is(VK::Unknown) && !request.kernel.text.empty() ? request.kernel.text : print(request.kernel)));
    return;
  }
  for (const auto& [index, argument] : request.arguments) {
    auto described = describe_argument(argument);
    if (described.kind == ArgumentKind::Unknown) {
      out.reasons.push_back(fmt::format("argument {}: {}", index, described.reason));
      const bool by_host = described.reason.find("read back") != std::string::npos ||
                           (last_read_back_ != 0 && described.reason.find("changed by the loop") != std::string::npos);
      if (by_host)
        trace_.host_steps.push_back(
            fmt::format("{}: the host computes argument {} of {} from results", place, index, out.kernel));
    }
    out.arguments[index] = std::move(described);
  }
  if (request.shared.is(VK::Number) && request.shared.whole() != 0) {  // behind the parameters, as a MEP has it
    HostArgument bytes;
    bytes.kind = ArgumentKind::Local;
    bytes.value = request.shared.number;
    bytes.provenance = {request.shared.from, place};
    out.arguments[request.arguments.size()] = std::move(bytes);
  }
  if (passing_by_ != 0) {  // no run that was followed launches it
    out.sizes.kind = std::max(out.sizes.kind, Provenance::Kind::Inferred);
    for (auto& [index, argument] : out.arguments)
      argument.provenance.kind = std::max(argument.provenance.kind, Provenance::Kind::Inferred);
  }
  Event event;
  event.kind = Event::Kind::Launch;
  event.launch = std::move(out);
  events_->push_back(std::move(event));
}

void Machine::copied_in(const HostValue& to, const HostValue& from, const Node& node) {
  Event event;
  event.kind = Event::Kind::CopyIn;
  if (to.is_handle("buffer") || to.is_handle("image")) event.note = object_name(to.at.slot);
  const bool constant =
      (from.is(VK::Pointer) && memory_.load(from.at).is(VK::Number)) ||
      (from.is(VK::Pointer) && memory_.has(from.at.slot) && memory_.whole(from.at.slot).parts &&
       memory_.whole(from.at.slot).parts->rest && memory_.whole(from.at.slot).parts->rest->is(VK::Number));
  const bool changed =
      from.is(VK::Pointer) && last_read_back_ != 0 && memory_.written(from.at.slot) > last_read_back_ && !constant;
  if (changed)
    event.launch.condition = place_of(node) + ": the host reads results back and writes what it made of them";
  events_->push_back(std::move(event));
  if (changed && std::ranges::find(trace_.host_steps, events_->back().launch.condition) == trace_.host_steps.end())
    trace_.host_steps.push_back(events_->back().launch.condition);
}

void Machine::copied_out(const HostValue& from, const HostValue& to, const Node& node) {
  (void)node;
  Event event;
  event.kind = Event::Kind::CopyOut;
  if (from.is_handle("buffer") || from.is_handle("image")) event.note = object_name(from.at.slot);
  events_->push_back(std::move(event));
  if (to.is(VK::Pointer)) {
    auto at = to.at;
    const auto held = memory_.load(at);
    if (!at.path.empty() && at.path.back().field.empty() && !held.is(VK::Number)) {
      at.path.pop_back();
      at.vague = true;
    }
    HostValue data = unknown("read back from a buffer");
    memory_.store(at, data);
    if (at.vague) {
      at.vague = false;
      const auto whole = memory_.load(at);
      if (!whole.parts) memory_.store(at, data);
    }
  }
  last_read_back_ = memory_.now();
}

}  // namespace hone::host
