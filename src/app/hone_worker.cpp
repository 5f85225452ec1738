// hone-worker: one device in one sandboxed process, driven over stdin and stdout by hone.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "device/device.hpp"
#include "os/fd.hpp"
#include "worker/server/printed.hpp"
#include "worker/server/serve.hpp"

namespace {

using namespace hone;

/// The protocol gets descriptors of its own: what kernels and runtimes print must never end up in it.
os::Fd move_away(int fd) { return os::Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 64)); }

worker::Surroundings surroundings(worker::Printed& printed) {
  worker::Surroundings around;
  around.open = [](const worker::Hello& hello) { return device::open_device(hello.device); };
  around.list = [] { return device::list_devices(); };
  around.take_printed = [&printed] { return printed.take(); };
  return around;
}

int failed(const Error& error) {
  std::fprintf(stderr, "hone-worker: %s\n", error.text().c_str());
  return 2;
}

}  // namespace

int main() {
  const auto in = move_away(STDIN_FILENO);
  const auto out = move_away(STDOUT_FILENO);
  const os::Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(null.get(), STDIN_FILENO);
  auto printed = worker::Printed::start();
  if (!printed) return failed(printed.error());
  worker::Service service(surroundings(**printed));
  if (auto served = worker::serve(service, in.get(), out.get()); !served) return failed(served.error());
  return 0;
}
