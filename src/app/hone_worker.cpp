// hone-worker: one device in one sandboxed process, driven over stdin and stdout by hone.
//
//   hone-worker [--sandbox=best|bubblewrap|namespaces|none]
//   hone-worker --devices        what is here of each kind of device, or what it lacks
//
// It starts itself again inside the enclosure and confines itself there, before it reads a single byte.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "device/device.hpp"
#include "os/fd.hpp"
#include "os/kept_memory.hpp"
#include "os/processor_use.hpp"
#include "os/sandbox.hpp"
#include "worker/server/compilers.hpp"
#include "worker/server/printed.hpp"
#include "worker/server/serve.hpp"

namespace {

using namespace hone;

/// The protocol gets descriptors of its own: what kernels and runtimes print must never end up in it.
os::Fd move_away(int fd) { return os::Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 64)); }

worker::Surroundings surroundings(os::SandboxReport report, std::function<std::string()> take_printed) {
  worker::Surroundings around;
  around.sandbox = std::move(report);
  around.open = [](const worker::Hello& hello) -> Result<worker::Opened> {
    auto opened = device::open_device(hello.device);
    if (!opened) return fail(std::move(opened).error());
    os::SandboxPart memory{"memory", false, "drivers of this kind of device reserve more than they use",
                           "limit the memory of the device"};
    if ((*opened)->info().kind == "cpu") memory = os::limit_memory(hello.memory.count);
    return worker::Opened{std::move(*opened), std::move(memory)};
  };
  around.list = [] { return device::list_devices(); };
  around.take_printed = std::move(take_printed);
  return around;
}

std::function<os::ProcessorUse()> watch_threads() {
  auto threads = std::make_shared<const os::OwnThreads>();
  if (!threads->known()) return {};
  return [threads, last = threads->now()]() mutable {
    const auto now = threads->now();
    return now.since(std::exchange(last, now));
  };
}

/// A worker without streams of its own to print to.
void compile(int wire) {
  worker::Surroundings around = surroundings({}, [] { return std::string(); });
  worker::Service service(std::move(around));
  [[maybe_unused]] const auto served = worker::serve(service, wire, wire);
}

/// One a core: they work while the worker waits.
std::size_t compilers_here() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8); }

int failed(const Error& error) {
  std::fprintf(stderr, "hone-worker: %s\n", error.text().c_str());
  return 2;
}

os::Enclosure enclosure_from(int argc, char** argv) {
  constexpr std::string_view kOption = "--sandbox=";
  for (int i = 1; i < argc; ++i)
    if (const std::string_view word = argv[i]; word.starts_with(kOption))
      return os::enclosure_named(std::string(word.substr(kOption.size()))).value_or(os::Enclosure::Best);
  return os::Enclosure::Best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--devices") {
    for (const auto& line : device::describe_kinds()) std::printf("%s\n", line.c_str());
    return 0;
  }
  if (!os::is_inside(argc, argv)) return failed(os::enter({argv + 1, argv + argc}, enclosure_from(argc, argv)));
  auto report = os::confine(argv[1], {});
  os::keep_freed_memory();

  worker::Compilers compilers(compilers_here(), compile);
  device::keep_threads_apart();  // not those of the compilers, which may go where there is room

  const auto in = move_away(STDIN_FILENO);
  const auto out = move_away(STDOUT_FILENO);
  const os::Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(null.get(), STDIN_FILENO);
  auto printed = worker::Printed::start();
  if (!printed) return failed(printed.error());
  auto around = surroundings(std::move(report), [&printed] { return (*printed)->take(); });
  around.watch_threads = watch_threads;
  around.give_up = [](const std::string& why) {
    std::fprintf(stderr, "hone-worker: %s\n", why.c_str());
    std::fflush(stderr);
    ::_exit(3);
  };
  around.warm = [&compilers](const auto&... what) { compilers.warm(what...); };
  worker::Service service(std::move(around));
  if (auto served = worker::serve(service, in.get(), out.get()); !served) return failed(served.error());
  return 0;
}
