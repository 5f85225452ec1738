#include "core/language.hpp"

#include <array>
#include <cctype>

namespace hone {

std::string_view name_of(Language language) {
  switch (language) {
    case Language::OpenCL: return "opencl";
    case Language::Cuda: return "cuda";
    case Language::Hip: return "hip";
  }
  return "opencl";
}

std::string_view source_extension(Language language) {
  switch (language) {
    case Language::OpenCL: return ".cl";
    case Language::Cuda: return ".cu";
    case Language::Hip: return ".hip";
  }
  return ".cl";
}

std::optional<Language> language_named(std::string_view name) {
  for (const auto language : {Language::OpenCL, Language::Cuda, Language::Hip})
    if (name == name_of(language)) return language;
  return std::nullopt;
}

namespace {

struct Scalar {
  std::string_view name;
  ScalarKind kind;
  std::size_t bytes;
};
constexpr std::array<Scalar, 11> scalars = {{{"char", ScalarKind::Signed, 1},
                                             {"uchar", ScalarKind::Unsigned, 1},
                                             {"short", ScalarKind::Signed, 2},
                                             {"ushort", ScalarKind::Unsigned, 2},
                                             {"int", ScalarKind::Signed, 4},
                                             {"uint", ScalarKind::Unsigned, 4},
                                             {"long", ScalarKind::Signed, 8},
                                             {"ulong", ScalarKind::Unsigned, 8},
                                             {"half", ScalarKind::Float, 2},
                                             {"float", ScalarKind::Float, 4},
                                             {"double", ScalarKind::Float, 8}}};

}  // namespace

std::optional<ElementType> element_type(std::string_view name) {
  if (name == "bool") name = "uchar";
  if (name == "size_t") name = "ulong";
  if (name == "ptrdiff_t") name = "long";
  std::size_t split = name.size();
  while (split > 0 && std::isdigit(static_cast<unsigned char>(name[split - 1])) != 0) --split;
  std::size_t lanes = 1;
  if (split < name.size()) {
    const auto digits = name.substr(split);
    lanes = digits == "2" ? 2 : digits == "3" ? 3 : digits == "4" ? 4 : digits == "8" ? 8 : digits == "16" ? 16 : 0;
    if (lanes == 0) return std::nullopt;
  }
  for (const auto& scalar : scalars)
    if (scalar.name == name.substr(0, split))
      return ElementType{std::string(scalar.name), scalar.kind, scalar.bytes, lanes};
  return std::nullopt;
}

}  // namespace hone
