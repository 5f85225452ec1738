#include <algorithm>

#include "base/text.hpp"
#include "source/follower_parts.hpp"

namespace hone::source::host {
namespace {

HostValue integer_call(const std::string& function, const HostValue& a, const HostValue& b) {
  HostValue out;
  if (a.kind != Kind::Number || b.kind != Kind::Number) return out;
  out.kind = Kind::Number;
  out.number = Expression::call(function, {a.number, b.number});
  out.real = a.real || b.real;
  return out;
}

/// ceil((float)n / 16) is a whole number of groups.
HostValue rounded(const HostValue& value, bool up) {
  HostValue out = value;
  if (value.kind != Kind::Number) return out;
  out.real = false;
  const auto& root = value.number.root();
  if (root.kind != Expression::Kind::Binary || root.text != "/") return out;
  const Expression a(root.operands[0]);
  const Expression b(root.operands[1]);
  out.number = up ? Expression::call("ceil_div", {a, b}) : Expression::binary("//", a, b);
  return out;
}

}  // namespace

std::string Follower::place(const Span& span) const {
  if (span.empty()) return {};
  return span.file->path + ":" + std::to_string(line_of(span.file->text, span[0].begin));
}

HostValue Follower::call(const std::string& name, const std::string& object, const Span& whole,
                         const std::vector<Span>& arguments) {
  std::vector<std::optional<HostValue>> seen(arguments.size());  // each is evaluated once: it may launch
  const auto argument = [&](std::size_t i) {
    if (i >= arguments.size()) return HostValue{};
    if (!seen[i]) seen[i] = evaluate(arguments[i]);
    return *seen[i];
  };
  const auto made_kernel = [&](std::size_t i) {
    HostValue out;
    const HostValue text = argument(i);
    if (text.kind != Kind::Text) return out;
    out.kind = Kind::Kernel;
    out.text = text.text;
    return out;
  };
  if (name == "clCreateKernel" || name == "Kernel" || name == "KernelFunctor" || name == "make_kernel")
    return made_kernel(1);
  if (name == "clCreateBuffer") return make_buffer(arguments, 1, 2);
  if (name == "Buffer" && arguments.size() >= 3) return make_buffer(arguments, 1, 2);
  if (name == "clSetKernelArg" && arguments.size() == 4) {
    const HostValue kernel = argument(0);
    if (kernel.kind == Kind::Kernel) set_argument(kernel.text, arguments[1], arguments[2], arguments[3], true);
    return {};
  }
  if (name == "setArg" && (arguments.size() == 2 || arguments.size() == 3)) {
    const HostValue kernel = lookup(object, object);
    if (kernel.kind == Kind::Kernel)
      set_argument(kernel.text, arguments[0], arguments.size() == 3 ? arguments[1] : Span{}, arguments.back(), false);
    return {};
  }
  if (name == "clEnqueueNDRangeKernel" && arguments.size() >= 6) {
    const HostValue kernel = argument(1);
    const auto dimensions =
        static_cast<std::size_t>(std::clamp<std::int64_t>(concretely(argument(2)).value_or(1), 1, 3));
    const bool no_local = argument(5).kind == Kind::Null;
    launch(kernel.kind == Kind::Kernel ? kernel.text : "", whole, arguments, sizes(arguments[4], dimensions),
           no_local ? std::vector<Expression>{} : sizes(arguments[5], dimensions),
           argument(3).kind == Kind::Null ? std::vector<Expression>{} : sizes(arguments[3], dimensions), no_local);
    return {};
  }
  if (name == "clEnqueueTask" && arguments.size() >= 2) {
    const HostValue kernel = argument(1);
    const auto one = Expression::literal(Value(std::int64_t{1}));
    launch(kernel.kind == Kind::Kernel ? kernel.text : "", whole, arguments, {one}, {one}, {}, false);
    return {};
  }
  if (name == "enqueueNDRangeKernel" && arguments.size() >= 3) {
    const HostValue kernel = argument(0);
    const bool no_local = arguments.size() < 4 || argument(3).kind == Kind::Null;
    launch(kernel.kind == Kind::Kernel ? kernel.text : "", whole, arguments, sizes(arguments[2], 3),
           no_local ? std::vector<Expression>{} : sizes(arguments[3], 3), {}, no_local);
    return {};
  }
  if (name == "NDRange" || name == "EnqueueArgs") {
    HostValue out;
    out.kind = Kind::List;
    for (const auto& one : arguments) out.items.push_back(evaluate(one));
    return out;
  }
  if (name == "clEnqueueReadBuffer" || name == "enqueueReadBuffer" || name == "clEnqueueMapBuffer" ||
      name == "enqueueMapBuffer") {
    read_back_ = true;
    return {};
  }
  if (name == "clEnqueueWriteBuffer" || name == "enqueueWriteBuffer") {
    wrote_after_read_ = wrote_after_read_ || read_back_;
    return {};
  }
  if (name == "swap" && arguments.size() == 2) {
    const auto a = path_key(arguments[0]);
    const auto b = path_key(arguments[1]);
    if (a && b) std::swap(variables_[*a], variables_[*b]);
    return {};
  }
  if (name == "ceil" || name == "ceilf" || name == "floor" || name == "floorf")
    return rounded(argument(0), name.starts_with("ceil"));
  if ((name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "MIN" || name == "MAX") &&
      arguments.size() == 2) {
    return integer_call(name.ends_with("in") || name == "MIN" ? "min" : "max", argument(0), argument(1));
  }
  if (name == "static_cast" || name == "const_cast" || name == "reinterpret_cast" || name == "move") return argument(0);
  if (object.empty() || !arguments.empty()) {
    const HostValue functor = object.empty() ? lookup(key_of(name), key_of(name)) : HostValue{};
    const HostValue first = argument(0);
    if (functor.kind == Kind::Kernel && first.kind == Kind::List &&
        !first.items.empty()) {  // f(EnqueueArgs(queue, global, local), a, b)
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        HostArgument bound;
        const HostValue value = argument(i);
        bound.text = arguments[i].text();
        bound.value = value.number;
        bound.kind = value.kind == Kind::Buffer   ? HostArgument::Kind::Buffer
                     : value.kind == Kind::Number ? HostArgument::Kind::Scalar
                                                  : HostArgument::Kind::Unknown;
        arguments_[functor.text][i - 1] = bound;
      }
      const auto ranges = arguments_of(arguments[0], [&] {
        std::size_t open = 0;
        while (open < arguments[0].size() && !arguments[0][open].is("(")) ++open;
        return open;
      }());
      const auto from = ranges.size() > 3 ? 2U : 1U;  // with an offset there are four
      launch(functor.text, whole, arguments, ranges.size() > from ? sizes(ranges[from], 3) : std::vector<Expression>{},
             ranges.size() > from + 1 ? sizes(ranges[from + 1], 3) : std::vector<Expression>{}, {},
             ranges.size() <= from + 1);
      return {};
    }
  }
  std::vector<HostValue> values;
  values.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) values.push_back(argument(i));
  const auto* function = code_.function(name);
  if (function != nullptr && depth_ < 12 && function->parameters.size() == arguments.size()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {  // a whole struct or array goes by reference
      const auto key = path_key(arguments[i]);
      if (values[i].kind == Kind::Unknown && key) {
        values[i].kind = Kind::Reference;
        values[i].text = *key;
      }
    }
    const bool small = function->body.children.size() <= 3;
    if (mattering_.contains(name) || small) return call_function(*function, values);
  }
  return {};
}

HostValue Follower::make_buffer(const std::vector<Span>& arguments, std::size_t flags, std::size_t bytes) {
  HostBuffer buffer;
  if (!arguments.empty()) buffer.provenance = {Provenance::Kind::Seen, place(arguments.front())};
  buffer.name = assigned_to_.empty() ? "buffer" : assigned_to_;
  const auto taken = [&](const std::string& name) {
    return std::ranges::find(program_.buffers, name, &HostBuffer::name) != program_.buffers.end();
  };
  const auto base = buffer.name;
  for (int n = 2; taken(buffer.name); ++n) buffer.name = base + "_" + std::to_string(n);
  if (flags < arguments.size()) {
    auto text = arguments[flags].text();
    if (arguments[flags].size() == 1) {  // a parameter that carries the flags
      const auto held = variables_.find(key_of(text));
      if (held != variables_.end() && held->second.kind == Kind::Text) text = held->second.text;
    }
    buffer.kernels_only_read = text.find("CL_MEM_READ_ONLY") != std::string::npos;
    buffer.kernels_only_write = text.find("CL_MEM_WRITE_ONLY") != std::string::npos;
  }
  if (bytes < arguments.size()) {
    const HostValue size = evaluate(arguments[bytes]);
    if (size.kind == Kind::Number) buffer.bytes = size.number;
  }
  HostValue out;
  out.kind = Kind::Buffer;
  out.number = Expression::name(buffer.name);
  program_.buffers.push_back(std::move(buffer));
  return out;
}

void Follower::set_argument(const std::string& kernel, const Span& position, const Span& bytes, const Span& value,
                            bool by_address) {
  const auto index = concretely(evaluate(position));
  if (!index || *index < 0) return;
  HostArgument out;
  out.text = value.text();
  HostValue held = evaluate(value);
  const bool local =
      held.kind == Kind::Null || out.text.find("cl::Local") != std::string::npos || out.text.starts_with("Local(");
  if (local && by_address) {
    const HostValue size = evaluate(bytes);
    out.kind = HostArgument::Kind::Local;
    out.value = size.number;
  } else if (local) {
    out.kind = HostArgument::Kind::Local;
    out.value = bytes.empty() ? held.number : evaluate(bytes).number;
  } else {
    if (held.kind == Kind::Reference) held = lookup(held.text, held.text.substr(held.text.find_last_of("/.") + 1));
    out.kind = held.kind == Kind::Buffer   ? HostArgument::Kind::Buffer
               : held.kind == Kind::Number ? HostArgument::Kind::Scalar
                                           : HostArgument::Kind::Unknown;
    out.value = held.number;
  }
  out.provenance = {Provenance::Kind::Seen, place(value)};
  arguments_[kernel][static_cast<std::size_t>(*index)] = out;
}

/// An array, a scalar by its address, an NDRange or a list in place; empty when it could not be followed.
std::vector<Expression> Follower::sizes(const Span& span, std::size_t dimensions) {
  HostValue value = evaluate(span);
  std::vector<Expression> out;
  const auto add = [&](const HostValue& one) {
    if (one.kind == Kind::Number) out.push_back(one.number);
    return one.kind == Kind::Number;
  };
  if (value.kind == Kind::Reference) {
    const auto base = value.text;
    if (variables_.contains(base) && variables_[base].kind == Kind::List) {
      value = variables_[base];
    } else if (!variables_.contains(base + "[0]")) {
      add(lookup(base, base));
      return out;
    } else {
      for (std::size_t d = 0; d < dimensions && variables_.contains(base + "[" + std::to_string(d) + "]"); ++d) {
        if (!add(variables_[base + "[" + std::to_string(d) + "]"])) return {};
      }
      return out;
    }
  }
  if (value.kind == Kind::List) {
    for (std::size_t d = 0; d < std::min(dimensions, value.items.size()); ++d) {
      if (!add(value.items[d])) return {};
    }
    return out;
  }
  if (dimensions == 1) add(value);
  return out;
}

namespace {

std::vector<std::string> size_texts(const Span& argument, std::size_t dimensions) {
  std::vector<std::string> out;
  const auto text = argument.text();
  for (std::size_t d = 0; d < dimensions; ++d) {
    out.push_back(text.starts_with("&") && dimensions == 1 ? text.substr(1) : text + "[" + std::to_string(d) + "]");
  }
  return out;
}

}  // namespace

void Follower::launch(const std::string& kernel, const Span& whole, const std::vector<Span>& arguments,
                      std::vector<Expression> global, std::vector<Expression> local, std::vector<Expression> offset,
                      bool local_is_null) {
  LaunchSite site;
  site.kernel = kernel;
  site.file = whole.file->path;
  site.call = {whole[0].begin, whole[whole.size() - 1].end};
  for (const auto& argument : arguments)
    site.arguments.push_back({argument[0].begin, argument[argument.size() - 1].end});
  const bool arrays = whole.text().find("clEnqueueNDRangeKernel") != std::string::npos;
  const std::size_t position = arrays ? 4 : 2;
  if (!global.empty() && position < arguments.size()) site.global = size_texts(arguments[position], global.size());
  if (!local.empty() && position + 1 < arguments.size()) site.local = size_texts(arguments[position + 1], local.size());
  site.local_is_null = local_is_null;
  site.function = function_;
  if (std::ranges::find(sites_, site) == sites_.end()) sites_.push_back(site);
  if (kernel.empty()) {
    program_.notes.push_back(place(whole) + ": which kernel is launched here could not be followed");
    return;
  }
  if (wrote_after_read_) {
    program_.host_steps.push_back(place(whole) +
                                  ": the host reads results back and writes buffers before it launches " + kernel);
    read_back_ = wrote_after_read_ = false;
  }
  HostLaunch out;
  out.kernel = kernel;
  out.arguments = arguments_[kernel];
  out.global = std::move(global);
  out.local = std::move(local);
  out.offset = std::move(offset);
  out.local_is_null = local_is_null;
  out.place = place(whole);
  out.sizes = {Provenance::Kind::Seen, out.place};
  if (steps_ != nullptr) steps_->emplace_back(std::move(out));
}

}  // namespace hone::source::host
