#pragma once
// What K(0) answers, computed in a process where no candidate ever runs, and kept in this one.

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/mep.hpp"
#include "judge/contents_shape.hpp"
#include "judge/outputs.hpp"
#include "judge/renewing_session.hpp"

namespace hone::judge {

struct Expected {
  std::map<std::string, Bytes8> outputs;
  std::map<std::string, std::string> inputs;    // name -> hash of the contents that must still be there
  std::map<std::string, Bytes8> precise;        // outputs of the double-precision K(0), where there is one
  Milliseconds took{0};                         // one run of K(0), asked and answered
  std::map<std::string, double> own_spread;     // largest difference between two runs of K(0)
  std::map<std::string, double> typical;        // size of the outputs that are floats, as the rule takes it
  std::map<std::string, OwnErrors> own_errors;  // of K(0) against `precise`
};

/// One problem: sizes, contents, and what the outputs hold before it runs.
struct Setting {
  const Workload* workload = nullptr;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> old = {};    // outputs hold K(0)'s results of this seed; none: the poison
  const ContentsShape* contents = nullptr;  // other contents than the MEP declares
};

class Reference {
 public:
  /// `precise` is K(0) computing in double over the same buffers, widened.
  Reference(const Mep& mep, DeviceSessions& sessions, std::optional<Variant> precise, bool poison,
            std::vector<std::string> notes = {})
      : mep_(mep), session_(sessions), precise_(std::move(precise)), poison_(poison), notes_(std::move(notes)) {}

  /// E-K0 when K(0) itself does not build, run or answer twice alike within its type's rule. E-UNDEFINED when its
  /// answer to contents the MEP does not declare is not finite.
  Result<const Expected*> expected(const Setting& setting);
  /// The setting's contents and old results, put into a problem of its workload.
  Status set(Problem& problem, const Setting& setting);
  Result<DeviceInfo> device();
  /// What any right answer must at least read and write. Runs K(0) some times.
  Result<Bytes> compulsory(const Workload& workload, std::uint64_t seed);
  /// Sentences about how much the expected outputs can tell.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Whether a K(0) in double precision stands beside the expected outputs.
  bool is_precise() const { return precise_.has_value(); }
  std::string type_of(const std::string& output) const;
  /// Ends the process; expected outputs stay.
  void rest() { session_.discard(); }

 private:
  Result<Expected> compute(const Setting& setting);
  /// What K(0) answers, once and unchecked.
  Result<const std::map<std::string, Bytes8>*> answer(const Workload& workload, std::uint64_t seed);
  /// A worker that someone ended from outside is replaced once.
  Result<std::map<std::string, Bytes8>> run(const Variant& variant, const Problem& problem,
                                            const std::vector<std::string>& wanted);
  Result<std::map<std::string, Bytes8>> run_again(const Problem& problem);
  Checked<std::map<std::string, Bytes8>> run_once(const Variant& variant, const Problem& problem,
                                                  const std::vector<std::string>& wanted);
  Result<std::map<std::string, Bytes8>> run_precise(Problem problem);
  Result<bool> depends_on(const Problem& problem, std::size_t buffer, const std::map<std::string, Bytes8>& answer,
                          std::uint64_t seed);
  Status settle_spread(Expected& expected, const std::map<std::string, Bytes8>& again, const std::string& workload);
  void note(std::string sentence);
  void put_in_order(std::map<std::string, Bytes8>& outputs) const;

  const Mep& mep_;
  RenewingSession session_;
  std::optional<Variant> precise_;
  bool poison_;
  using Key = std::tuple<std::string, std::uint64_t, std::optional<std::uint64_t>, std::string>;
  std::map<Key, Expected> known_;
  std::map<std::pair<std::string, std::uint64_t>, std::map<std::string, Bytes8>> answers_;
  std::vector<std::string> notes_;
};

/// K(0) as a Variant.
Variant original(const Mep& mep);

}  // namespace hone::judge
