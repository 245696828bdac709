// What stands in a text with `${…}`.

#include "manifests/schema/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// "literal" and <path> pieces in a row: `a${b.c}` is `"a" <b.c>`; a fault is `offset: message`.
std::string Shown(std::string_view text) {
  const tl::expected<Template, TextFault> pieces = ParseTemplate(text);
  if (!pieces) return std::to_string(pieces.error().offset) + ": " + pieces.error().message;
  std::string shown;
  for (const TemplatePiece& piece : *pieces) {
    if (!shown.empty()) shown += " ";
    if (piece.path) {
      shown += "<" + PathText(*piece.path) + ">@" + std::to_string(piece.offset);
      EXPECT_EQ(text.substr(piece.offset, piece.text.size()), piece.text);
    } else {
      shown += "\"" + piece.text + "\"";
    }
  }
  return shown;
}

struct TemplateCase {
  const char* text;
  const char* shown;
};

void PrintTo(const TemplateCase& tested, std::ostream* out) { *out << tested.text; }

class Expressions : public ::testing::TestWithParam<TemplateCase> {};

TEST_P(Expressions, AreRead) { EXPECT_EQ(Shown(GetParam().text), GetParam().shown); }

INSTANTIATE_TEST_SUITE_P(
    Good, Expressions,
    ::testing::Values(TemplateCase{"", ""}, TemplateCase{"plain", "\"plain\""},
                      TemplateCase{"${me.orgId}", "<me.orgId>@0"},
                      TemplateCase{"org:${me.orgId}", "\"org:\" <me.orgId>@4"},
                      TemplateCase{"${a.b}${c.d}", "<a.b>@0 <c.d>@6"},
                      TemplateCase{"${a.b} and ${c.d}.", "<a.b>@0 \" and \" <c.d>@11 \".\""},
                      TemplateCase{"${a-1.b_c.D.e}", "<a-1.b_c.D.e>@0"},
                      TemplateCase{"${a.list[0].x}", "<a.list[0].x>@0"},
                      TemplateCase{"${a.list[10][2]}", "<a.list[10][2]>@0"},
                      TemplateCase{"${a[\"odd key\"].x}", "<a[\"odd key\"].x>@0"},
                      TemplateCase{"${[\"odd.name\"].x}", "<[\"odd.name\"].x>@0"},
                      TemplateCase{"${a[\"}\"].x}", "<a[\"}\"].x>@0"},
                      TemplateCase{"${a[\"\\\"\\\\\"]}", "<a[\"\\\"\\\\\"]>@0"},
                      TemplateCase{"${me}", "<me>@0"},
                      TemplateCase{"\xC3\xA9${a.b}", "\"\xC3\xA9\" <a.b>@2"}));

INSTANTIATE_TEST_SUITE_P(
    Escapes, Expressions,
    ::testing::Values(TemplateCase{"$${", "\"${\""}, TemplateCase{"$${a.b}", "\"${a.b}\""},
                      TemplateCase{"a$${", "\"a${\""}, TemplateCase{"$$${a.b}", "\"$${a.b}\""},
                      TemplateCase{"$", "\"$\""}, TemplateCase{"$$", "\"$$\""},
                      TemplateCase{"a$", "\"a$\""}, TemplateCase{"$a {b} $$ }", "\"$a {b} $$ }\""},
                      TemplateCase{"$${a}${b.c}", "\"${a}\" <b.c>@5"},
                      TemplateCase{"${b.c}$${", "<b.c>@0 \"${\""},
                      TemplateCase{"${b.c}$", "<b.c>@0 \"$\""}));

#define LITERAL "; a literal \"${\" is written \"$${\""
INSTANTIATE_TEST_SUITE_P(
    Bad, Expressions,
    ::testing::Values(
        TemplateCase{"${", "0: the reference is not closed: \"}\" is missing" LITERAL},
        TemplateCase{"ab${c.d", "2: the reference is not closed: \"}\" is missing" LITERAL},
        TemplateCase{"${}", "0: the reference is empty: write ${NAME.FIELD}" LITERAL},
        TemplateCase{"${ a.b}", "2: bad reference: a name is expected here" LITERAL},
        TemplateCase{"${a.b }", "5: bad reference: \" \" is not expected here" LITERAL},
        TemplateCase{"${a.b + c}", "5: bad reference: \" \" is not expected here" LITERAL},
        TemplateCase{"${a.\xC3\xA9}",
                     "4: bad reference: a name is expected behind \".\"; an odd "
                     "one is written [\"…\"]" LITERAL},
        TemplateCase{"${a\xC3\xA9}", "3: bad reference: \"\xC3\xA9\" is not expected here" LITERAL},
        TemplateCase{"${a..b}",
                     "4: bad reference: a name is expected behind \".\"; an odd one is "
                     "written [\"…\"]" LITERAL},
        TemplateCase{"${a.}",
                     "4: bad reference: a name is expected behind \".\"; an odd one is "
                     "written [\"…\"]" LITERAL},
        TemplateCase{"${.a}", "2: bad reference: a name is expected here" LITERAL},
        TemplateCase{"${a[x]}",
                     "3: bad reference: an index such as [0] or a name such as "
                     "[\"odd.name\"] is expected here" LITERAL},
        TemplateCase{"${a[-1]}",
                     "3: bad reference: an index such as [0] or a name such as "
                     "[\"odd.name\"] is expected here" LITERAL},
        TemplateCase{"${a[0.b}",
                     "3: bad reference: an index such as [0] or a name such as "
                     "[\"odd.name\"] is expected here" LITERAL},
        TemplateCase{"${a[1234567890]}",
                     "3: bad reference: an index such as [0] or a name such as "
                     "[\"odd.name\"] is expected here" LITERAL},
        TemplateCase{"${a[\"b]}", "4: bad reference: the quote is not closed" LITERAL},
        TemplateCase{"${a[\"b\\\"]}", "4: bad reference: the quote is not closed" LITERAL},
        TemplateCase{"${a[\"\"]}", "4: bad reference: the name is empty" LITERAL},
        TemplateCase{"${[0].a}", "2: bad reference: a name is expected before an index" LITERAL},
        TemplateCase{"${a.${b.c}}",
                     "4: bad reference: a name is expected behind \".\"; an odd one "
                     "is written [\"…\"]" LITERAL}));
#undef LITERAL

TEST(Template, OfALoneExpressionIsOne) {
  EXPECT_TRUE(IsLoneExpression(*ParseTemplate("${a.b}")));
  EXPECT_FALSE(IsLoneExpression(*ParseTemplate(" ${a.b}")));
  EXPECT_FALSE(IsLoneExpression(*ParseTemplate("${a.b}${c.d}")));
  EXPECT_FALSE(HasExpression(*ParseTemplate("$${a.b}")));
  EXPECT_EQ(LiteralText(*ParseTemplate("x$${a.b}")), "x${a.b}");
}

TEST(FieldPath, IsReadWithoutBraces) {
  EXPECT_THAT(*ParseFieldPath("bindings[0].principals"), SizeIs(3));
  EXPECT_EQ(ParseFieldPath("a b").error().offset, 1U);
  EXPECT_EQ(ParseFieldPath("").error().message, "a name is expected here");
  EXPECT_EQ(ParseFieldPath("[1]").error().offset, 0U);
}

TEST(FieldPath, MayBeDeep) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += ".b";
  const auto pieces = ParseTemplate("${" + text + "}");
  ASSERT_TRUE(pieces);
  EXPECT_THAT(*pieces->front().path, SizeIs(100'001));
  EXPECT_EQ(SplitName(*pieces->front().path, [](const std::string&) { return false; }).name, "a");
}

struct SplitCase {
  const char* text;
  std::set<std::string> known;
  const char* name;
  const char* below;
};

void PrintTo(const SplitCase& tested, std::ostream* out) { *out << tested.text; }

class SplitNames : public ::testing::TestWithParam<SplitCase> {};

TEST_P(SplitNames, FindTheManifest) {
  const SplitCase& tested = GetParam();
  Reference reference;
  reference.text = tested.text;
  const NamedPath named = SplitName(
      MakePath(reference), [&](const std::string& name) { return tested.known.count(name) > 0; });
  EXPECT_EQ(named.name, tested.name);
  EXPECT_EQ(PathText(named.below), tested.below);
}

INSTANTIATE_TEST_SUITE_P(Cases, SplitNames,
                         ::testing::Values(SplitCase{"${a.b.c}", {}, "a", "b.c"},
                                           SplitCase{"${a.b.c}", {"a"}, "a", "b.c"},
                                           SplitCase{"${a.b.c}", {"a.b"}, "a.b", "c"},
                                           SplitCase{"${a.b.c}", {"a", "a.b"}, "a.b", "c"},
                                           SplitCase{"${a.b.c}", {"a", "a.b.c"}, "a", "b.c"},
                                           SplitCase{"${a.b.c}", {"a.b", "a.b.c"}, "a.b", "c"},
                                           SplitCase{"${a.b.c}", {"a.b.c"}, "a.b.c", ""},
                                           SplitCase{"${a.b[0].c}", {"a.b"}, "a.b", "[0].c"},
                                           SplitCase{"${a.b[0].c}", {"a.b.c"}, "a", "b[0].c"},
                                           SplitCase{"${[\"a.b\"].c}", {"a"}, "a.b", "c"},
                                           SplitCase{"${[\"a\"].b.c}", {"a", "a.b"}, "a", "b.c"},
                                           SplitCase{"${a[\"b\"].c}", {"a.b"}, "a", "[\"b\"].c"},
                                           SplitCase{"${a}", {"a"}, "a", ""}));

TEST(Dependencies, AreEachToldOnce) {
  Manifest manifest;
  manifest.references = std::make_shared<const std::vector<Reference>>(std::vector<Reference>{
      {"${b.x}", "spec.x", 1, 1}, {"${a.x}", "spec.y", 2, 1}, {"${b.y}", "spec.z", 3, 1}});
  ExtraOptions rare;
  rare.depends_on = {"c", "a"};
  manifest.options.rare = std::make_shared<const ExtraOptions>(rare);
  const KnownName none = [](const std::string&) { return false; };
  EXPECT_THAT(ListDependencies(manifest, none), ElementsAre("b", "a", "c"));
  const Manifest without;
  EXPECT_THAT(ListDependencies(without, none), IsEmpty());
}

}  // namespace
}  // namespace bindery::manifests
