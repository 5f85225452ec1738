#include "source/host_code.hpp"

#include <algorithm>
#include <set>

#include "source/device_text.hpp"

namespace hone::source::host {
namespace {

bool is_control(std::string_view word) {
  static const std::set<std::string_view> words = {"if", "for",  "while", "switch", "return", "sizeof",  "catch",
                                                   "do", "else", "new",   "delete", "throw",  "alignof", "decltype"};
  return words.contains(word);
}

class Reader {
 public:
  Reader(const HostFile& file, HostCode& into) : file_(file), tokens_(file.tokens), code_(into) {}

  void file() { scope(0, tokens_.size()); }

 private:
  Span span(std::size_t begin, std::size_t end) const { return {&file_, begin, end}; }

  /// A file, a namespace or a class: functions and declarations.
  void scope(std::size_t at, std::size_t end) {
    std::size_t start = at;
    while (at < end) {
      const auto& token = tokens_[at];
      if (token.kind == Token::Kind::Directive) {
        macro(token);
        if (start == at) ++start;
        ++at;
      } else if (token.is(";")) {
        declaration(start, at);
        start = ++at;
      } else if (token.is("(") || token.is("[")) {
        at = after_matching(tokens_, at, end);
      } else if (token.is("{")) {
        const auto after = after_matching(tokens_, at, end);
        if (opens_scope(start, at)) {
          scope(at + 1, after - 1);
          start = at = after;
        } else if (const auto bracket = parameter_list(start, at)) {
          function(*bracket, at, after);
          start = at = after;
        } else {
          at = after;
        }
      } else {
        ++at;
      }
    }
  }

  void declaration(std::size_t begin, std::size_t end) {
    if (begin >= end || tokens_[begin].is("typedef") || tokens_[begin].is("using")) return;
    Statement out;
    out.all = span(begin, end);
    code_.globals.push_back(std::move(out));
  }

  void macro(const Token& token) {
    auto text = std::string(token.text);
    std::replace(text.begin(), text.end(), '\\', ' ');
    auto held = std::make_unique<HostFile>();
    held->path = file_.path;
    held->text = text.substr(1);
    held->tokens = tokens_of(held->text);
    const auto& inner = held->tokens;
    if (inner.size() < 2 || !inner[0].is("define")) return;
    const bool takes_arguments = inner.size() > 2 && inner[2].is("(") && inner[2].begin == inner[1].end;
    if (takes_arguments) return;
    code_.macros.emplace(std::string(inner[1].text), Span{held.get(), 2, inner.size()});
    code_.macro_texts.push_back(std::move(held));
  }

  bool opens_scope(std::size_t begin, std::size_t brace) const {
    for (std::size_t i = begin; i < brace; ++i) {
      if (tokens_[i].is("(") || tokens_[i].is("=")) return false;
    }
    for (std::size_t i = begin; i < brace; ++i) {
      if (tokens_[i].is("namespace") || tokens_[i].is("class") || tokens_[i].is("struct")) return true;
      if (tokens_[i].is("extern") && i + 1 < brace && tokens_[i + 1].kind == Token::Kind::String) return true;
    }
    return false;
  }

  /// Of `type name(parameters) const : a(b) {`: where the parameters open.
  std::optional<std::size_t> parameter_list(std::size_t begin, std::size_t brace) const {
    for (std::size_t i = begin; i < brace; ++i) {
      if (tokens_[i].is("=")) return std::nullopt;
      if (!tokens_[i].is("(") || i == begin) continue;
      const bool named = tokens_[i - 1].kind == Token::Kind::Word && !is_control(tokens_[i - 1].text) &&
                         !tokens_[i - 1].is("__attribute__");
      if (named) return i;
      i = after_matching(tokens_, i, brace) - 1;
    }
    return std::nullopt;
  }

  void function(std::size_t bracket, std::size_t brace, std::size_t after) {
    HostFunction out;
    out.name = std::string(tokens_[bracket - 1].text);
    out.file = &file_;
    for (const auto& parameter : arguments_of(span(bracket, brace), 0))
      out.parameters.push_back(name_of_parameter(parameter));
    std::size_t at = brace;
    out.body = statement(at, after);
    for (std::size_t i = brace; i + 1 < after; ++i) {
      const bool opens = tokens_[i + 1].is("(") || tokens_[i + 1].is("<<<");
      if (tokens_[i].kind == Token::Kind::Word && opens) out.calls.emplace_back(tokens_[i].text);
    }
    code_.functions.push_back(std::move(out));
  }

  static std::string name_of_parameter(const Span& parameter) {
    std::string out;
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      if (parameter[i].is("[") || parameter[i].is("=")) break;
      if (parameter[i].kind == Token::Kind::Word) out = parameter[i].text;
    }
    return out;
  }

  Statement statement(std::size_t& at, std::size_t end) {
    Statement out;
    const std::size_t first = at;
    if (at >= end) return out;
    if (tokens_[at].is("{")) {
      const auto close = after_matching(tokens_, at, end) - 1;
      out.kind = Statement::Kind::Block;
      ++at;
      while (at < close) out.children.push_back(statement(at, close));
      at = std::min(close + 1, end);
    } else if (tokens_[at].is("for") || tokens_[at].is("while")) {
      const bool counted = tokens_[at].is("for");
      const auto open = at + 1;
      at = after_matching(tokens_, open, end);
      const auto inside = span(open + 1, at - 1);
      out.kind = counted ? Statement::Kind::For : Statement::Kind::Loop;
      out.condition = inside;
      const auto parts = split_at(inside, ";");
      if (counted && parts.size() == 3) {
        out.init = parts[0];
        out.condition = parts[1];
        out.step = parts[2];
      } else if (counted) {
        out.kind = Statement::Kind::Loop;  // a range of something: counted by nobody we know
      }
      out.children.push_back(statement(at, end));
    } else if (tokens_[at].is("do")) {
      out.kind = Statement::Kind::Loop;
      out.children.push_back(statement(++at, end));
      while (at < end && !tokens_[at].is(";")) ++at;
      ++at;
    } else if (tokens_[at].is("if") || tokens_[at].is("switch")) {
      out.kind = Statement::Kind::If;
      auto open = at + 1;
      if (open < end && tokens_[open].is("constexpr")) ++open;
      at = after_matching(tokens_, open, end);
      out.condition = span(open + 1, at - 1);
      out.children.push_back(statement(at, end));
      if (at < end && tokens_[at].is("else")) out.children.push_back(statement(++at, end));
    } else if (tokens_[at].is("try")) {
      out = statement(++at, end);
      while (at < end && tokens_[at].is("catch")) {
        at = after_matching(tokens_, at + 1, end);
        if (at < end) at = after_matching(tokens_, at, end);
      }
      return out;
    } else if (tokens_[at].kind == Token::Kind::Directive) {
      macro(tokens_[at]);
      out.all = span(at, at);
      ++at;
      return out;
    } else {
      out.kind = tokens_[at].is("return") ? Statement::Kind::Return : Statement::Kind::Simple;
      while (at < end && !tokens_[at].is(";")) {
        const bool opens = tokens_[at].is("(") || tokens_[at].is("[") || tokens_[at].is("{");
        at = opens ? after_matching(tokens_, at, end) : at + 1;
      }
      out.all = span(first, at);
      at = std::min(at + 1, end);
      return out;
    }
    out.all = span(first, at);
    return out;
  }

  const HostFile& file_;
  const Tokens& tokens_;
  HostCode& code_;
};

}  // namespace

std::string Span::text() const {
  return empty() ? std::string()
                 : file->text.substr(file->tokens[begin].begin, file->tokens[end - 1].end - file->tokens[begin].begin);
}

std::vector<Span> split_at(const Span& in, std::string_view separator) {
  std::vector<Span> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < in.size();) {
    if (in[i].is("(") || in[i].is("[") || in[i].is("{")) {
      i = after_matching(in.file->tokens, in.begin + i, in.end) - in.begin;
    } else if (in[i].is(separator)) {
      out.push_back(in.sub(start, i));
      start = ++i;
    } else {
      ++i;
    }
  }
  out.push_back(in.sub(start, in.size()));
  return out;
}

std::vector<Span> arguments_of(const Span& in, std::size_t open) {
  const auto close = after_matching(in.file->tokens, in.begin + open, in.end) - in.begin;
  const auto inside = in.sub(open + 1, close > open + 1 ? close - 1 : open + 1);
  return inside.empty() ? std::vector<Span>{} : split_at(inside, ",");
}

const HostFunction* HostCode::function(const std::string& name) const {
  const auto found = std::ranges::find(functions, name, &HostFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

std::optional<std::int64_t> HostCode::hint(const std::string& name) const {
  for (const auto& file : files) {
    const auto& tokens = file->tokens;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (!tokens[i].is(name) || !tokens[i + 1].is("=") || tokens[i + 2].kind != Token::Kind::Number) continue;
      const bool ends =
          i + 3 >= tokens.size() || tokens[i + 3].is(";") || tokens[i + 3].is(",") || tokens[i + 3].is("}");
      const std::string text(tokens[i + 2].text);
      const auto value = std::strtoll(text.c_str(), nullptr, 0);
      if (ends && text.find('.') == std::string::npos && value != 0) return value;  // a zero is a start, not a size
    }
  }
  return std::nullopt;
}

HostCode read_host(const Files& files) {
  HostCode out;
  for (const auto& [path, text] : files) {
    if (!is_host_file(path)) continue;
    auto file = std::make_unique<HostFile>();
    file->path = path;
    file->text = text;
    file->tokens = tokens_of(file->text);
    out.files.push_back(std::move(file));
  }
  for (const auto& file : out.files) Reader(*file, out).file();
  return out;
}

}  // namespace hone::source::host
