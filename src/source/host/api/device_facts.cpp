#include "source/host/api/device_facts.hpp"

#include <algorithm>
#include <array>

namespace hone::host {
namespace {

struct Fact {
  std::string_view name;
  std::int64_t what, usual;
  bool list;  // a number for each dimension
};

constexpr std::array<Fact, 9> facts = {{
    {"CL_DEVICE_MAX_COMPUTE_UNITS", 0x1002, 8, false},
    {"CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", 0x1003, 3, false},
    {"CL_DEVICE_MAX_WORK_GROUP_SIZE", 0x1004, 256, false},
    {"CL_DEVICE_MAX_WORK_ITEM_SIZES", 0x1005, 256, true},
    {"CL_DEVICE_IMAGE_SUPPORT", 0x1016, 1, false},
    {"CL_DEVICE_LOCAL_MEM_SIZE", 0x1023, 32768, false},
    {"CL_KERNEL_WORK_GROUP_SIZE", 0x11B0, 256, false},
    {"CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", 0x11B3, 32, false},
    {"CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", 0x1067, 32, false},
}};

HostValue taken(const Fact* fact) {
  if (fact == facts.end()) return unknown("a property of the device");
  auto one = number(fact->usual);
  one.from = Provenance::Kind::Inferred;
  one.device = true;
  if (!fact->list) return one;
  auto out = array();
  auto parts = std::make_shared<Parts>();
  parts->rest = one;
  out.parts = std::move(parts);
  return out;
}

}  // namespace

HostValue device_fact(std::int64_t what) {
  return taken(std::ranges::find_if(facts, [&](const Fact& fact) { return fact.what == what; }));
}

HostValue device_fact(std::string_view asked) {
  const auto begin = asked.find('<');
  const auto end = asked.find('>', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return taken(facts.end());
  const auto name = asked.substr(begin + 1, end - begin - 1);
  return taken(std::ranges::find_if(facts, [&](const Fact& fact) { return name.ends_with(fact.name); }));
}

}  // namespace hone::host
