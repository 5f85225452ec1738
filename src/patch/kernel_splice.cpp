#include "patch/kernel_splice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
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

/// The pieces a kernel's definition is made of, in order: one, or several where macros stand for words of it.
std::vector<const OriginPiece*> pieces_of(const Origin& origin, const ChangedKernel& kernel) {
  std::vector<const OriginPiece*> out;
  for (const auto& piece : origin.pieces)
    if (piece.here.begin < kernel.before.range.end && kernel.before.range.begin < piece.here.end) out.push_back(&piece);
  std::ranges::sort(out, {}, [](const OriginPiece* piece) { return piece->here.begin; });
  return out;
}

/// Where a byte of K(0) stands in the file; what a macro stands for has one place.
std::size_t place_in_file(const Region& region, const OriginPiece& piece, std::size_t here,
                          const std::string& original) {
  if (piece.computed) return region.decoded(piece.there.begin);
  const auto ahead = replace_all(original.substr(piece.here.begin, here - piece.here.begin), "\r\n", "\n");
  return region.decoded(piece.there.begin) + ahead.size();
}

/// By the origin's arithmetic where the bytes agree; else the one definition of that name with the same tokens; else,
/// where macros hide words of it, from its first piece to its last.
Result<Placed> place(const Region& region, const std::vector<const OriginPiece*>& pieces, const ChangedKernel& kernel,
                     const std::string& original) {
  const ByteRange range = kernel.before.range;
  const std::string text = replace_all(original.substr(range.begin, range.end - range.begin), "\r\n", "\n");
  const auto chunks = chunks_of(region.text());
  const auto lead_at = [&](std::size_t begin) {
    const auto found =
        std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.range.begin == begin; });
    return found == chunks.end() ? begin : found->lead;
  };

  const std::size_t begin =
      place_in_file(region, *pieces.front(), std::max(range.begin, pieces.front()->here.begin), original);
  if (region.text().compare(std::min(begin, region.text().size()), text.size(), text) == 0)
    return Placed{&kernel, {begin, begin + text.size()}, lead_at(begin)};
  const std::string tokens = essence(original, range);
  for (const auto& chunk : chunks)
    if (chunk.name == kernel.name && essence(region.text(), chunk.range) == tokens)
      return Placed{&kernel, chunk.range, chunk.lead};
  const auto& last = *pieces.back();
  const bool by_macros = std::ranges::any_of(pieces, [](const OriginPiece* piece) { return piece->computed; });
  const std::size_t end =
      last.computed ? region.decoded(last.there.end) : place_in_file(region, last, range.end, original);
  if (by_macros && begin < end && end <= region.text().size()) return Placed{&kernel, {begin, end}, lead_at(begin)};
  return fail(
      "E-ORIGIN",
      fmt::format("the definition of {} in {} is not the one that was taken out", kernel.name, pieces.front()->file),
      "hone extract, then run again");
}

Result<std::vector<Target>> find_targets(const std::vector<ChangedKernel>& kernels, const std::string& original,
                                         const Origin& origin, const Files& files) {
  std::vector<Target> targets;
  for (const auto& kernel : kernels) {
    const auto pieces = pieces_of(origin, kernel);
    const OriginPiece* piece = pieces.empty() ? nullptr : pieces.front();
    if (piece == nullptr || !files.contains(piece->file) || pieces.back()->file != piece->file)
      return fail("E-ORIGIN", fmt::format("it is not recorded where {} was taken from", kernel.name),
                  "hone extract, then run again");
    auto region = Region::find(files.at(piece->file), piece->embedding, piece->there.begin);
    if (!region) return fail(std::move(region).error().context(piece->file));
    auto placed = place(*region, pieces, kernel, original);
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
    if (file == files.end()) continue;
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
