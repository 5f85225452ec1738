#include "llm/agent_model.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.hpp"
#include "llm/chat_json.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace hone::llm {
namespace {

constexpr auto inside = "/agent";

std::vector<std::string> words_at(const Json& json, const std::string& key) {
  std::vector<std::string> out;
  if (const Json& list = at(json, {key}); list.is_array())
    for (const auto& word : list)
      if (word.is_string()) out.push_back(word.get<std::string>());
  return out;
}

std::string home_path(const std::string& path, const Environment& environment) {
  if (!path.starts_with("~/")) return path;
  return environment("HOME").value_or("") + path.substr(1);
}

/// The system's programs and libraries, the network's settings, and nothing of anybody's.
std::vector<std::string> sandbox_words(const AgentForm& form, const Environment& environment, const os::Path& folder) {
  std::vector<std::string> out = {
      "bwrap",  "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session", "--clearenv",
      "--proc", "/proc",         "--dev",         "/dev",          "--tmpfs",           "/tmp"};
  const auto add = [&](std::initializer_list<std::string> words) { out.insert(out.end(), words); };
  for (const char* path : {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ssl", "/etc/resolv.conf", "/etc/hosts",
                           "/etc/passwd", "/etc/ca-certificates", "/etc/alternatives", "/etc/ld.so.cache"})
    add({"--ro-bind-try", path, path});
  for (const auto& path : form.readable) {
    const auto real = home_path(path, environment);
    add({"--ro-bind-try", real, real});
  }
  for (const auto& path : form.writable) {
    const auto real = home_path(path, environment);
    add({"--bind-try", real, real});
  }
  add({"--bind", folder.string(), inside, "--chdir", inside});
  for (const char* name : {"PATH", "HOME", "LANG"})
    if (const auto value = environment(name)) add({"--setenv", name, *value});
  for (const auto& name : form.environment)
    if (const auto value = environment(name)) add({"--setenv", name, *value});
  return out;
}

Result<std::string> answer_in(const AgentForm& form, const os::Path& folder, const std::string& out) {
  if (form.answer == "stdout") return out;
  if (form.answer.starts_with("file:")) {
    const auto file = folder / form.answer.substr(5);
    std::error_code problem;
    // Followed from out here, a link would lead to what the sandbox hid.
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, problem)))
      return fail("E-REPLY", form.answer.substr(5) + " is no plain file");
    return os::read_text(file);
  }
  const Json json = parsed(out);
  const auto text = text_at(json, {form.answer.substr(5)});
  if (text.empty())
    return fail("E-REPLY", fmt::format("its output has no text under `{}`: {}", form.answer.substr(5), beginning(out)));
  return text;
}

Result<std::unique_ptr<LanguageModel>> open_agent(const std::string& name, const Surroundings& surroundings) {
  const auto config = surroundings.environment("XDG_CONFIG_HOME");
  const auto home = surroundings.environment("HOME");
  os::Path file = name;
  if (name.find('/') == std::string::npos)
    file = os::Path(config && !config->empty() ? *config : home.value_or("") + "/.config") / "hone" / "agents" /
           (name + ".json");
  const auto text = os::read_text(file);
  if (!text)
    return fail("E-MODEL", "no file says how the agent is called: " + text.error().message(), "see docs/models.md");
  auto form = agent_form_from(*text);
  if (!form) return fail(std::move(form).error().context(file.string()));
  if (os::find_program("bwrap").empty())
    return fail("E-MODEL", "an agent runs only in a sandbox, and bwrap is not here", "apt-get install bubblewrap");
  return std::make_unique<AgentModel>(name, std::move(*form), surroundings);
}

}  // namespace

Result<AgentForm> agent_form_from(const std::string& text) {
  const Json json = parsed(text);
  AgentForm form;
  form.command = words_at(json, "command");
  if (form.command.empty()) return fail("E-MODEL", "`command` must be a list of words", "see docs/models.md");
  const auto channel = at(json, {"prompt"}).is_null() ? "stdin" : text_at(json, {"prompt"});
  if (channel != "stdin" && channel != "words") return fail("E-MODEL", "`prompt` is stdin or words");
  form.on_stdin = channel == "stdin";
  if (!at(json, {"answer"}).is_null()) form.answer = text_at(json, {"answer"});
  const bool file = form.answer.starts_with("file:") && form.answer.find('/') == std::string::npos;
  if (form.answer != "stdout" && !file && !form.answer.starts_with("json:"))
    return fail("E-MODEL", "`answer` is stdout, file:NAME or json:KEY");
  form.readable = words_at(json, "readable");
  form.writable = words_at(json, "writable");
  form.environment = words_at(json, "environment");
  return form;
}

Result<Reply> AgentModel::complete(const Question& question, Seconds timeout) {
  auto folder = os::TempFolder::make("hone-agent");
  if (!folder) return fail(std::move(folder).error());
  if (auto written = os::write_text(folder->path() / "prompt.md", question.prompt); !written)
    return fail(std::move(written).error());
  os::Command command;
  command.words = sandbox_words(form_, surroundings_.environment, folder->path());
  for (const auto& word : form_.command)
    command.words.push_back(
        word == "{prompt}" ? question.prompt : replace_all(word, "{prompt_file}", std::string(inside) + "/prompt.md"));
  auto finished =
      os::run(command, form_.on_stdin ? question.prompt : "", timeout, os::largest_output, surroundings_.stop);
  if (!finished) return fail(std::move(finished).error().context("starting " + name()));
  if (finished->stopped) return stopped();
  if (finished->timed_out)
    return fail("E-MODEL", fmt::format("{} gave no answer within {:.0f} s", name(), timeout.count()));
  if (finished->exit.code != 0 || finished->exit.signal != 0)
    return fail("E-MODEL", fmt::format("{} ended with {}: {}", name(), finished->exit.text(),
                                       beginning(std::string(trim(finished->err)))));
  auto text = answer_in(form_, folder->path(), finished->out);
  if (!text) return fail(std::move(text).error().context("asking " + name()));
  return Reply{std::move(*text), false};
}

const Provider agent_provider = {"agent", "NAME", open_agent};

}  // namespace hone::llm
