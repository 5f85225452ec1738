// libFuzzer: what a model or its server may send. The first byte chooses who reads it: the forms of an answer, the
// mends, a completion, or a server's answer in one of the three protocols, whole or in pieces.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "agents/completion.hpp"
#include "agents/mend.hpp"
#include "agents/reply.hpp"
#include "core/format.hpp"
#include "llm/chat_model.hpp"
#include "round.hpp"

namespace {

using namespace hone;

void require(bool holds) {
  if (!holds) std::abort();
}

const RoundContext& round_of_matmul() {
  static const auto round = [] {
    auto out = agents::test::matmul_round();
    Parent parent;
    parent.made_of.name = "tiles";
    parent.made_of.source = out.mep.source;
    parent.made_of.space.parameters = {
        {"TI", {Value(std::int64_t{1}), Value(std::int64_t{2})}, Value(std::int64_t{1})}};
    out.parents = {parent};
    return out;
  }();
  return round;
}

/// The forms a schedule's steps have; the rules themselves are not needed to read an answer.
const RuleForms& forms() {
  static const RuleForms all = {{"lanes", {}, ""}, {"unroll", {}, ""}};
  return all;
}

/// What is taken from an answer can be kept: printed and read again it is the same.
void hold(const Template& value) {
  require(value.source.empty() != value.schedule.empty());
  const auto again = template_from_files(to_files(value), value.name);
  require(again.has_value());
  require(to_files(*again) == to_files(value));
}

void read_as_candidate(const std::string& text, const RuleForms& rules) {
  const auto& round = round_of_matmul();
  std::vector<std::string> mended;
  const auto templates = agents::templates_in(text, {round.mep, rules, &round.device, &mended}, "m");
  if (templates)
    for (const auto& value : *templates) hold(value);
  else
    require(templates.error().code() == "E-REPLY");
  if (const auto points = agents::points_in(text, round.parents); points && *points)
    for (const auto& value : **points) hold(value);
  (void)agents::nothing_more_in(text);
  (void)agents::plan_in(text, 3);
  (void)agents::patterns_cited(text);
}

void read_as_completion(const std::string& text) {
  Extraction extraction;
  extraction.source = round_of_matmul().mep.source;
  extraction.kernels = {"matmul"};
  const auto read = agents::completion_in(text, extraction);
  require(read || read.error().code() == "E-REPLY");
}

void mend(const std::string& text) {
  const auto source = agents::mend_source(text, round_of_matmul().mep, {"TI"});
  require(!source.what.empty() || source.text == text);
  (void)agents::mend_manifest(text);
  (void)agents::defined_numbers(text);
}

/// However a stream is cut into pieces, it says the same.
void read_as_server(llm::Protocol protocol, const std::string& body, std::size_t step) {
  (void)llm::reply_of(protocol, body);
  llm::ReplyStream whole(protocol), pieces(protocol);
  whole.take(body);
  for (std::size_t at = 0; at < body.size(); at += step) pieces.take(std::string_view(body).substr(at, step));
  const auto one = whole.reply(), other = pieces.reply();
  require(one.has_value() == other.has_value());
  if (one) require(one->text == other->text && one->cut == other->cut && one->usage == other->usage);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr llm::Protocol protocols[] = {llm::Protocol::OpenAi, llm::Protocol::Responses, llm::Protocol::Anthropic};
  switch (data[0] % 8) {
    case 0:
    case 1: read_as_candidate(text, forms()); break;
    case 2: read_as_candidate(text, {}); break;
    case 3: read_as_completion(text); break;
    case 4: mend(text); break;
    default: read_as_server(protocols[data[0] % 8 - 5], text, 1U + data[0] / 8U);
  }
  return 0;
}
