#pragma once
// Are two outputs the same? In: what K(0) wrote and what the candidate wrote, as bytes of a known element type. Out:
// the first difference that matters, in words. Integers are equal or not; floats may differ by rounding, never by kind;
// of an image's normalised channels, which are real numbers stored in steps, a few may be one step apart.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mep.hpp"

namespace hone::judge {

using Bytes8 = std::vector<std::uint8_t>;

struct CompareRule {
  /// Of the larger of the element and the output's typical size. Absent: the type's own (half 1e-2, float 1e-4, double
  /// 1e-10).
  std::optional<double> relative;
  /// Differences that K(0) shows against itself are nobody's fault.
  double absolute = 0;
  bool nan_is_wildcard = false;  // only tests that switch the rule off
  /// typical_size() of what is wanted, where it is known already.
  std::optional<double> typical = std::nullopt;
  /// The person's own, in place of the type's: may be larger.
  std::optional<double> tolerance = std::nullopt;
};

struct Difference {
  std::size_t element = 0;  // scalar index
  double wanted = 0, got = 0;
  bool of_kind = false;          // NaN or Inf where the other has none
  std::size_t count = 0;         // elements that differ
  bool looks_unwritten = false;  // holds the poison
};

/// `type` is an element type of core/language.hpp or an image's normalised channel (unorm_int8, ...); what is neither
/// is compared as bytes.
std::optional<Difference> compare_output(const std::string& type, const Bytes8& wanted, const Bytes8& got,
                                         const CompareRule& rule);

/// The output's typical size: where a few huge elements make the RMS, the small ones must still be right. Zero for
/// types that are not floats.
double typical_size(const std::string& type, const Bytes8& output);

/// The largest absolute difference of two float outputs, elements of other kind left out.
double largest_difference(const std::string& type, const Bytes8& a, const Bytes8& b);

/// How far K(0) itself is from the double-precision reference, and the size of that.
struct OwnErrors {
  double rms = 0, largest = 0, size = 0;
};
OwnErrors own_errors(const std::string& type, const Bytes8& reference, const Bytes8& original);

/// Root-mean-square error against the double-precision reference at most max(2x K(0)'s own, 4 ulp of the output's RMS),
/// and no single element far worse than K(0)'s worst. Returns the worst element.
std::optional<Difference> compare_precision(const std::string& type, const Bytes8& reference, const OwnErrors& own,
                                            const Bytes8& got);

/// True when no scalar of a float type is NaN or infinite.
bool is_finite(const std::string& type, const Bytes8& output);
/// True when all its scalars are equal: such an output tells little.
bool is_flat(const std::string& type, const Bytes8& output);

/// The elements in an order of their own, by value: how outputs are compared that come in any order.
Bytes8 sorted_elements(const std::string& type, const std::vector<StructSpec>& structs, const Bytes8& output);

/// A struct buffer is compared field by field; others have one field. Type names as compare_output takes them.
struct FieldView {
  std::string name, type;
  Bytes8 bytes;
};
std::vector<FieldView> fields_of(const std::string& type, const std::vector<StructSpec>& structs, const Bytes8& bytes);

}  // namespace hone::judge
