#pragma once
// What K(0) answers, computed in a process where no candidate ever runs, and kept in this one. Answers that will be
// needed can be computed in the background meanwhile.

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "core/mep.hpp"
#include "judge/contents_shape.hpp"
#include "judge/outputs.hpp"
#include "judge/own_check.hpp"
#include "judge/renewing_session.hpp"

namespace hone::judge {

struct Expected {
  std::map<std::string, Bytes8> outputs;
  std::map<std::string, std::string> hashes;    // of the outputs
  std::map<std::string, std::string> inputs;    // name -> hash of the contents that must still be there
  std::map<std::string, Bytes8> precise;        // outputs of the double-precision K(0), once they were asked for
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
            std::vector<std::string> notes = {}, OwnCheck* own_check = nullptr)
      : mep_(mep),
        session_(sessions),
        precise_(own_check == nullptr ? std::move(precise) : std::nullopt),
        poison_(poison),
        own_check_(own_check),
        notes_(std::move(notes)) {}

  /// E-K0 when K(0) itself does not build, run or answer twice alike within its type's rule. E-UNDEFINED when its
  /// answer to contents the MEP does not declare is not finite.
  Result<const Expected*> expected(const Setting& setting);
  /// Puts the double-precision answer beside the expected one, where there is a K(0) in double. What is the same as
  /// K(0)'s to the bit needs none.
  void in_double(const Setting& setting);
  /// Answers these in the background, in this order and `in_double` too, until halt(); what they point to lives till
  /// then. expected() waits for what is under way.
  void ahead(std::vector<Setting> settings, bool in_double);
  void halt();
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
  /// Builds K(0) in the background, once, until wait() is called: the first build of a process takes long.
  void begin();
  void wait() {
    if (beginning_.valid()) beginning_.get();
  }
  /// The process in which nothing but K(0) ever runs.
  RenewingSession& session() {
    wait();
    halt();
    return session_;
  }
  /// Ends the process; expected outputs stay.
  void rest() { session_.discard(); }

 private:
  using Key = std::tuple<std::string, std::uint64_t, std::optional<std::uint64_t>, std::string>;
  static Key key_of(const Setting& setting);
  const Expected* find(const Key& key);
  /// As expected(), waiting for nobody.
  Result<const Expected*> answer(const Setting& setting);
  void double_answer(const Setting& setting);
  Result<Expected> compute(const Setting& setting);
  /// A worker that someone ended from outside is replaced once.
  Result<std::map<std::string, Bytes8>> run(const Variant& variant, const Problem& problem,
                                            const std::vector<std::string>& wanted);
  Result<std::map<std::string, Bytes8>> run_again(const Problem& problem, const Workload& workload);
  Checked<std::map<std::string, Bytes8>> run_once(const Variant& variant, const Problem& problem,
                                                  const std::vector<std::string>& wanted);
  Result<std::map<std::string, Bytes8>> run_precise(Problem problem, const Workload& workload);
  /// K(0) a second time, where nothing says yet that it answers alike on such a problem; and how long one run takes.
  Status repeat(Expected& expected, const Problem& problem, const Setting& setting);
  /// The double-precision answer, taken from a setting whose outputs are the same to the bit where there is one.
  void add_precise(Expected& expected, Problem problem, const Setting& setting);
  const Expected* same_answer(const Expected& expected, const Setting& setting) const;
  Result<bool> depends_on(const Problem& problem, std::size_t buffer, const std::map<std::string, Bytes8>& answer,
                          const Setting& setting);
  Status settle_spread(Expected& expected, const std::map<std::string, Bytes8>& again, const Workload& workload);
  void note(std::string sentence);
  void put_in_order(std::map<std::string, Bytes8>& outputs) const;

  const Mep& mep_;
  RenewingSession session_;
  std::optional<Variant> precise_;
  bool poison_;
  OwnCheck* own_check_;
  std::map<Key, Expected> known_;
  /// Workloads and contents that K(0) answered twice alike, whatever the seed -> what one run takes.
  std::map<std::pair<std::string, std::string>, Milliseconds> steady_;
  std::vector<std::string> notes_;
  std::set<Key> doubled_;  // those for which a double-precision answer was asked
  std::optional<DeviceInfo> device_;
  std::recursive_mutex working_;  // held by whoever uses the process
  std::mutex looking_;            // held for a moment, around what is known and what is coming
  std::condition_variable came_;
  std::set<Key> coming_;
  std::atomic<bool> halted_ = false;
  bool begun_ = false;
  std::future<void> beginning_, answering_;  // end before what they use
};

/// K(0) as a Variant.
Variant original(const Mep& mep);

}  // namespace hone::judge
