#include "core/origin.hpp"

#include <nlohmann/json.hpp>

namespace hone {

using nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(Embedding, {{Embedding::File, "file"},
                                         {Embedding::StringLiterals, "string-literals"},
                                         {Embedding::RawString, "raw-string"},
                                         {Embedding::Stringized, "stringized"},
                                         {Embedding::Python, "python"}})

static void to_json(json& j, const ByteRange& r) { j = json::array({r.begin, r.end}); }
static void from_json(const json& j, ByteRange& r) { r = {j.at(0).get<std::size_t>(), j.at(1).get<std::size_t>()}; }

static void to_json(json& j, const OriginPiece& p) {
  j = {{"here", p.here}, {"file", p.file}, {"there", p.there}, {"embedding", p.embedding}, {"kernel", p.kernel}};
  if (p.computed) j["computed"] = true;
}
static void from_json(const json& j, OriginPiece& p) {
  j.at("here").get_to(p.here);
  j.at("file").get_to(p.file);
  j.at("there").get_to(p.there);
  j.at("embedding").get_to(p.embedding);
  j.at("kernel").get_to(p.kernel);
  p.computed = j.value("computed", false);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchSite, kernel, file, call, arguments, global, local, local_is_null, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileStamp, file, sha256)

std::string to_json(const Origin& origin) {
  const json j = {{"format", 1}, {"pieces", origin.pieces}, {"launches", origin.launches}, {"files", origin.files}};
  return j.dump(2) + "\n";
}

Result<Origin> origin_from_json(const std::string& text) {
  try {
    const auto j = json::parse(text);
    if (j.at("format") != 1)
      return fail("E-FORMAT", "origin.json has a format this version does not know", "hone extract again");
    Origin origin;
    j.at("pieces").get_to(origin.pieces);
    j.at("launches").get_to(origin.launches);
    j.at("files").get_to(origin.files);
    return origin;
  } catch (const json::exception& e) {
    return fail("E-FORMAT", std::string("origin.json: ") + e.what(), "hone extract again");
  }
}

}  // namespace hone
