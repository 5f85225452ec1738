#include "patch/revision.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Names = std::map<std::string, std::string>;

std::string slice(const std::string& text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin);
}

std::string renamed(std::string_view text, const Names& names);

/// A directive is one token; its words begin after the `#`.
std::string renamed_directive(std::string_view directive, const Names& names) {
  return "#" + renamed(directive.substr(1), names);
}

std::string renamed(std::string_view text, const Names& names) {
  std::string out;
  std::size_t at = 0;
  for (const auto& token : tokens_of(text)) {
    out += text.substr(at, token.begin - at);
    const std::string word(text_of(token, text));
    const auto found = token.kind == Token::Kind::Word ? names.find(word) : names.end();
    if (token.kind == Token::Kind::Directive)
      out += renamed_directive(word, names);
    else
      out += found == names.end() ? word : found->second;
    at = token.end;
  }
  out += text.substr(at);
  return out;
}

class Reviser {
 public:
  Reviser(const std::string& original, const std::string& winner, const std::set<std::string>& taken)
      : original_(original), winner_(winner), taken_(taken), before_(chunks_of(original)), after_(chunks_of(winner)) {
    for (const auto& chunk : before_) essences_.insert(essence(original_, chunk.range));
  }

  Revision run() {
    for (const auto& chunk : after_) changed_.push_back(!essences_.contains(essence(winner_, chunk.range)));
    choose_names();
    spread();
    for (std::size_t i = 0; i < after_.size(); ++i)
      if (changed_[i]) take(after_[i]);
    return std::move(out_);
  }

 private:
  const Chunk* original_of(const Chunk& chunk) const {
    const auto found = std::find_if(before_.begin(), before_.end(), [&](const Chunk& other) {
      return other.kind == chunk.kind && other.name == chunk.name && other.kernel == chunk.kernel;
    });
    return found == before_.end() || chunk.name.empty() ? nullptr : &*found;
  }

  void choose_names() {
    for (std::size_t i = 0; i < after_.size(); ++i)
      if (changed_[i]) choose_name(after_[i]);
  }

  void choose_name(const Chunk& chunk) {
    if (chunk.kernel || chunk.name.empty() || names_.contains(chunk.name)) return;
    const bool shared = original_of(chunk) != nullptr;
    if (!shared && !taken_.contains(chunk.name)) return;
    std::string fresh = chunk.name + "_hone";
    while (taken_.contains(fresh)) fresh += "_";
    names_[chunk.name] = fresh;
    if (shared)
      out_.notes.push_back(chunk.name + " is shared: cloned as " + fresh + ", the original stays as it is");
    else
      out_.notes.push_back(chunk.name + " is a name the file already uses: added as " + fresh);
  }

  /// What is unchanged but uses a clone must be cloned too, until nothing more does.
  void spread() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < after_.size(); ++i) {
        if (changed_[i] || !uses_renamed(after_[i])) continue;
        changed_[i] = again = true;
        choose_name(after_[i]);
      }
    }
  }

  bool uses_renamed(const Chunk& chunk) const {
    const auto used = names_in(slice(winner_, chunk.range.begin, chunk.range.end));
    return std::any_of(names_.begin(), names_.end(), [&](const auto& pair) { return used.contains(pair.first); });
  }

  void take(const Chunk& chunk) {
    if (!chunk.kernel) {
      const auto found = names_.find(chunk.name);
      out_.additions.push_back({found == names_.end() ? chunk.name : found->second,
                                renamed(slice(winner_, chunk.lead, chunk.range.end), names_),
                                winner_[chunk.range.begin] == '#'});
      return;
    }
    const Chunk* before = original_of(chunk);
    if (before == nullptr) {
      out_.unknown_kernels.push_back(chunk.name);
      return;
    }
    const std::string comment = slice(winner_, chunk.lead, chunk.range.begin);
    const bool known = original_.find(std::string(trim(comment))) != std::string::npos;
    out_.kernels.push_back({chunk.name, *before,
                            renamed(slice(winner_, known ? chunk.range.begin : chunk.lead, chunk.range.end), names_)});
  }

  const std::string &original_, &winner_;
  const std::set<std::string>& taken_;
  std::vector<Chunk> before_, after_;
  std::set<std::string> essences_;
  std::vector<bool> changed_;
  Names names_;
  Revision out_;
};

}  // namespace

std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> names;
  for (const auto& token : tokens_of(text)) {
    const auto word = text_of(token, text);
    if (token.kind == Token::Kind::Word) names.emplace(word);
    if (token.kind == Token::Kind::Directive) names.merge(names_in(word.substr(1)));
  }
  return names;
}

Revision revise(const std::string& original, const std::string& winner, const std::set<std::string>& taken) {
  return Reviser(original, winner, taken).run();
}

std::vector<Addition> needed_by(const std::string& text, const std::vector<Addition>& additions) {
  std::set<std::string> used = names_in(text);
  std::vector<bool> wanted(additions.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < additions.size(); ++i) {
      if (wanted[i] || !(additions[i].name.empty() || used.contains(additions[i].name))) continue;
      wanted[i] = again = true;
      used.merge(names_in(additions[i].text));
    }
  }
  std::vector<Addition> needed;
  for (std::size_t i = 0; i < additions.size(); ++i)
    if (wanted[i]) needed.push_back(additions[i]);
  return needed;
}

}  // namespace hone::patch
