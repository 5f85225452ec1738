#pragma once
// Programs compiled once for many processes. A runtime's compiler takes most of a second to get ready in each process
// (PoCL reads ten megabytes of built-in functions), and what is claimed runs in processes that are fresh. So workers of
// their own compile and never run anything: no kernel has touched what they give away.

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/compiled_form.hpp"
#include "worker/client.hpp"
#include "worker/connection.hpp"

namespace hone::worker {

class CompiledPrograms {
 public:
  /// Of the same device as the sessions that share it.
  explicit CompiledPrograms(WorkerOptions options) : options_(std::move(options)) {}
  ~CompiledPrograms();
  CompiledPrograms(const CompiledPrograms&) = delete;
  CompiledPrograms& operator=(const CompiledPrograms&) = delete;

  bool is_for(const std::string& device) const { return device == options_.device; }
  /// Starts those that are not running. They end with the thread that calls this.
  void begin();

  using Outcome = std::variant<CompiledForm, NotBuilt, WorkerLost>;
  /// Nothing where the runtime keeps nothing that travels, or where its compiler did not live through this source: then
  /// whoever asks builds it by itself.
  std::optional<Outcome> of(const std::string& source, const std::vector<std::string>& options, Milliseconds limit);
  /// Several at once, on all compilers: their forms, without what gave none.
  CompiledForm of(const std::vector<DeviceSession::BuildRequest>& requests, Milliseconds limit);

 private:
  /// One process. Whoever asks it something holds `busy`.
  struct Compiler {
    std::mutex busy;
    std::optional<Connection> connection;
    bool is_ready = false;  // its device is open, and one program was compiled
    std::thread getting_ready;
  };
  std::optional<Outcome> known(const std::string& hash);
  std::optional<Outcome> compile(Compiler& compiler, const std::string& source, const std::vector<std::string>& options,
                                 Milliseconds limit);
  bool ready(Compiler& compiler);

  const WorkerOptions options_;
  std::array<Compiler, 2> compilers_;
  std::mutex mutex_;                      // of what follows
  std::map<std::string, Outcome> known_;  // by source hash
  bool is_useless_ = false;
};

}  // namespace hone::worker
