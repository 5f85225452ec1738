#include "source/host/api/table.hpp"

#include <map>

namespace hone::host {
namespace {

struct AllRows {
  std::map<std::string_view, const Row*> by_name, by_last;
  AllRows() {
    for (const auto rows : {opencl_c_rows(), opencl_cpp_rows(), cuda_rows()}) {
      for (const auto& row : rows) {
        by_name[row.name] = &row;
        const auto cut = row.name.rfind("::");
        by_last[cut == std::string_view::npos ? row.name : row.name.substr(cut + 2)] = &row;
      }
    }
  }
};

const AllRows& all_rows() {
  static const AllRows rows;
  return rows;
}

const Row* row_of(const std::map<std::string_view, const Row*>& in, std::string_view name) {
  const auto found = in.find(name);
  return found == in.end() ? nullptr : found->second;
}

}  // namespace

const Row* find_row(Kind kind, std::string_view text) {
  if (kind == Kind::MethodCall) {  // the class is known only when it runs: a method of that name is enough
    const auto* row = row_of(all_rows().by_last, text);
    const bool telling = text.starts_with("enqueue") || text == "setArg";
    return telling && row != nullptr && row->name.starts_with("cl::") ? row : nullptr;
  }
  if (kind == Kind::Operator || kind == Kind::CallValue) return nullptr;
  if (kind == Kind::Construct) {
    const auto plain = text.substr(0, text.find('<'));
    if (const auto* row = row_of(all_rows().by_name, plain)) return row;
    return plain == "KernelFunctor" || plain == "make_kernel" ? row_of(all_rows().by_name, "cl::KernelFunctor")
                                                              : nullptr;
  }
  if (text.starts_with("::")) text.remove_prefix(2);
  return row_of(all_rows().by_name, text);
}

const Row* find_method_row(std::string_view record, std::string_view name) {
  return row_of(all_rows().by_name, std::string(record.substr(0, record.find('<'))) + "::" + std::string(name));
}

bool names_api(std::string_view text, bool launches_only) {
  for (const auto word : api_words(launches_only)) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::vector<std::string_view> api_words(bool launches_only) {
  std::vector<std::string_view> out = {"<<<", "EnqueueArgs"};
  for (const auto& [name, row] : all_rows().by_last) {
    const bool telling = name.starts_with("cl") || name.starts_with("cu") || name.starts_with("hip") ||
                         name.starts_with("enqueue") || name == "KernelFunctor" || name == "make_kernel" ||
                         name == "setArg";
    if (telling && (!launches_only || row->launches)) out.push_back(name);
  }
  return out;
}

}  // namespace hone::host
