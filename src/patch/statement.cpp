#include "patch/statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Kind = Token::Kind;

tl::unexpected<Error> refuse(const std::string& file, std::size_t place, const std::string& why) {
  return fail("E-LAUNCHSITE", fmt::format("the launch at line {} {}", line_of(file, place), why));
}

class Finder {
 public:
  Finder(const std::string& file, std::size_t call) : file_(file), call_(call), tokens_(tokens_of(file)) {}

  Result<Statement> run() {
    at_ = 0;
    while (at_ < tokens_.size() && tokens_[at_].end <= call_) ++at_;
    if (at_ == tokens_.size() || tokens_[at_].kind == Kind::Directive) return refuse(file_, call_, "is in a macro");
    start_ = first_of_statement();
    owner_ = start_;
    if (auto peeled = peel(); !peeled) return fail(std::move(peeled).error());
    Statement statement{tokens_[start_].begin, 0, start_ == 0 ? 0 : tokens_[start_ - 1].end, tokens_[owner_].begin,
                        braces_};
    if (braces_) {
      const std::size_t last = end_of_statement();
      if (last == tokens_.size() || is_control(word(start_)))
        return refuse(file_, call_, "is the body of another statement");
      statement.end = tokens_[last].end;
    }
    return statement;
  }

 private:
  std::string_view word(std::size_t i) const { return text_of(tokens_[i], file_); }
  bool mark(std::size_t i, char c) const { return tokens_[i].kind == Kind::Mark && file_[tokens_[i].begin] == c; }
  static bool is_control(std::string_view name) {
    static constexpr std::array<std::string_view, 6> words = {"if", "for", "while", "switch", "else", "do"};
    return std::find(words.begin(), words.end(), name) != words.end();
  }

  /// After the last `;`, `{` or `}` of the block the call is in.
  std::size_t first_of_statement() const {
    std::vector<std::size_t> open;          // brackets around the current token
    std::vector<std::size_t> starts = {0};  // where a statement begins, per block
    for (std::size_t i = 0; i < at_; ++i) {
      if (mark(i, '{') || mark(i, '(') || mark(i, '[')) {
        open.push_back(i);
        if (mark(i, '{')) starts.push_back(i + 1);
      } else if (mark(i, '}') || mark(i, ')') || mark(i, ']')) {
        const bool block = !open.empty() && mark(open.back(), '{');
        if (!open.empty()) open.pop_back();
        if (block && starts.size() > 1) starts.pop_back();
        if (block && (open.empty() || mark(open.back(), '{'))) starts.back() = i + 1;
      } else if ((mark(i, ';') && (open.empty() || mark(open.back(), '{'))) || tokens_[i].kind == Kind::Directive) {
        starts.back() = i + 1;
      }
    }
    return starts.back();
  }

  /// Past labels and the headers of the statements the call is the body of.
  Status peel() {
    while (start_ < at_) {
      const auto name = word(start_);
      if (name == "else" || name == "do") {
        ++start_;
        braces_ = true;
      } else if (is_control(name)) {
        const std::size_t close = closing(tokens_, file_, start_ + 1);
        if (close > at_ && (name == "for" || name == "while"))
          return refuse(file_, call_, "is in the header of a loop");
        if (close > at_) return {};
        start_ = close + 1;
        braces_ = true;
      } else if (const std::size_t colon = label_end(); colon != 0) {
        start_ = owner_ = colon + 1;
        braces_ = true;
      } else {
        return {};
      }
    }
    return {};
  }

  std::size_t label_end() const {
    const auto name = word(start_);
    if (name == "case") {
      for (std::size_t i = start_; i < at_; ++i)
        if (mark(i, ':')) return i;
      return 0;
    }
    const bool label =
        tokens_[start_].kind == Kind::Word && start_ + 1 < at_ && mark(start_ + 1, ':') && !mark(start_ + 2, ':');
    return label ? start_ + 1 : 0;
  }

  std::size_t end_of_statement() const {
    for (std::size_t i = start_; i < tokens_.size(); ++i) {
      if (mark(i, ';')) return i;
      if (mark(i, '(') || mark(i, '[') || mark(i, '{')) i = closing(tokens_, file_, i);
    }
    return tokens_.size();
  }

  const std::string& file_;
  std::size_t call_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0, start_ = 0, owner_ = 0;
  bool braces_ = false;
};

std::size_t line_begin(const std::string& file, std::size_t place) {
  const auto newline = place == 0 ? std::string::npos : file.rfind('\n', place - 1);
  return newline == std::string::npos ? 0 : newline + 1;
}

std::string indent_at(const std::string& file, std::size_t place) {
  const std::size_t begin = line_begin(file, place);
  const std::size_t end = file.find_first_not_of(" \t", begin);
  return file.substr(begin, std::min(end, place) - begin);
}

}  // namespace

Result<Statement> statement_around(const std::string& file, std::size_t call) { return Finder(file, call).run(); }

std::vector<Edit> put_before(const std::string& file, const Statement& statement,
                             const std::vector<std::string>& lines) {
  const std::string newline = file.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  const std::string outer = indent_at(file, statement.owner);
  const bool own_line = trim(std::string_view(file).substr(line_begin(file, statement.begin),
                                                           statement.begin - line_begin(file, statement.begin)))
                            .empty();
  const std::string unit = outer.find('\t') != std::string::npos ? "\t" : "    ";
  const std::string inner = statement.braces && !own_line ? outer + unit : indent_at(file, statement.begin);
  std::string text;
  for (const auto& line : lines) text.append(line).append(newline).append(inner);
  if (!statement.braces) return {{{statement.begin, statement.begin}, text}};
  std::vector<Edit> edits = {{{statement.after_previous, statement.after_previous}, " {"},
                             {{statement.end, statement.end}, newline + outer + "}"}};
  if (own_line)
    edits.push_back({{statement.begin, statement.begin}, text});
  else
    edits.push_back({{statement.after_previous, statement.begin}, newline + inner + text});
  return edits;
}

Result<Call> call_named(const std::string& file, ByteRange within, std::string_view callee) {
  const auto tokens = tokens_of(file);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].begin < within.begin || tokens[i].end > within.end || text_of(tokens[i], file) != callee) continue;
    if (file[tokens[i + 1].begin] != '(') continue;
    const std::size_t close = closing(tokens, file, i + 1);
    if (close == tokens.size()) break;
    Call call{tokens[i].begin, {}};
    for (std::size_t j = i + 2; j < close; ++j) {
      const std::size_t first = j;
      while (j < close && file[tokens[j].begin] != ',') {
        const char c = tokens[j].kind == Kind::Mark ? file[tokens[j].begin] : ' ';
        if (c == '(' || c == '[' || c == '{') j = closing(tokens, file, j);
        ++j;
      }
      if (j == first) break;
      call.arguments.push_back({tokens[first].begin, tokens[j - 1].end});
    }
    return call;
  }
  return fail("E-LAUNCHSITE", fmt::format("no call of {} at line {}", callee, line_of(file, within.begin)));
}

}  // namespace hone::patch
