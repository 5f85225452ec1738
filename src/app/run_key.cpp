#include "app/run_key.hpp"

#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "core/format.hpp"

namespace hone::app {

RunKey run_key(const std::string& mep_hash, const ImproveOptions& options, const std::vector<Template>& templates,
               const std::string& prior, const DeviceInfo& device) {
  nlohmann::json all = {{"budget", options.budget},
                        {"target", options.target},
                        {"no_gain", options.no_gain},
                        {"strategy", options.strategy},
                        {"model", options.model.name},
                        {"rules", options.rules},
                        {"plan", options.plan},
                        {"direct", options.direct},
                        {"searched", options.searched},
                        {"repair", options.repair},
                        {"inherit", options.inherit},
                        {"profile", options.profile},
                        {"rounds", options.rounds},
                        {"candidates", options.candidates},
                        {"worker", options.device.worker},
                        {"prior", prior.empty() ? "" : content_hash(prior)},
                        {"templates", nlohmann::json::array()}};
  if (options.proposer != ImproveOptions{}.proposer)
    all["proposer"] = options.proposer;  // each agent's trials are its own
  for (const auto& each : templates) {
    std::string content;
    for (const auto& [file, text] : to_files(each)) content.append(file).append("\n").append(text).append("\n");
    all["templates"].push_back(content_hash(content));
  }
  return {mep_hash, all.dump(), options.seed, device.id + " " + device.name + " " + device.driver};
}

}  // namespace hone::app
