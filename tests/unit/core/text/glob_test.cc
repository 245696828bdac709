#include "core/text/glob.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace bindery {
namespace {

TEST(MatchesGlob, WildcardsStandForCharactersUnlessEscaped) {
  struct Case {
    const char* pattern;
    const char* text;
    bool matches;
  };
  for (const Case& one : std::initializer_list<Case>{{"", "", true},
                                                     {"", "a", false},
                                                     {"*", "", true},
                                                     {"a*b*c", "a-b-b-c", true},
                                                     {"a?c", "abc", true},
                                                     {"a?c", "ac", false},
                                                     {R"(pool/\*)", "pool/*", true},
                                                     {R"(pool/\*)", "pool/x", false},
                                                     {R"(pool/\*)", R"(pool/\*)", false},
                                                     {R"(a\?)", "a?", true},
                                                     {R"(a\?)", "ab", false},
                                                     {R"(*\**)", "a*b", true},
                                                     {R"(*\**)", "ab", false},
                                                     {R"(a\\.b)", R"(a\\.b)", true},
                                                     {R"(a\)", R"(a\)", true},
                                                     {R"(\\*)", R"(\*)", true},
                                                     {R"(\\*)", R"(\x)", false}}) {
    EXPECT_EQ(MatchesGlob(one.pattern, one.text), one.matches) << one.pattern << " " << one.text;
  }
}

TEST(EscapeGlob, IsThePatternOfTheTextAlone) {
  for (const char* text : {"", "plain", "a*", "?b", R"(\)", R"(\*)", R"(\\*)", R"(a\?b*\)"}) {
    EXPECT_TRUE(MatchesGlob(EscapeGlob(text), text)) << text;
    EXPECT_FALSE(MatchesGlob(EscapeGlob(text), std::string(text) + "x")) << text;
  }
  EXPECT_FALSE(MatchesGlob(EscapeGlob("a*"), "ab"));
}

}  // namespace
}  // namespace bindery
