#include "source/closure.hpp"

#include <algorithm>
#include <deque>

namespace hone::source::host {
namespace {

/// Items of a text with those of its includes in their place.
struct Entry {
  const DeviceText* text;
  std::size_t index;
  bool kept = false;
  const Item& item() const { return text->items[index]; }
};

class Closer {
 public:
  explicit Closer(const Files& application) : application_(application) {}

  Status expand(const DeviceText& text, int depth = 0) {
    for (std::size_t i = 0; i < text.items.size(); ++i) {
      const auto& item = text.items[i];
      if (item.kind != Item::Kind::Include) {
        entries_.push_back({&text, i});
        continue;
      }
      const auto line = text.text.substr(item.range.begin, item.range.end - item.range.begin);
      const auto open = line.find_first_of("\"<");
      const auto close = open == std::string::npos ? open : line.find_first_of("\">", open + 1);
      if (close == std::string::npos) continue;
      const auto wanted = line.substr(open + 1, close - open - 1);
      const auto path = resolve(text.file, wanted);
      if (path.empty())
        return fail("E-INCLUDE", text.file + " includes " + wanted + ", which is not in the folder",
                    "give hone the folder that has it, or generate it first");
      if (depth > 16 || !included_.insert(path).second) continue;
      files_.push_back(device_file(path, application_.at(path)));
      if (auto done = expand(files_.back(), depth + 1); !done) return done;
    }
    return {};
  }

  void keep(const std::vector<std::string>& kernels) {
    for (auto& entry : entries_) {
      const auto& item = entry.item();
      if (item.kind == Item::Kind::Kernel && std::ranges::find(kernels, item.declares.front()) != kernels.end())
        take(entry);
    }
    for (bool grew = true; grew;) {
      grew = false;
      for (auto& entry : entries_) {
        if (!entry.kept && needed(entry.item())) {
          take(entry);
          grew = true;
        }
      }
    }
    keep_conditions();
  }

  Closure print() const {
    Closure out;
    out.mentioned = wanted_;
    const Entry* before = nullptr;
    for (const auto& entry : entries_) {
      if (!entry.kept) continue;
      const auto& item = entry.item();
      for (const auto& name : item.declares) out.declared.insert(name);
      const bool adjacent = before != nullptr && before->text == entry.text && before->index + 1 == entry.index;
      if (adjacent) {
        piece(out, *entry.text, {before->item().range.end, item.range.begin}, {});
      } else if (before != nullptr) {
        out.text += item.kind == Item::Kind::Kernel || item.kind == Item::Kind::Function ? "\n\n" : "\n";
      }
      piece(out, *entry.text, item.range, item.kind == Item::Kind::Kernel ? item.declares.front() : std::string());
      before = &entry;
    }
    out.text += "\n";
    return out;
  }

 private:
  std::string resolve(const std::string& from, const std::string& wanted) const {
    const auto slash = from.find_last_of('/');
    auto beside = slash == std::string::npos ? wanted : from.substr(0, slash + 1) + wanted;
    if (application_.contains(beside)) return beside;
    if (application_.contains(wanted)) return wanted;
    for (const auto& [path, unused] : application_) {
      if (path.ends_with("/" + wanted)) return path;
    }
    return {};
  }

  void take(Entry& entry) {
    entry.kept = true;
    wanted_.insert(entry.item().mentions.begin(), entry.item().mentions.end());
  }

  bool needed(const Item& item) const {
    if (item.kind == Item::Kind::Pragma)
      return item.mentions.contains("OPENCL") || item.mentions.contains("FP_CONTRACT");
    return std::ranges::any_of(item.declares, [&](const std::string& name) { return wanted_.contains(name); });
  }

  /// A kept item keeps the #if lines around it, and with them whatever their conditions mention.
  void keep_conditions() {
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& entry : entries_) {
        if (!entry.kept) continue;
        for (const auto opener : entry.item().conditions) grew = keep_group(entry.text, opener) || grew;
      }
      for (auto& entry : entries_) {
        if (!entry.kept && needed(entry.item())) {
          take(entry);
          grew = true;
        }
      }
    }
  }

  bool keep_group(const DeviceText* text, std::size_t opener) {
    bool grew = false;
    for (auto& entry : entries_) {
      const bool belongs = entry.text == text && (entry.index == opener || entry.item().group == opener);
      if (belongs && !entry.kept) {
        take(entry);
        grew = true;
      }
    }
    return grew;
  }

  static void piece(Closure& out, const DeviceText& text, ByteRange range, std::string kernel) {
    if (range.begin >= range.end) return;
    OriginPiece made;
    made.here = {out.text.size(), out.text.size() + (range.end - range.begin)};
    made.file = text.file;
    made.there = text.in_file(range);
    made.embedding = text.embedding;
    made.kernel = std::move(kernel);
    out.text += text.text.substr(range.begin, range.end - range.begin);
    out.pieces.push_back(std::move(made));
  }

  const Files& application_;
  std::deque<DeviceText> files_;
  std::vector<Entry> entries_;
  std::set<std::string> included_, wanted_;
};

}  // namespace

Result<Closure> close_over(const DeviceText& text, const std::vector<std::string>& kernels, const Files& application) {
  Closer closer(application);
  if (auto done = closer.expand(text); !done) return fail(std::move(done).error());
  closer.keep(kernels);
  return closer.print();
}

}  // namespace hone::source::host
