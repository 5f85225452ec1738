#include "patch/chunks.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Kind = Token::Kind;

/// "if", "define", ... of "#  define X 1".
std::string directive_word(std::string_view directive) {
  directive.remove_prefix(1);
  directive = trim(directive);
  const auto end = directive.find_first_of(" \t(\"</\\\r\n");
  return std::string(directive.substr(0, end));
}

std::string macro_name(std::string_view directive) {
  const auto tokens = tokens_of(directive.substr(1));
  return tokens.size() > 1 ? std::string(text_of(tokens[1], directive.substr(1))) : std::string();
}

class Chunker {
 public:
  explicit Chunker(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  std::vector<Chunk> run() {
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < tokens_.size();) {
      const auto bracket = scope_bracket(i);
      const std::size_t end = bracket                              ? *bracket
                              : tokens_[i].kind == Kind::Directive ? directive_end(i)
                                                                   : declaration_end(i);
      chunks.push_back(bracket ? plain(i, end) : describe(i, end));
      i = end;
    }
    return chunks;
  }

 private:
  std::string_view word(std::size_t i) const { return text_of(tokens_[i], text_); }
  bool mark(std::size_t i, char c) const { return tokens_[i].kind == Kind::Mark && text_[tokens_[i].begin] == c; }

  std::size_t directive_end(std::size_t i) const {
    if (directive_word(word(i)).substr(0, 2) != "if") return i + 1;
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::Directive) continue;
      const std::string name = directive_word(word(i));
      if (name.substr(0, 2) == "if") ++depth;
      if (name == "endif" && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  /// Behind `namespace a::b {`, `extern "C" {` or the bracket that ends one: what stands inside is declared for itself.
  std::optional<std::size_t> scope_bracket(std::size_t i) const {
    if (mark(i, '}')) return i + 1;
    auto at = i;
    if (word(at) == "inline" && at + 1 < tokens_.size()) ++at;
    const bool linkage = word(at) == "extern" && at + 1 < tokens_.size() && tokens_[at + 1].kind == Kind::String;
    if (!linkage && word(at) != "namespace") return std::nullopt;
    for (++at; at < tokens_.size(); ++at) {
      if (mark(at, '{')) return at + 1;
      const bool name =
          tokens_[at].kind == Kind::Word || mark(at, ':') || (linkage && tokens_[at].kind == Kind::String);
      if (!name || (linkage && tokens_[at].kind == Kind::Word)) return std::nullopt;
    }
    return std::nullopt;
  }

  Chunk plain(std::size_t begin, std::size_t end) const {
    Chunk chunk;
    chunk.range = {tokens_[begin].begin, tokens_[end - 1].end};
    chunk.lead = lead_of(begin);
    return chunk;
  }

  /// A function ends with its body; everything else with its semicolon.
  std::size_t declaration_end(std::size_t i) const {
    for (; i < tokens_.size(); ++i) {
      if (mark(i, ';')) return i + 1;
      const bool body = mark(i, '{') && i > 0 && mark(i - 1, ')');
      if (mark(i, '{') || mark(i, '(') || mark(i, '[')) i = closing(tokens_, text_, i);
      if (body) return std::min(i + 1, tokens_.size());
    }
    return tokens_.size();
  }

  Chunk describe(std::size_t begin, std::size_t end) const {
    Chunk chunk = plain(begin, end);
    if (tokens_[begin].kind == Kind::Directive) {
      if (directive_word(word(begin)) != "define") return chunk;
      chunk.kind = Chunk::Kind::Macro;
      chunk.name = macro_name(word(begin));
      return chunk;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const auto name = word(i);
      if (name == "__kernel" || name == "kernel" || name == "__global__") chunk.kernel = true;
      if (mark(i, '{') || mark(i, ';')) break;
    }
    chunk.kernel = chunk.kernel && mark(end - 1, '}');  // a declaration alone has no text to change
    name_declaration(chunk, begin, end);
    return chunk;
  }

  void name_declaration(Chunk& chunk, std::size_t begin, std::size_t end) const {
    const bool is_typedef = word(begin) == "typedef";
    std::string last;
    std::string tag;
    for (std::size_t i = begin; i < end; ++i) {
      const auto name = word(i);
      if (tokens_[i].kind == Kind::Word) {
        if (name == "__attribute__" || name == "__launch_bounds__") {
          i = closing(tokens_, text_, i + 1);
          continue;
        }
        if (last == "struct" || last == "union" || last == "enum") tag = name;
        last = name;
      }
      if (mark(i, '(') && !is_typedef && !last.empty()) {
        chunk.kind = Chunk::Kind::Function;
        chunk.name = last;
        return;
      }
      if (mark(i, '{')) i = closing(tokens_, text_, i);
      if (mark(i, '=') || mark(i, '[')) break;
    }
    const bool only_tag = !is_typedef && end >= 2 && mark(end - 2, '}') && !tag.empty();
    chunk.name = only_tag ? tag : last;
  }

  /// Where the comments begin that sit directly above: on lines of their own, with no empty line in between.
  std::size_t lead_of(std::size_t begin) const {
    const std::size_t floor = begin == 0 ? 0 : tokens_[begin - 1].end;
    std::size_t lead = tokens_[begin].begin;
    const auto comments = comments_between(floor, lead);
    for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
      const auto gap = text_.substr(comment->end, lead - comment->end);
      const auto before = text_.substr(floor, comment->begin - floor);
      const bool own_line = floor == 0 || before.find('\n') != std::string_view::npos;
      if (std::count(gap.begin(), gap.end(), '\n') > 1 || !own_line) break;
      lead = comment->begin;
    }
    return lead;
  }

  std::vector<ByteRange> comments_between(std::size_t begin, std::size_t end) const {
    std::vector<ByteRange> comments;
    for (std::size_t at = text_.find('/', begin); at < end; at = text_.find('/', at)) {
      const bool line = text_.substr(at, 2) == "//";
      const auto close = line ? text_.find('\n', at) : text_.find("*/", at + 2);
      comments.push_back({at, std::min(close == std::string_view::npos ? end : close + (line ? 0 : 2), end)});
      at = comments.back().end;
    }
    return comments;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Chunk> chunks_of(std::string_view source) { return Chunker(source).run(); }

std::string essence(std::string_view source, ByteRange range) {
  const auto text = source.substr(range.begin, range.end - range.begin);
  std::string out;
  for (const auto& token : tokens_of(text)) {
    if (!out.empty()) out += ' ';
    out += text_of(token, text);
  }
  return out;
}

}  // namespace hone::patch
