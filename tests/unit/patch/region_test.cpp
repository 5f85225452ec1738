#include "patch/region.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/text.hpp"

namespace hone::patch {
namespace {

Region literals(const std::string& file) { return *Region::find(file, Embedding::StringLiterals, file.find('"')); }

std::string edited(const std::string& file, Embedding embedding, std::size_t at, const std::string& from,
                   const std::string& to) {
  const auto region = Region::find(file, embedding, at);
  EXPECT_TRUE(region);
  const auto edits = region->encode_all(replace_all(region->text(), from, to));
  return edits ? apply_edits(file, *edits) : edits.error().text();
}

const std::string host_text =
    "const char *s = /* one */\n"
    "    \"int a; // \\\"x\\\"\\n\"\n"
    "    \"int b;\\n\"  // two\n"
    "    \"int c;\\n\";\n";

TEST(Region, DecodesAdjacentLiterals) { EXPECT_EQ(literals(host_text).text(), "int a; // \"x\"\nint b;\nint c;\n"); }

TEST(Region, DecodesEscapesAndContinuations) {
  EXPECT_EQ(literals("x = \"a\\tb\\x41\\101\\\\ \\\nc\";").text(), "a\tbAA\\ c");
}

TEST(Region, ReplacesOnlyTheLiteralOfTheLine) {
  EXPECT_EQ(edited(host_text, Embedding::StringLiterals, host_text.find("int"), "int b;", "int b = '\"';"),
            replace_all(host_text, "int b;", "int b = '\\\"';"));
}

TEST(Region, TabsAreWrittenAsTheLiteralsAroundHaveThem) {
  const std::string plain = "const char* s =\n\"\tint a;\\n\"\n;\n";
  EXPECT_EQ(edited(plain, Embedding::StringLiterals, plain.find("int"), "\tint a;", "\tint b;"),
            "const char* s =\n\"\tint b;\\n\"\n;\n");
  const std::string escapes = "const char* s =\n\"\\tint a;\\n\"\n;\n";
  EXPECT_EQ(edited(escapes, Embedding::StringLiterals, escapes.find("int"), "\tint a;", "\tint b;"),
            "const char* s =\n\"\\tint b;\\n\"\n;\n");
}

TEST(Region, AddsLiteralsForNewLines) {
  EXPECT_EQ(edited(host_text, Embedding::StringLiterals, host_text.find("int"), "int b;\n", "int b;\nint x;\nint y;\n"),
            replace_all(host_text, "    \"int c;", "    \"int x;\\n\"\n    \"int y;\\n\"\n    \"int c;"));
  EXPECT_EQ(edited(host_text, Embedding::StringLiterals, host_text.find("int"), "int c;\n", "int c;\nint d;\n"),
            replace_all(host_text, "\"int c;\\n\"", "\"int c;\\n\"\n    \"int d;\\n\""));
}

TEST(Region, LeavesNoEmptyLiteralBehind) {
  const std::string file = "s =\n  \"a\\n\"\n  \"b\\n\"\n  \"c\\n\";\n";
  EXPECT_EQ(edited(file, Embedding::StringLiterals, file.find('a'), "b\n", ""), "s =\n  \"a\\n\"\n  \"c\\n\";\n");
}

TEST(Region, KeepsMacroContinuations) {
  const std::string file = "#define S \\\n  \"a\\n\" \\\n  \"b\\n\"\nint x;\n";
  // Inside a directive the literals are one token: the place is refused instead of guessed.
  EXPECT_FALSE(Region::find(file, Embedding::StringLiterals, file.find('a')));
}

TEST(Region, KeepsCrLfInFilesAndRawStrings) {
  EXPECT_EQ(edited("a\r\nb\r\n", Embedding::File, 0, "b\n", "x\ny\n"), "a\r\nx\r\ny\r\n");
  const std::string raw = "s = R\"--(a\r\nb)--\";\r\n";
  EXPECT_EQ(edited(raw, Embedding::RawString, raw.find('b'), "a\n", "c\nd\n"), "s = R\"--(c\r\nd\r\nb)--\";\r\n");
}

TEST(Region, RefusesTextThatWouldEndTheRawString) {
  const std::string raw = "s = R\"(a\nb)\";\n";
  EXPECT_EQ(edited(raw, Embedding::RawString, raw.find('a'), "a", "f(\")\")"),
            "E-ORIGIN  the new text contains )\", which ends the raw string it must stand in");
}

TEST(Region, EncodedLiteralsDecodeToWhatWasMeant) {
  std::mt19937 random(3);
  const std::string letters = "ab\"\\\n\n?%\t;";
  const auto text = [&] {
    std::string out;
    for (unsigned i = random() % 24; i > 0; --i) out += letters[random() % letters.size()];
    return out + "\n";
  };
  for (int i = 0; i < 500; ++i) {
    std::string file = "x =\n";
    for (unsigned j = 1 + random() % 4; j > 0; --j) file += "\t\"" + escaped(text()) + "\"\n";
    file += ";\n";
    const Region region = literals(file);
    const std::string wanted = random() % 2 == 0 ? text() + region.text() : region.text() + text();
    const std::string result = apply_edits(file, *region.encode_all(wanted));
    ASSERT_EQ(literals(result).text(), wanted) << file << "\n---\n" << result;
  }
}

TEST(Region, AnArrayOfStringsKeepsTheNumberOfThem) {
  const std::string file = "const char *s[4] = {\n  \"a;\\n\",\n  \"b;\\n\",\n  \"c;\\n\",\n  \"d;\\n\"};\n";
  const auto region =
      Region::find(file, Embedding::StringLiterals, file.find("a;"), {}, {file.find("a;"), file.size()});
  ASSERT_TRUE(region);
  EXPECT_EQ(region->text(), "a;\nb;\nc;\nd;\n");
  const auto with = [&](const std::string& lines) {
    return apply_edits(file, *region->encode_all("a;\n" + lines + "d;\n"));
  };
  EXPECT_EQ(with("x;\n"), "const char *s[4] = {\n  \"a;\\n\",\n  \"x;\\n\", \"\",\n  \"d;\\n\"};\n");
  EXPECT_EQ(with("x;\ny;\nz;\n"),
            "const char *s[4] = {\n  \"a;\\n\",\n  \"x;\\n\",\n  \"y;\\n\"\n  \"z;\\n\",\n  \"d;\\n\"};\n");
}

const std::string stringized =
    "#define TEXT(x) #x\nconst char *s = make(1, TEXT(\n  void k(int a, int b) {\n    a = 1;\n  }\n));\n";

TEST(Region, AMacrosBracketsHoldPlainText) {
  EXPECT_EQ(edited(stringized, Embedding::Stringized, stringized.find("void"), "a = 1;", "a = f(1, 2);"),
            replace_all(stringized, "a = 1;", "a = f(1, 2);"));
}

TEST(Region, ALongStringOfPythonIsChangedInPlace) {
  const std::string file = "# it's\nname = 'k'\nsource = \"\"\"\nvoid k() { a('\\\\n'); }\n\"\"\"\nb = 1\n";
  const auto region = Region::find(file, Embedding::Python, file.find("void"));
  ASSERT_TRUE(region);
  EXPECT_EQ(region->text(), "\nvoid k() { a('\\n'); }\n");
  EXPECT_EQ(edited(file, Embedding::Python, file.find("void"), "a('\\n')", "b('\\t')"),
            replace_all(file, "a('\\\\n')", "b('\\\\t')"));
}

}  // namespace
}  // namespace hone::patch
