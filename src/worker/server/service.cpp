#include "worker/server/service.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "inputs/contents.hpp"

namespace hone::worker {
namespace {

NotLaunched not_launched(const Error& error) { return {error.message()}; }

/// Of those that compile one thing at a time, the one that keeps it on disk.
bool keeps_builds(const DeviceInfo& device) { return device.driver.starts_with("Portable Computing Language"); }

/// Enough to be given to several processes.
bool is_small(const Load& load) {
  std::size_t bytes = 0;
  for (const auto& buffer : load.buffers)
    if (const auto type = element_type(buffer.type)) bytes += buffer.count * type->bytes();
  return bytes <= (std::size_t{64} << 20U) && load.images.empty();
}

/// Beside what the device holds, within what a worker may use.
constexpr std::size_t kKeptBytes = std::size_t{384} << 20U;

/// A pass this long warms itself: what its first moments find in the caches is nothing beside the rest.
constexpr Nanoseconds kWarmsItself{30e6};

Milliseconds since(std::chrono::steady_clock::time_point start) { return std::chrono::steady_clock::now() - start; }

}  // namespace

Answer Service::answer(Question question) {
  if (!device_ && !std::holds_alternative<Hello>(question) && !std::holds_alternative<ListDevices>(question))
    return Refused{"E-PROTOCOL", "no device is open: a hello comes first"};
  try {
    auto answered = std::visit([this](const auto& asked) { return on(asked); }, question);
    if (const auto why = device_ ? device_->lost() : std::nullopt; why && around_.give_up) around_.give_up(*why);
    return answered;
  } catch (const std::bad_alloc&) {
    return NotLaunched{"not enough memory within the worker's limit"};
  } catch (const std::length_error&) {
    return NotLaunched{"not enough memory within the worker's limit"};
  }
}

Answer Service::on(const Hello& hello) {
  auto opened = around_.open(hello);
  if (!opened) return Refused{opened.error().code(), opened.error().message()};
  device_ = std::move(opened->device);
  hello_ = hello;
  built_.clear();
  Welcome welcome{device_->info(), around_.sandbox};
  welcome.sandbox.parts.push_back(std::move(opened->memory));
  return welcome;
}

Answer Service::on(const ListDevices&) { return Devices{around_.list(), around_.sandbox}; }

std::variant<Built, NotBuilt> Service::build(const std::string& source, const std::vector<std::string>& options) {
  const auto hash = source_hash(source, options);
  if (const auto known = built_.find(hash); known != built_.end()) return known->second;
  const auto start = std::chrono::steady_clock::now();
  auto result = device_->build(hash, source, options);
  if (const auto* log = std::get_if<device::BuildLog>(&result)) return NotBuilt{log->text};
  Built built{.id = hash, .source_hash = hash, .kernels = std::move(std::get<0>(result)), .took = since(start)};
  return built_.emplace(hash, std::move(built)).first->second;
}

Answer Service::on(const Build& asked) {
  return std::visit([](auto done) -> Answer { return done; }, build(asked.source, asked.options));
}

Answer Service::on(const BuildAll& asked) {
  if (around_.warm && asked.builds.size() > 1 && keeps_builds(device_->info()))
    around_.warm(hello_, loaded_, asked.builds);
  BuildsDone done;
  for (const auto& one : asked.builds) done.builds.push_back(build(one.source, one.options));
  return done;
}

Answer Service::on(const Compile& asked) {
  auto result = device_->build(source_hash(asked.source, asked.options), asked.source, asked.options);
  if (const auto* log = std::get_if<device::BuildLog>(&result)) return NotBuilt{log->text};
  return Compiled{device_->form_of_last_build()};
}

Answer Service::on(const Provide& asked) {
  device_->provide(asked.form);
  return Provided{};
}

Result<Service::Contents> Service::contents(const BufferData& buffer) {
  const auto type = element_type(buffer.type);
  const bool given = !buffer.contents.empty() && !buffer.poison;
  if (given && type && buffer.contents.size() == buffer.count * type->bytes()) return Contents{buffer.contents, {}};
  const auto key = buffer.type + " " + buffer.made_as + " " + std::to_string(buffer.count) +
                   (buffer.poison ? std::string() : " " + buffer.fill + " " + std::to_string(buffer.seed));
  const auto known = made_.find(key);
  // On a device that shares this memory, a candidate may have written over what was kept for the next.
  if (!given && known != made_.end() && hash_of_bytes(known->second.bytes) == known->second.hash) {
    known->second.used = loads_;
    return Contents{known->second.bytes, known->second.hash};
  }
  auto bytes = inputs::contents_of(buffer);
  if (!bytes) return fail(std::move(bytes).error());
  made_.erase(key);
  // What no load uses any more goes first; what this one uses stays, however much it is.
  make_room(bytes->size(), loads_);
  auto hash = hash_of_bytes(*bytes);
  const auto& made = made_.emplace(key, Made{std::move(*bytes), std::move(hash), loads_}).first->second;
  return Contents{made.bytes, made.hash};
}

void Service::make_room(std::size_t more, std::uint64_t but) {
  for (const auto& [name, one] : made_) more += one.bytes.size();
  while (more > kKeptBytes) {
    const auto oldest = std::ranges::min_element(made_, {}, [](const auto& one) { return one.second.used; });
    if (oldest == made_.end() || oldest->second.used == but) return;
    more -= oldest->second.bytes.size();
    made_.erase(oldest);
  }
}

Answer Service::on(const Load& asked) {
  std::vector<device::BufferContents> buffers;
  std::vector<device::ImageContents> images;
  ++loads_;
  for (const auto& buffer : asked.buffers) {
    auto made = contents(buffer);
    if (!made) return not_launched(made.error());
    buffers.push_back({buffer.name, made->bytes, buffer.watched, buffer.only_read, made->hash});
  }
  for (const auto& image : asked.images) {
    auto bytes = inputs::contents_of(image);
    if (!bytes) return not_launched(bytes.error());
    images.push_back({image, std::move(*bytes)});
  }
  if (auto loaded = device_->load(buffers, images); !loaded) return not_launched(loaded.error());
  make_room(0, 0);
  changed_ = false;
  timed_ = {};
  loaded_ = around_.warm && is_small(asked) ? asked : Load{};
  return Loaded{};
}

Status Service::restore_if_changed() {
  if (!changed_) return {};
  if (auto restored = device_->restore(); !restored) return restored;
  changed_ = false;
  return {};
}

Answer Service::on(const Run& asked) {
  if (auto restored = restore_if_changed(); !restored) return not_launched(restored.error());
  changed_ = true;
  around_.take_printed();
  const auto times = device_->pass(asked.build, asked.launches);
  if (!times) return not_launched(times.error());
  auto answer = on(Read{asked.wanted});
  if (auto* ran = std::get_if<Ran>(&answer)) ran->span = times->span;
  return answer;
}

Answer Service::on(const Time& asked) {
  const auto known = built_.find(asked.build);
  if (known == built_.end()) return NotLaunched{"there is no build " + asked.build};
  TimesTaken taken;
  taken.source_hash = known->second.source_hash;
  std::function<os::ProcessorUse()> used;
  if (around_.watch_threads && device_->info().kind == "cpu") used = around_.watch_threads();
  // Pass 0 warms up: some runtimes compile at the first launch of a size.
  const bool is_warm = timed_.build == asked.build && timed_.launches == asked.launches && timed_.pass > kWarmsItself;
  for (std::size_t i = is_warm ? 1 : 0; i <= asked.runs; ++i) {
    if (asked.restore)
      if (auto restored = restore_if_changed(); !restored) return not_launched(restored.error());
    changed_ = true;
    if (used) used();
    const auto times = device_->pass(asked.build, asked.launches);
    if (!times) return not_launched(times.error());
    const auto use = used ? used() : os::ProcessorUse{};
    if (i == 0) continue;
    if (used) {
      taken.ran.push_back(use.ran);
      taken.waited.push_back(use.waited);
    }
    taken.span.push_back(times->span);
    taken.busy.push_back(times->busy);
    if (asked.outputs.empty()) continue;
    OutputHash left;
    for (const auto& name : asked.outputs) {
      const auto hash = device_->hash(name);
      if (!hash) return not_launched(hash.error());
      left.add(*hash);
    }
    taken.output_hashes.push_back(left.value());
  }
  if (!asked.launches.empty() && !taken.span.empty()) timed_ = {asked.build, asked.launches, taken.span.back()};
  return taken;
}

Answer Service::on(const Read& asked) {
  Ran ran;
  for (const auto& name : asked.wanted) {
    auto bytes = device_->read(name);
    if (!bytes) return not_launched(bytes.error());
    ran.outputs[name] = std::move(*bytes);
  }
  for (const auto& name : asked.hashed) {
    auto hash = device_->hash(name);
    if (!hash) return not_launched(hash.error());
    ran.hashes[name] = std::move(*hash);
  }
  auto broken = device_->broken_guards();
  if (!broken) return not_launched(broken.error());
  ran.broken_guards = std::move(*broken);
  ran.strayed = device_->strayed();
  ran.printed = around_.take_printed();
  return ran;
}

}  // namespace hone::worker
