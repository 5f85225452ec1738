// ceilings [device]: measures what a device can do at best and prints it as JSON, with the seconds it took.
#include "worker/ceilings.hpp"

#include <cstdio>

#include "os/clock.hpp"
#include "worker/client.hpp"

int main(int argc, char** argv) {
  using namespace hone;
  worker::WorkerOptions options;
  if (argc > 1) options.device = argv[1];
  auto session = worker::WorkerSessions(options).start();
  if (!session) {
    std::fprintf(stderr, "%s\n", session.error().text().c_str());
    return 2;
  }
  const auto start = os::now();
  const auto ceilings = worker::measure_ceilings(**session);
  if (!ceilings) {
    std::fprintf(stderr, "%s\n", ceilings.error().text().c_str());
    return 2;
  }
  std::printf("%smeasured in %.1f s\n", worker::to_json_text(*ceilings).c_str(), os::since(start).count() * 1e-9);
  return 0;
}
