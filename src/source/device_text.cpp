#include "source/device_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::source::host {
namespace {

bool ends_with_any(const std::string& path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// "a/b/../c" -> "a/c"
std::string without_dots(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  return join(parts, "/");
}

bool body_marks_kernel(const std::string& body) {
  const auto tokens = tokens_of(body, false);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (marks_kernel(tokens, i) || (tokens.size() == 1 && tokens[0].is("kernel"))) return true;
  }
  return false;
}

bool mentions_any(const std::string& body, const Macros& macros) {
  for (const auto& token : tokens_of(body, false)) {
    if (token.kind == Token::Kind::Word && macros.contains(token.text)) return true;
  }
  return false;
}

bool has_name_of(const std::string& text, const Macros& macros) {
  return std::ranges::any_of(macros, [&](const auto& macro) { return text.find(macro.first) != std::string::npos; });
}

/// Tokens outside of strings, brackets and directives mark a kernel: the file itself is device code.
bool is_device_code(const std::string& text, const Macros& hiding) {
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].is("(")) {
      i = std::max(after_matching(tokens, i, tokens.size()), i + 1) - 1;
      continue;
    }
    const bool hidden = tokens[i].kind == Token::Kind::Word && hiding.contains(tokens[i].text);
    if (marks_kernel(tokens, i) || hidden) return true;
  }
  return false;
}

/// Macros of the files that a text includes, found by name.
void add_included_macros(const Files& files, const std::string& file, const std::string& text, Macros& into,
                         std::set<std::string>& seen, int depth = 0) {
  if (depth > 8) return;
  for (std::size_t at = text.find("#"); at != std::string::npos; at = text.find('#', at + 1)) {
    const auto line = std::string_view(text).substr(at, std::min(text.find('\n', at), text.size()) - at);
    if (!trim(line.substr(1)).starts_with("include")) continue;
    const auto open = line.find_first_of("\"<");
    const auto close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
    if (close == std::string_view::npos) continue;
    const auto path = resolve_include(files, file, std::string(line.substr(open + 1, close - open - 1)), {});
    if (path.empty() || !seen.insert(path).second) continue;
    add_macros(files.at(path), into);
    add_included_macros(files, path, files.at(path), into, seen, depth + 1);
  }
}

/// What stands at the top level of a text for something else: words that hide `__kernel`, macros that make kernels, and
/// names of kernels that a macro makes.
std::vector<std::pair<ByteRange, std::string>> hidden_words(const DeviceText& text, const Macros& hiding) {
  std::vector<std::pair<ByteRange, std::string>> out;
  const std::string_view whole = text.text;
  const auto tokens = tokens_of(whole);
  const auto macro_at = [&](std::size_t i, const Macros& table) -> const Macro* {
    if (i >= tokens.size() || tokens[i].kind != Token::Kind::Word) return nullptr;
    const auto own = text.macros.find(tokens[i].text);
    if (own != text.macros.end()) return &own->second;
    const auto found = table.find(tokens[i].text);
    return found == table.end() ? nullptr : &found->second;
  };
  bool in_head = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token.is(";")) in_head = false;
    if (token.is("{")) {
      in_head = false;
      // Inside of a function nothing hides; scopes are walked through.
      const bool scope = i > 0 && (tokens[i - 1].kind == Token::Kind::String ||
                                   (i > 1 && (tokens[i - 2].is("namespace") || tokens[i - 1].is("namespace"))));
      if (!scope) i = std::max(after_matching(tokens, i, tokens.size()), i + 1) - 1;
      continue;
    }
    if (marks_kernel(tokens, i)) in_head = true;
    const auto* macro = macro_at(i, hiding);
    const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
    if (macro == nullptr || (macro->takes_arguments && !called)) {
      if (token.is("(")) i = std::max(after_matching(tokens, i, tokens.size()), i + 1) - 1;
      continue;
    }
    const auto end = macro->takes_arguments ? after_matching(tokens, i + 1, tokens.size()) : i + 1;
    const auto arguments =
        macro->takes_arguments ? arguments_between(tokens, i + 1, end, whole) : std::vector<std::string>();
    std::string becomes = expand_once(*macro, arguments);
    for (int deeper = 0; deeper < 8 && !body_marks_kernel(becomes) && mentions_any(becomes, hiding); ++deeper) {
      const auto inner = tokens_of(becomes, false);
      const auto next = inner.empty() ? hiding.end() : hiding.find(inner[0].text);
      if (next == hiding.end()) break;
      const bool with = next->second.takes_arguments && inner.size() > 1 && inner[1].is("(");
      const auto stop = with ? after_matching(inner, 1, inner.size()) : 1;
      const auto given = with ? arguments_between(inner, 1, stop, becomes) : std::vector<std::string>();
      becomes = expand_once(next->second, given) + becomes.substr(inner[stop - 1].end);
    }
    const ByteRange range = {token.begin, tokens[end - 1].end};
    if (body_marks_kernel(becomes)) {
      in_head = becomes.find('{') == std::string::npos;
      auto last = range;
      if (!in_head && end < tokens.size() && tokens[end].is(";")) last.end = tokens[end].end;
      out.emplace_back(last, becomes);
      i = end - 1;
    } else if (in_head && end < tokens.size() && tokens[end].is("(") && macro_at(i, {}) != nullptr) {
      // `__kernel void NAME(axpy)(...)`, `__kernel void NAME(...)`
      const auto name = std::string(trim(expand_all(whole.substr(range.begin, range.end - range.begin), text.macros)));
      if (is_identifier(name)) out.emplace_back(range, name);
      i = end - 1;
    }
  }
  return out;
}

}  // namespace

bool is_host_file(const std::string& path) {
  return ends_with_any(path, {".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp", ".hxx", ".cu", ".cuh", ".hip",
                              ".inl", ".inc", ".m", ".mm"});
}
bool is_document(const std::string& path) {
  return ends_with_any(path, {".md", ".rst", ".html", ".htm", ".tex", ".log", ".diff", ".patch", ".ipynb", ".adoc",
                              ".svg", ".json", ".xml", ".toml", ".csv", ".org", ".1"});
}
Language language_of(const std::string& path, const std::string& text) {
  if (ends_with_any(path, {".cl", ".clh", ".ocl"})) return Language::OpenCL;
  if (path.ends_with(".hip") || has_any(text, {"hip/hip_runtime", "hipLaunchKernel", "hipMalloc"}))
    return Language::Hip;
  if (ends_with_any(path, {".cu", ".cuh"}) || has_any(text, {"__global__"})) return Language::Cuda;
  return Language::OpenCL;
}

std::string resolve_include(const Files& files, const std::string& from, const std::string& wanted,
                            const std::vector<std::string>& folders) {
  const auto here = folder_of(from);
  std::vector<std::string> places = {here + wanted};
  for (const auto& folder : folders) {
    places.push_back(folder + "/" + wanted);
    places.push_back(here + folder + "/" + wanted);
  }
  places.push_back(wanted);
  for (const auto& place : places) {
    if (const auto plain = without_dots(place); files.contains(plain)) return plain;
  }
  // Several may end so: the one that shares most folders with the includer.
  auto tail = without_dots(wanted);
  while (tail.starts_with("../")) tail = tail.substr(3);
  std::string best;
  std::size_t score = 0;
  for (const auto& [path, unused] : files) {
    if (!path.ends_with(tail) || (path.size() > tail.size() && path[path.size() - tail.size() - 1] != '/')) continue;
    const auto same = std::ranges::mismatch(path, from).in1 - path.begin();
    const auto shared = static_cast<std::size_t>(std::count(path.begin(), path.begin() + same, '/')) + 1;
    if (shared > score) {
      score = shared;
      best = path;
    }
  }
  return best;
}

std::vector<OriginPiece> DeviceText::pieces_of(ByteRange range) const {
  std::vector<OriginPiece> out;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto end = s + 1 < segments.size() ? segments[s + 1].begin : text.size();
    const ByteRange part = {std::max(range.begin, segments[s].begin), std::min(range.end, end)};
    if (part.begin >= part.end) continue;
    OriginPiece piece;
    piece.here = {part.begin - range.begin, part.end - range.begin};
    piece.file = segments[s].file;
    piece.embedding = segments[s].embedding;
    piece.computed = segments[s].computed;
    piece.there = places.empty() ? part : ByteRange{places[part.begin].begin, places[part.end - 1].end};
    out.push_back(std::move(piece));
  }
  return out;
}

OriginPiece DeviceText::first_piece(ByteRange range) const {
  auto pieces = pieces_of(range);
  if (pieces.empty()) return {};
  auto out = pieces.front();
  for (const auto& piece : pieces) {
    if (piece.file == out.file) out.there.end = std::max(out.there.end, piece.there.end);
  }
  return out;
}

void DeviceText::append(const DeviceText& other) {
  const auto own_places = [](const DeviceText& of) {
    auto out = of.places;
    if (out.empty() && !of.text.empty()) {
      out.resize(of.text.size());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = {i, i + 1};
    }
    return out;
  };
  places = own_places(*this);
  const auto more = own_places(other);
  places.insert(places.end(), more.begin(), more.end());
  for (auto segment : other.segments) {
    segment.begin += text.size();
    segments.push_back(std::move(segment));
  }
  if (file.empty()) {
    file = other.file;
    embedding = other.embedding;
    language = other.language;
  }
  text += other.text;
}

void DeviceText::replace(const std::vector<std::pair<ByteRange, std::string>>& changes) {
  if (changes.empty()) return;
  DeviceText out;
  const auto copy = [&](ByteRange range) {
    for (const auto& piece : pieces_of(range)) {
      out.segments.push_back({out.text.size() + piece.here.begin, piece.file, piece.embedding, piece.computed});
    }
    for (auto i = range.begin; i < range.end; ++i)
      out.places.push_back(places.empty() ? ByteRange{i, i + 1} : places[i]);
    out.text += text.substr(range.begin, range.end - range.begin);
  };
  std::size_t at = 0;
  for (const auto& [range, instead] : changes) {
    copy({at, range.begin});
    const auto from = first_piece(range);
    if (!instead.empty()) {
      out.segments.push_back({out.text.size(), from.file, from.embedding, true});
      out.places.insert(out.places.end(), instead.size(), from.there);
      out.text += instead;
    }
    at = range.end;
  }
  copy({at, text.size()});
  text = std::move(out.text);
  places = std::move(out.places);
  segments = std::move(out.segments);
}

Macros kernel_macros(const Files& files) {
  Macros out;
  Macros all;
  for (const auto& [path, text] : files) {
    if (is_document(path) || text.find("kernel") == std::string::npos) continue;
    Macros here;
    add_macros(text, here);
    for (auto& [name, macro] : here) {
      if (body_marks_kernel(macro.body) && macro.body.find('"') == std::string::npos)
        out.emplace(name, macro);
      else
        all.emplace(name, std::move(macro));
    }
  }
  for (int deeper = 0; deeper < 4; ++deeper) {
    bool grew = false;
    for (const auto& [name, macro] : all) {
      if (macro.takes_arguments && !out.contains(name) && mentions_any(macro.body, out))
        grew = out.emplace(name, macro).second || grew;
    }
    if (!grew) break;
  }
  return out;
}

void cut(DeviceText& text, const Macros& hiding) {
  add_macros(text.text, text.macros);
  for (int round = 0; round < 4; ++round) {
    const auto changes = hidden_words(text, hiding);
    if (changes.empty()) break;
    text.replace(changes);
  }
  text.items = items_of(text.text, text.macros);
}

DeviceText device_file(const std::string& path, const std::string& text, const Macros& hiding) {
  DeviceText out;
  out.file = path;
  out.language = language_of(path, text);
  out.text = text;
  out.segments = {{0, path, Embedding::File, false}};
  cut(out, hiding);
  return out;
}

DeviceTexts device_texts(const Files& files) {
  DeviceTexts out;
  const auto hiding = kernel_macros(files);
  Macros host_macros;  // for strings that are made of macros
  for (const auto& [path, text] : files) {
    if (is_host_file(path) && text.find("#define") != std::string::npos && text.size() < (1U << 20U))
      add_macros(text, host_macros);
  }
  for (const auto& [path, text] : files) {
    const bool marked = has_any(text, {"kernel", "__global__"}) || has_name_of(text, hiding);
    if (is_document(path)) continue;
    if (path.ends_with(".py")) {
      if (!marked) continue;
      for (auto& found : texts_in_python(path, text)) {
        cut(found, hiding);
        (defines_kernel(found.text) ? out.kernels : out.libraries).push_back(std::move(found));
      }
      continue;
    }
    const bool plain_device = ends_with_any(path, {".cl", ".clh", ".ocl"});
    const bool device_code = marked && is_device_code(text, hiding);
    if (device_code) {
      DeviceText found;
      found.file = path;
      found.language = language_of(path, text);
      found.text = text;
      found.segments = {{0, path, Embedding::File, false}};
      std::set<std::string> seen;
      add_macros(text, found.macros);
      add_included_macros(files, path, text, found.macros, seen);
      cut(found, hiding);
      if (std::ranges::any_of(found.items, [](const Item& item) { return item.kind == Item::Kind::Kernel; }))
        out.kernels.push_back(std::move(found));
    }
    // Device code proper has no kernels in its strings; a .cl that a literal of the host includes is a string itself.
    if ((plain_device && device_code) || (!marked && text.find('"') == std::string::npos)) continue;
    if (!marked && (plain_device || !is_host_file(path)) && text.find("R\"") == std::string::npos) continue;
    for (auto& found : texts_in_strings(path, text, host_macros)) {
      const bool kernels = defines_kernel(found.text) || has_name_of(found.text, hiding);
      cut(found, kernels ? hiding : Macros());
      const bool has =
          std::ranges::any_of(found.items, [](const Item& item) { return item.kind == Item::Kind::Kernel; });
      (has ? out.kernels : out.libraries).push_back(std::move(found));
    }
  }
  return out;
}

}  // namespace hone::source::host
