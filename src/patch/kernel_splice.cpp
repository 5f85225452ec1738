#include "patch/kernel_splice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "patch/adapter_text.hpp"
#include "patch/launch_adapter.hpp"
#include "patch/revision.hpp"

namespace hone::patch {
namespace {

/// A kernel that changed, and where its text stands in the application.
struct Placed {
  const ChangedKernel* kernel;
  ByteRange range;       // in the region's decoded text
  std::size_t lead = 0;  // where the comments above it begin
};
struct Target {
  std::string file;
  Region region;
  std::vector<Placed> kernels;
};

/// The piece a kernel begins in.
const OriginPiece* piece_of(const Origin& origin, const ChangedKernel& kernel) {
  const auto found = std::find_if(origin.pieces.begin(), origin.pieces.end(), [&](const OriginPiece& piece) {
    return piece.here.begin <= kernel.before.range.begin && kernel.before.range.begin < piece.here.end;
  });
  return found == origin.pieces.end() ? nullptr : &*found;
}

/// What macros stand for in a file, as far as it was taken out.
std::vector<Hole> holes_in(const Origin& origin, const std::string& file, const std::string& original) {
  std::vector<Hole> out;
  for (const auto& piece : origin.pieces)
    if (piece.computed && piece.file == file)
      out.push_back({piece.there, original.substr(piece.here.begin, piece.here.end - piece.here.begin)});
  return out;
}

/// Bytes of the file that the kernel's pieces span.
ByteRange reach_of(const Origin& origin, const ChangedKernel& kernel, const OriginPiece& first) {
  ByteRange out = first.there;
  for (const auto& piece : origin.pieces) {
    const bool inside = piece.here.begin < kernel.before.range.end && kernel.before.range.begin < piece.here.end;
    if (!inside || piece.file != first.file) continue;
    out = {std::min(out.begin, piece.there.begin), std::max(out.end, piece.there.end)};
  }
  return out;
}

/// A kernel that is a template was taken out as one instance, its parameters as macros. What goes back must still be
/// written in their names: text that holds for one instance alone would be taken by all. Returns a name it lost.
std::optional<std::string> lost_parameter(const std::string& header, const std::string& original,
                                          const std::string& before, const std::string& after) {
  const auto was = names_in(before), is = names_in(after);
  for (const auto& name : names_in(header))
    if (original.find("\n#undef " + name + "\n") != std::string::npos && was.contains(name) && !is.contains(name))
      return name;
  return std::nullopt;
}

bool is_device_file(const std::string& path) {
  return std::ranges::any_of(std::array{".cl", ".clh", ".ocl"}, [&](const char* end) { return path.ends_with(end); });
}

/// Lines that include a file, as far as its name tells: "src/main.c:6".
std::vector<std::pair<std::string, std::size_t>> includers_of(const std::string& file, const Files& files) {
  const auto name = file.substr(file.rfind('/') + 1);
  std::vector<std::pair<std::string, std::size_t>> out;
  for (const auto& [path, text] : files) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const auto begin = text.rfind('\n', at) + 1;
      const auto ahead = trim(std::string_view(text).substr(begin, at - begin));
      const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      const bool whole = !ahead.empty() && (ahead.back() == '"' || ahead.back() == '<' || ahead.back() == '/');
      if (whole && ahead[0] == '#' && ahead.find("include") != std::string_view::npos && (after == '"' || after == '>'))
        out.emplace_back(path, line_of(text, at));
    }
  }
  return out;
}

/// A line of a table that macros make a kernel of, `OP(gelu, ...)`: others read the table with other macros, and a
/// kernel's text there would be in the middle of their code.
Status only_a_kernel_is_made(const std::string& kernel, const OriginPiece& piece, const Files& files) {
  if (!piece.computed || piece.embedding != Embedding::File) return {};
  const auto includers = includers_of(piece.file, files);
  const auto refuse = [&](const std::string& why) -> Status {
    return fail("E-ORIGIN", fmt::format("{}:{}: a macro makes {} here, and {}", piece.file,
                                        line_of(files.at(piece.file), piece.there.begin), kernel, why));
  };
  for (const auto& [path, line] : includers)
    if (!is_device_file(path)) return refuse(fmt::format("{}:{} includes the file for something else", path, line));
  if (includers.size() > 1)
    return refuse(fmt::format("the file is included {} times, at {}:{} too", includers.size(), includers[1].first,
                              includers[1].second));
  return {};
}

/// By the origin's arithmetic where the bytes agree; else the one definition of that name with the same tokens.
Result<Placed> place(const Region& region, const OriginPiece& piece, const ChangedKernel& kernel,
                     const std::string& original) {
  const ByteRange range = kernel.before.range;
  const std::string text = replace_all(original.substr(range.begin, range.end - range.begin), "\r\n", "\n");
  const std::string ahead =
      replace_all(original.substr(piece.here.begin, range.begin - piece.here.begin), "\r\n", "\n");
  const auto chunks = chunks_of(region.text());
  // A template's header stands before what was taken out, and belongs to it.
  const auto chunk_at = [&](std::size_t begin) {
    return std::find_if(chunks.begin(), chunks.end(),
                        [&](const Chunk& chunk) { return chunk.range.begin <= begin && begin < chunk.range.end; });
  };

  const std::size_t begin = region.decoded(piece.there.begin) + ahead.size();
  if (region.text().compare(std::min(begin, region.text().size()), text.size(), text) == 0) {
    const auto chunk = chunk_at(begin);
    if (chunk == chunks.end()) return Placed{&kernel, {begin, begin + text.size()}, begin};
    const auto header = region.text().substr(chunk->range.begin, begin - chunk->range.begin);
    if (const auto lost = lost_parameter(header, original, text, kernel.text))
      return fail("E-INSTANCE", fmt::format("{} is a template over {}, and the new text holds for one value of it only",
                                            kernel.name, *lost));
    return Placed{&kernel, {begin, begin + text.size()}, chunk->lead};
  }
  const std::string tokens = essence(original, range);
  for (const auto& chunk : chunks)
    if (chunk.name == kernel.name && essence(region.text(), chunk.range) == tokens)
      return Placed{&kernel, chunk.range, chunk.lead};
  return fail("E-ORIGIN",
              fmt::format("the definition of {} in {} is not the one that was taken out", kernel.name, piece.file),
              "hone extract, then run again");
}

Result<std::vector<Target>> find_targets(const std::vector<ChangedKernel>& kernels, const std::string& original,
                                         const Origin& origin, const Files& files) {
  std::vector<Target> targets;
  for (const auto& kernel : kernels) {
    const OriginPiece* piece = piece_of(origin, kernel);
    if (piece == nullptr || !files.contains(piece->file))
      return fail("E-ORIGIN", fmt::format("it is not recorded where {} was taken from", kernel.name),
                  "hone extract, then run again");
    if (auto alone = only_a_kernel_is_made(kernel.name, *piece, files); !alone) return fail(std::move(alone).error());
    auto region = Region::find(files.at(piece->file), piece->embedding, piece->there.begin,
                               holes_in(origin, piece->file, original), reach_of(origin, kernel, *piece));
    if (!region) return fail(std::move(region).error().context(piece->file));
    auto placed = place(*region, *piece, kernel, original);
    if (!placed) return fail(std::move(placed).error());
    const auto same = std::find_if(targets.begin(), targets.end(), [&](const Target& target) {
      return target.file == piece->file && target.region.extent() == region->extent();
    });
    if (same == targets.end())
      targets.push_back({piece->file, std::move(*region), {*placed}});
    else
      same->kernels.push_back(*placed);
  }
  return targets;
}

std::string additions_text(const std::vector<Addition>& additions) {
  std::string out;
  for (std::size_t i = 0; i < additions.size(); ++i) {
    out += additions[i].text + "\n";
    const bool more = i + 1 < additions.size();
    if (!(additions[i].directive && more && additions[i + 1].directive)) out += "\n";
  }
  return out;
}

/// The region's whole new text.
std::string rewritten(const Target& target, const std::vector<Addition>& additions) {
  std::vector<Edit> edits;
  std::string used;
  std::size_t first = std::string::npos;
  for (const auto& placed : target.kernels) {
    edits.push_back({placed.range, placed.kernel->text});
    used += placed.kernel->text + "\n";
    first = std::min(first, placed.lead);
  }
  const auto needed = needed_by(used, additions);
  edits.insert(edits.begin(), {{first, first}, replace_all(additions_text(needed), "\r\n", "\n")});
  for (auto& edit : edits) edit.text = replace_all(edit.text, "\r\n", "\n");
  return apply_edits(target.region.text(), std::move(edits));
}

std::set<std::string> names_taken(const Origin& origin, const Files& files, const std::string& original) {
  std::set<std::string> taken;
  for (const auto& piece : origin.pieces) {
    const auto file = files.find(piece.file);
    if (file == files.end() || piece.computed) continue;
    if (auto region = Region::find(file->second, piece.embedding, piece.there.begin))
      taken.merge(names_in(region->text()));
  }
  // K(0)'s own declarations are handled by name; what only stands elsewhere in the file must not be hit.
  for (const auto& name : names_in(original)) taken.erase(name);
  return taken;
}

/// In lines that fit a screen.
std::string as_comment(const std::string& remark) {
  constexpr std::size_t widest = 96;
  std::string out = "/*";
  std::size_t width = out.size();
  for (const auto& word : split(replace_all(remark, "*/", "* /"), ' ')) {
    const bool breaks = width + word.size() + 1 > widest;
    out += (breaks ? "\n   " : " ") + word;
    width = (breaks ? 3 : width + 1) + word.size();
  }
  return out + " */\n";
}

void mark(Revision& revision, const std::string& original, const std::set<std::string>& marked) {
  for (const auto& kernel : marked) {
    const auto is_this = [&](const ChangedKernel& changed) { return changed.name == kernel; };
    if (std::none_of(revision.kernels.begin(), revision.kernels.end(), is_this))
      for (const auto& chunk : chunks_of(original))
        if (chunk.kernel && chunk.name == kernel)
          revision.kernels.push_back(
              {kernel, chunk, original.substr(chunk.range.begin, chunk.range.end - chunk.range.begin)});
    std::erase(revision.unknown_kernels, marker_of(kernel));  // the winner has it already: it was judged with it
    revision.additions.push_back({"", marker_text(kernel), false});
    revision.notes.push_back(
        fmt::format("{} is launched through hone_launch.h, which gives its sizes to this kernel alone", kernel));
  }
}

}  // namespace

Status can_be_replaced(const std::string& original, const Origin& origin, const Files& files) {
  for (const auto& chunk : chunks_of(original)) {
    if (!chunk.kernel) continue;
    const ChangedKernel kernel{chunk.name, chunk, {}};
    const auto* piece = piece_of(origin, kernel);
    if (piece == nullptr || !files.contains(piece->file)) continue;
    if (auto alone = only_a_kernel_is_made(chunk.name, *piece, files); !alone) return alone;
  }
  return {};
}

Result<KernelSplice> splice_kernels(const std::string& original, const std::string& winner, const Origin& origin,
                                    const Files& files, const std::set<std::string>& marked,
                                    const std::string& remark) {
  Revision revision = revise(original, winner, names_taken(origin, files, original));
  if (!remark.empty())
    for (auto& kernel : revision.kernels) kernel.text = as_comment(remark) + kernel.text;
  mark(revision, original, marked);
  if (!revision.unknown_kernels.empty())
    return fail("E-KERNEL", fmt::format("the winner has a kernel the application does not launch: {}",
                                        join(revision.unknown_kernels, ", ")));
  const auto tokens = [](const std::string& text) { return essence(text, {0, text.size()}); };
  if (revision.kernels.empty() && tokens(original) != tokens(winner))
    return fail("E-KERNEL", "the winner differs from the original, and in no kernel that is found in its text");
  auto targets = find_targets(revision.kernels, original, origin, files);
  if (!targets) return fail(std::move(targets).error());

  KernelSplice splice;
  splice.notes = std::move(revision.notes);
  for (const auto& chunk : chunks_of(original))
    if (chunk.kernel)
      splice.before[chunk.name] = original.substr(chunk.range.begin, chunk.range.end - chunk.range.begin);
  splice.after = splice.before;
  for (const auto& kernel : revision.kernels) splice.after[kernel.name] = kernel.text;
  for (const auto& target : *targets) {
    auto edits = target.region.encode_all(rewritten(target, revision.additions));
    if (!edits) return fail(std::move(edits).error().context(target.file));
    auto& of_file = splice.edits[target.file];
    of_file.insert(of_file.end(), edits->begin(), edits->end());
  }
  return splice;
}

}  // namespace hone::patch
