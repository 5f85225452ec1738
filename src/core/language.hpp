#pragma once
// The dialects a kernel can be written in, and the element types its data can have.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hone {

enum class Language { OpenCL, Cuda, Hip };
std::string_view name_of(Language language);           // "opencl", "cuda", "hip"
std::string_view source_extension(Language language);  // ".cl", ".cu", ".hip"
std::optional<Language> language_named(std::string_view name);

enum class ScalarKind { Signed, Unsigned, Float };

/// What is known of a built-in element type by its OpenCL C name: "float", "uint", "uchar4", "double2".
/// float3 and its kin take the space of four (`stride`), as in every OpenCL buffer.
struct ElementType {
  std::string scalar;  // "float" of "float4"
  ScalarKind kind = ScalarKind::Float;
  std::size_t scalar_bytes = 4;
  std::size_t lanes = 1;
  std::size_t bytes() const { return scalar_bytes * (lanes == 3 ? 4 : lanes); }
};
std::optional<ElementType> element_type(std::string_view name);

}  // namespace hone
