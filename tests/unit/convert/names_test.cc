#include "convert/names.h"

#include <gtest/gtest.h>

#include "convert/expressions.h"

namespace bindery::convert {
namespace {

TEST(Names, LogicalNamesBecomeNamesOfManifests) {
  const std::pair<const char*, const char*> cases[] = {{"payments", "payments"},
                                                       {"paymentsViewers", "payments-viewers"},
                                                       {"payments_viewers", "payments-viewers"},
                                                       {"HTTPServer2", "http-server2"},
                                                       {"a.b/c d", "a-b-c-d"},
                                                       {"--x--", "x"},
                                                       {"\xC3\xA9t\xC3\xA9", "t"},
                                                       {"", "resource"},
                                                       {"___", "resource"}};
  for (const auto& [given, expected] : cases) EXPECT_EQ(GetManifestName(given), expected) << given;
  EXPECT_EQ(GetManifestName(std::string(1000, 'a')).size(), 250U);
}

TEST(Names, EachIsGivenOutOnce) {
  NameMaker names;
  EXPECT_EQ(names.Make("a_b"), "a-b");
  EXPECT_EQ(names.Make("a-b"), "a-b-2");
  EXPECT_EQ(names.Make("a-b-2"), "a-b-2-2");
  EXPECT_EQ(names.Make("aB"), "a-b-3");
  const std::string longest(250, 'a');
  EXPECT_EQ(names.Make(longest), longest);
  EXPECT_EQ(names.Make(longest), std::string(248, 'a') + "-2");
}

TEST(Names, FieldsInSnakeCase) {
  EXPECT_EQ(SnakeCase("resourceId"), "resource_id");
  EXPECT_EQ(SnakeCase("role"), "role");
  EXPECT_EQ(SnakeCase("importDataFileId"), "import_data_file_id");
}

/// A text of another tool, and its pieces: references in angle brackets.
std::string Pieces(const tl::expected<manifests::Template, manifests::TextFault>& pieces) {
  if (!pieces) return "fault: " + pieces.error().message;
  std::string text;
  for (const manifests::TemplatePiece& piece : *pieces) {
    text += piece.path ? "<" + manifests::PathText(*piece.path) + ">" : piece.text;
  }
  return text;
}

TEST(Expressions, OfPulumi) {
  EXPECT_EQ(Pieces(ParsePulumiText("a ${b.c[0]} $${d} $$ $e")), "a <b.c[0]> ${d} $ $e");
  EXPECT_EQ(Pieces(ParsePulumiText("${[\"odd.name\"].x}")), "<[\"odd.name\"].x>");
  EXPECT_EQ(Pieces(ParsePulumiText("${a")), "fault: \"${\" is not closed");
}

TEST(Expressions, OfTerraform) {
  EXPECT_EQ(Pieces(ParseTerraformText("a ${ b.c } $${d} %%{e} $$")), "a <b.c> ${d} %{e} $$");
  EXPECT_EQ(
      Pieces(ParseTerraformText("${f(\"}\")}")),
      "fault: \"${f(\\\"}\\\")}\" cannot be carried over: it is more than a reference such as "
      "${name.field}");
  EXPECT_EQ(Pieces(ParseTerraformText("%{ if x }")),
            "fault: \"%{\" directives cannot be carried over");
}

TEST(Expressions, LiteralsMeanThemselves) {
  for (const char* text : {"${x}", "$${x}", "$$${x}", "$", "a${", "plain"}) {
    const auto pieces = manifests::ParseTemplate(EscapedText(text));
    ASSERT_TRUE(pieces) << text;
    EXPECT_EQ(manifests::LiteralText(*pieces), text);
  }
}

}  // namespace
}  // namespace bindery::convert
