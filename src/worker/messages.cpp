#include "worker/messages.hpp"

#include <stdexcept>

#include "core/samples_json.hpp"
#include "worker/json_values.hpp"

namespace hone::worker {
namespace {

std::string text_of(Blob blob) { return {blob.begin(), blob.end()}; }
Blob blob_of(const std::string& text) { return {text.begin(), text.end()}; }

/// Blobs are taken by the place a header names.
Blob take_blob(Frame& frame, const Json& index) { return std::move(frame.blobs.at(index.get<std::size_t>())); }
std::size_t add_blob(Frame& frame, Blob blob) {
  frame.blobs.push_back(std::move(blob));
  return frame.blobs.size() - 1;
}

// Requests, one pair of functions for each kind.

void write(Frame& frame, const Hello& question) {
  frame.header["request"] = "hello";
  frame.header["device"] = question.device;
  frame.header["memory"] = question.memory.count;
}
Question read_hello(Frame& frame) {
  return Hello{frame.header.at("device"), Bytes{frame.header.at("memory").get<std::uint64_t>()}};
}

void write(Frame& frame, ListDevices) { frame.header["request"] = "list"; }
Question read_list(Frame&) { return ListDevices{}; }

void write(Frame& frame, const Build& question) {
  frame.header["request"] = "build";
  frame.header["options"] = question.options;
  frame.header["source"] = add_blob(frame, blob_of(question.source));
}
Question read_build(Frame& frame) {
  return Build{text_of(take_blob(frame, frame.header.at("source"))),
               frame.header.at("options").get<std::vector<std::string>>()};
}

void write(Frame& frame, const BuildAll& question) {
  frame.header["request"] = "build_all";
  auto& builds = frame.header["builds"] = Json::array();
  for (const auto& build : question.builds)
    builds.push_back({{"options", build.options},
                      {"source", add_blob(frame, blob_of(build.source))},
                      {"launches", to_json(build.launches)}});
}
Question read_build_all(Frame& frame) {
  BuildAll question;
  for (const auto& build : frame.header.at("builds"))
    question.builds.push_back({text_of(take_blob(frame, build.at("source"))),
                               build.at("options").get<std::vector<std::string>>(),
                               launches_from(build.at("launches"))});
  return question;
}

void write(Frame& frame, const Compile& question) {
  write(frame, Build{question.source, question.options});
  frame.header["request"] = "compile";
}
Question read_compile(Frame& frame) {
  auto build = std::get<Build>(read_build(frame));
  return Compile{std::move(build.source), std::move(build.options)};
}

/// Files by name.
void write_form(Frame& frame, CompiledForm form) {
  auto& files = frame.header["form"] = Json::object();
  for (auto& [name, bytes] : form) files[name] = add_blob(frame, std::move(bytes));
}
CompiledForm read_form(Frame& frame) {
  CompiledForm form;
  for (const auto& [name, place] : frame.header.at("form").items()) form[name] = take_blob(frame, place);
  return form;
}

void write(Frame& frame, Provide question) {
  frame.header["request"] = "provide";
  write_form(frame, std::move(question.form));
}
Question read_provide(Frame& frame) { return Provide{read_form(frame)}; }

void write(Frame& frame, Load question) {
  frame.header["request"] = "load";
  auto& buffers = frame.header["buffers"] = Json::array();
  for (auto& buffer : question.buffers) {
    Json one = {{"name", buffer.name}, {"type", buffer.type}, {"count", buffer.count},
                {"fill", buffer.fill}, {"seed", buffer.seed}, {"poison", buffer.poison}};
    if (buffer.watched > 0) one["watched"] = buffer.watched;
    if (!buffer.made_as.empty()) one["made_as"] = buffer.made_as;
    if (buffer.only_read) one["only_read"] = true;
    if (!buffer.contents.empty()) one["contents"] = add_blob(frame, std::move(buffer.contents));
    buffers.push_back(std::move(one));
  }
  auto& images = frame.header["images"] = Json::array();
  for (const auto& image : question.images)
    images.push_back({{"name", image.name},
                      {"order", image.channel_order},
                      {"type", image.channel_type},
                      {"width", image.width},
                      {"height", image.height},
                      {"kind", image.kind},
                      {"depth", image.depth},
                      {"fill", image.fill},
                      {"seed", image.seed}});
}
Question read_load(Frame& frame) {
  Load question;
  for (const auto& one : frame.header.at("buffers")) {
    BufferData buffer{
        one.at("name"), one.at("type"), one.at("count"), one.at("fill"), one.at("seed"), one.at("poison"), {}};
    buffer.watched = one.value("watched", std::size_t{0});
    buffer.made_as = one.value("made_as", "");
    buffer.only_read = one.value("only_read", false);
    if (one.contains("contents")) buffer.contents = take_blob(frame, one.at("contents"));
    question.buffers.push_back(std::move(buffer));
  }
  for (const auto& one : frame.header.at("images"))
    question.images.push_back({one.at("name"), one.at("order"), one.at("type"), one.at("width"), one.at("height"),
                               one.at("fill"), one.at("seed"), one.value("kind", "2d"),
                               one.value("depth", std::size_t{1})});
  return question;
}

void write(Frame& frame, const Run& question) {
  frame.header["request"] = "run";
  frame.header["build"] = question.build;
  frame.header["launches"] = to_json(question.launches);
  frame.header["wanted"] = question.wanted;
}
Question read_run(Frame& frame) {
  return Run{frame.header.at("build"), launches_from(frame.header.at("launches")),
             frame.header.at("wanted").get<std::vector<std::string>>()};
}

void write(Frame& frame, const Time& question) {
  frame.header["request"] = "time";
  frame.header["build"] = question.build;
  frame.header["launches"] = to_json(question.launches);
  frame.header["runs"] = question.runs;
  frame.header["restore"] = question.restore;
  frame.header["outputs"] = question.outputs;
}
Question read_time(Frame& frame) {
  return Time{frame.header.at("build"), launches_from(frame.header.at("launches")), frame.header.at("runs"),
              frame.header.at("restore"), frame.header.at("outputs").get<std::vector<std::string>>()};
}

void write(Frame& frame, const Read& question) {
  frame.header["request"] = "read";
  frame.header["wanted"] = question.wanted;
  frame.header["hashed"] = question.hashed;
}
Question read_read(Frame& frame) {
  return Read{frame.header.at("wanted").get<std::vector<std::string>>(),
              frame.header.at("hashed").get<std::vector<std::string>>()};
}

// Answers.

void write(Frame& frame, const Welcome& answer) {
  frame.header["answer"] = "welcome";
  frame.header["device"] = to_json(answer.device);
  frame.header["sandbox"] = to_json(answer.sandbox);
}
Answer read_welcome(Frame& frame) {
  return Welcome{device_from(frame.header.at("device")), sandbox_from(frame.header.at("sandbox"))};
}

void write(Frame& frame, const Devices& answer) {
  frame.header["answer"] = "devices";
  auto& devices = frame.header["devices"] = Json::array();
  for (const auto& device : answer.devices) devices.push_back(to_json(device));
  frame.header["sandbox"] = to_json(answer.sandbox);
}
Answer read_devices(Frame& frame) {
  Devices answer;
  for (const auto& device : frame.header.at("devices")) answer.devices.push_back(device_from(device));
  answer.sandbox = sandbox_from(frame.header.at("sandbox"));
  return answer;
}

Json built_json(const Built& built) {
  return {{"id", built.id},
          {"source_hash", built.source_hash},
          {"kernels", to_json(built.kernels)},
          {"took_ms", built.took.count()}};
}
Built built_from(const Json& json) {
  return {json.at("id"), json.at("source_hash"), kernels_from(json.at("kernels")),
          Milliseconds(json.at("took_ms").get<double>())};
}
void write(Frame& frame, const Built& answer) {
  frame.header["answer"] = "built";
  frame.header["built"] = built_json(answer);
}
Answer read_built(Frame& frame) { return built_from(frame.header.at("built")); }

void write(Frame& frame, const NotBuilt& answer) {
  frame.header["answer"] = "not_built";
  frame.header["log"] = answer.log;
}
Answer read_not_built(Frame& frame) { return NotBuilt{frame.header.at("log")}; }

void write(Frame& frame, const BuildsDone& answer) {
  frame.header["answer"] = "builds_done";
  auto& builds = frame.header["builds"] = Json::array();
  for (const auto& build : answer.builds) {
    if (const auto* built = std::get_if<Built>(&build))
      builds.push_back({{"built", built_json(*built)}});
    else
      builds.push_back({{"log", std::get<NotBuilt>(build).log}});
  }
}
Answer read_builds_done(Frame& frame) {
  BuildsDone answer;
  for (const auto& build : frame.header.at("builds")) {
    if (build.contains("built"))
      answer.builds.emplace_back(built_from(build.at("built")));
    else
      answer.builds.emplace_back(NotBuilt{build.at("log")});
  }
  return answer;
}

void write(Frame& frame, Compiled answer) {
  frame.header["answer"] = "compiled";
  write_form(frame, std::move(answer.form));
}
Answer read_compiled(Frame& frame) { return Compiled{read_form(frame)}; }

void write(Frame& frame, Provided) { frame.header["answer"] = "provided"; }
Answer read_provided(Frame&) { return Provided{}; }

void write(Frame& frame, Loaded) { frame.header["answer"] = "loaded"; }
Answer read_loaded(Frame&) { return Loaded{}; }

void write(Frame& frame, Ran answer) {
  frame.header["answer"] = "ran";
  auto& outputs = frame.header["outputs"] = Json::object();
  for (auto& [name, bytes] : answer.outputs) outputs[name] = add_blob(frame, std::move(bytes));
  frame.header["broken_guards"] = answer.broken_guards;
  frame.header["printed"] = answer.printed;
  frame.header["span"] = answer.span.count();
  frame.header["hashes"] = answer.hashes;
  for (const auto& [name, how_far] : answer.strayed)
    frame.header["strayed"][name] = {{"before", how_far.before}, {"after", how_far.after}};
}
Answer read_ran(Frame& frame) {
  Ran answer;
  for (const auto& [name, place] : frame.header.at("outputs").items()) answer.outputs[name] = take_blob(frame, place);
  answer.broken_guards = frame.header.at("broken_guards").get<std::vector<std::string>>();
  answer.printed = frame.header.at("printed");
  answer.span = Nanoseconds(frame.header.value("span", 0.0));
  answer.hashes = frame.header.at("hashes").get<std::map<std::string, std::string>>();
  if (frame.header.contains("strayed"))
    for (const auto& [name, how_far] : frame.header.at("strayed").items())
      answer.strayed[name] = {how_far.at("before"), how_far.at("after")};
  return answer;
}

void write(Frame& frame, const TimesTaken& answer) {
  frame.header["answer"] = "times";
  frame.header["span"] = as_json(answer.span);
  frame.header["busy"] = as_json(answer.busy);
  frame.header["ran"] = as_json(answer.ran);
  frame.header["waited"] = as_json(answer.waited);
  frame.header["source_hash"] = answer.source_hash;
  frame.header["output_hashes"] = answer.output_hashes;
}
Answer read_times(Frame& frame) {
  TimesTaken taken;
  taken.span = samples_from(frame.header.at("span"));
  taken.busy = samples_from(frame.header.at("busy"));
  taken.ran = samples_from(frame.header.value("ran", Json::array()));
  taken.waited = samples_from(frame.header.value("waited", Json::array()));
  taken.source_hash = frame.header.at("source_hash");
  taken.output_hashes = frame.header.at("output_hashes").get<std::vector<std::string>>();
  return taken;
}

void write(Frame& frame, const NotLaunched& answer) {
  frame.header["answer"] = "not_launched";
  frame.header["reason"] = answer.reason;
}
Answer read_not_launched(Frame& frame) { return NotLaunched{frame.header.at("reason")}; }

void write(Frame& frame, const Refused& answer) {
  frame.header["answer"] = "refused";
  frame.header["code"] = answer.code;
  frame.header["message"] = answer.message;
}
Answer read_refused(Frame& frame) { return Refused{frame.header.at("code"), frame.header.at("message")}; }

template <class T>
struct Reader {
  std::string_view name;
  T (*read)(Frame&);
};
constexpr std::array kQuestions = {
    Reader<Question>{"hello", read_hello},     Reader<Question>{"list", read_list},
    Reader<Question>{"build", read_build},     Reader<Question>{"build_all", read_build_all},
    Reader<Question>{"compile", read_compile}, Reader<Question>{"provide", read_provide},
    Reader<Question>{"load", read_load},       Reader<Question>{"run", read_run},
    Reader<Question>{"time", read_time},       Reader<Question>{"read", read_read}};
constexpr std::array kAnswers = {Reader<Answer>{"welcome", read_welcome},
                                 Reader<Answer>{"devices", read_devices},
                                 Reader<Answer>{"built", read_built},
                                 Reader<Answer>{"not_built", read_not_built},
                                 Reader<Answer>{"builds_done", read_builds_done},
                                 Reader<Answer>{"compiled", read_compiled},
                                 Reader<Answer>{"provided", read_provided},
                                 Reader<Answer>{"loaded", read_loaded},
                                 Reader<Answer>{"ran", read_ran},
                                 Reader<Answer>{"times", read_times},
                                 Reader<Answer>{"not_launched", read_not_launched},
                                 Reader<Answer>{"refused", read_refused}};

template <class T, std::size_t N>
T read_kind(const std::array<Reader<T>, N>& readers, const std::string& kind, Frame& frame) {
  for (const auto& reader : readers)
    if (reader.name == kind) return reader.read(frame);
  throw std::invalid_argument("it is of no known kind");
}

tl::unexpected<Error> unreadable(const char* what, const std::exception& why) {
  return fail("E-PROTOCOL", std::string("a ") + what + " that does not fit: " + why.what());
}

}  // namespace

Frame to_frame(Request request) {
  Frame frame;
  frame.header["number"] = request.number;
  frame.header["limit_ms"] = request.limit.count();
  std::visit([&](auto& question) { write(frame, std::move(question)); }, request.question);
  return frame;
}

Result<Request> request_from(Frame frame) {
  try {
    Request request;
    request.number = frame.header.at("number");
    request.limit = Milliseconds(frame.header.at("limit_ms").get<double>());
    request.question = read_kind(kQuestions, frame.header.at("request").get<std::string>(), frame);
    return request;
  } catch (const std::exception& why) {
    return unreadable("request", why);
  }
}

Frame to_frame(Reply reply) {
  Frame frame;
  frame.header["number"] = reply.number;
  std::visit([&](auto& answer) { write(frame, std::move(answer)); }, reply.answer);
  return frame;
}

Result<Reply> reply_from(Frame frame) {
  try {
    Reply reply;
    reply.number = frame.header.at("number");
    reply.answer = read_kind(kAnswers, frame.header.at("answer").get<std::string>(), frame);
    return reply;
  } catch (const std::exception& why) {
    return unreadable("reply", why);
  }
}

}  // namespace hone::worker
