#pragma once
// What the functions of GPU runtimes do, and where their sizes stand: one row a function or method. The interpreter
// reads launches through it; who changes a launch finds there which arguments are sizes. Adding an interface is one
// file with rows and one line in all_rows().

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/host/tree.hpp"
#include "source/host/value.hpp"

namespace hone::host {

class Machine;

/// One call of a row, as the interpreter meets it.
struct ApiCall {
  Machine& machine;
  const Node& node;
  const Node* object = nullptr;        // of a method
  std::vector<const Node*> arguments;  // without the object
  std::size_t count() const { return arguments.size(); }
  HostValue value(std::size_t i);  // evaluated once
  HostValue object_value();
  const Node* written(std::size_t i) const { return i < arguments.size() ? arguments[i] : nullptr; }
  std::vector<std::optional<HostValue>> seen;
  std::optional<HostValue> seen_object;
};

/// Where the sizes of a launch stand in its call: positions among the written arguments.
struct SizePlaces {
  enum class Form { Arrays, Ranges, Grid, None };  // size_t*, cl::NDRange, blocks and threads, not in this call
  Form form = Form::None;
  int dimensions = -1, offset = -1, global = -1, local = -1;
};

struct Row {
  std::string_view name;            // "clCreateBuffer"; a method "cl::Kernel::setArg"; a class "cl::Buffer"
  HostValue (*run)(ApiCall& call);  // what it does
  bool launches = false;
  SizePlaces sizes;
};

std::span<const Row> opencl_c_rows();
std::span<const Row> opencl_cpp_rows();
std::span<const Row> cuda_rows();

/// The row of a call, method call or construction with that text; none: not an API function.
const Row* find_row(Kind kind, std::string_view text);
/// The row of a method by its class and name.
const Row* find_method_row(std::string_view record, std::string_view name);
/// Does a text of tokens name a row?
bool names_api(std::string_view text, bool launches_only);
/// Every name that makes a file worth parsing.
std::vector<std::string_view> api_words(bool launches_only);

}  // namespace hone::host
