// Confines itself exactly as hone-worker does, then tries one thing: escape --sandbox=KIND ATTEMPT key=value...
// Exit 0: it was held. 1: it got out. 77: that part is not enforced here, and the report says so.

#include <cstdio>
#include <cstring>

#include "attempts.hpp"
#include "os/sandbox.hpp"

namespace {

constexpr int kNotEnforced = 77;

bool enforced(const hone::os::SandboxReport& report, const std::string& part) {
  for (const auto& one : report.parts) {
    if (one.name == part) return one.enforced;
    // Modes and times of files are held by mounts only; Landlock does not cover them.
    if (part == "mounts" && one.name == "files") return one.means.find("mounts") != std::string::npos;
  }
  return false;
}

}  // namespace

/// Asked by the address sanitizer when it is built in: what is shut in cannot look for leaks, and saying so would end
/// it with the code that means it got out.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }  // NOLINT(bugprone-reserved-identifier)

int main(int argc, char** argv) {
  using namespace hone;
  if (!os::is_inside(argc, argv)) {
    const auto wanted = os::enclosure_named(std::string(argv[1]).substr(std::strlen("--sandbox=")));
    std::fprintf(stderr, "%s\n",
                 os::enter({argv + 1, argv + argc}, wanted.value_or(os::Enclosure::Best)).text().c_str());
    return kNotEnforced;
  }
  auto report = os::confine(argv[1], {});
  report.parts.push_back(os::limit_memory(std::uint64_t{4} << 30U));
  escape::Bait bait;
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    bait[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  for (const auto& attempt : escape::attempts()) {
    if (std::strcmp(attempt.name, argv[3]) != 0) continue;
    if (!enforced(report, attempt.part)) return kNotEnforced;
    return attempt.escapes(bait) ? 1 : 0;
  }
  return 2;
}
