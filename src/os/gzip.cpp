#include "os/gzip.hpp"

#include <zlib.h>

#include <memory>

namespace hone::os {

Result<std::string> read_maybe_gzip(const std::filesystem::path& path) {
  // gzread passes bytes through unchanged when they are not gzip.
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return fail("E-FILE", "cannot read " + path.string());
  std::string out;
  std::string chunk(std::size_t{1} << 18U, '\0');
  for (;;) {
    const int got = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    if (got < 0) return fail("E-GZIP", path.string() + " is damaged");
    if (got == 0) return out;
    out.append(chunk, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace hone::os
