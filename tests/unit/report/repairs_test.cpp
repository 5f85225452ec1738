#include "report/repairs.hpp"

#include <gtest/gtest.h>

namespace hone::report {
namespace {

Attempt attempt(const std::string& name, const std::string& fate, double time) {
  Attempt out;
  out.template_name = name;
  out.fate = fate;
  out.time = Nanoseconds(time);
  return out;
}

TEST(RepairRates, CountWhatWasMendedByTheKindOfFault) {
  const auto rates = repair_rates({attempt("a", "BuildFailed", 0), attempt("a+repaired", "WrongOutput", 0),
                                   attempt("a+repaired+repaired", "faster", 5), attempt("b", "BuildFailed", 0),
                                   attempt("b+repaired", "not faster", 7), attempt("c", "not faster", 3),
                                   attempt("c+repaired", "not faster", 3), attempt("lost+repaired", "faster", 1),
                                   attempt("d", "BuildFailed", 0), attempt("d+repaired", "not faster", 0)});
  const std::map<std::string, RepairRate> expected = {
      {"BuildFailed", {3, 2}}, {"WrongOutput", {1, 1}}, {"refused by the judge", {1, 1}}};
  EXPECT_EQ(rates, expected);
}

TEST(RepairRates, AreNoneWhereNothingWasRepaired) { EXPECT_TRUE(repair_rates({attempt("a", "faster", 1)}).empty()); }

}  // namespace
}  // namespace hone::report
