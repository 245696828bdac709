#include "web/html.h"

#include <gtest/gtest.h>

#include <string>

namespace bindery::web {
namespace {

TEST(Escaping, LeavesNothingThatMeansSomething) {
  struct Escape {
    std::string text;
    std::string html;
  };
  const std::vector<Escape> cases = {
      {"plain text, ümlaut 日本 🦊", "plain text, ümlaut 日本 🦊"},
      {"<script>alert('x') & \"y\"</script>",
       "&lt;script&gt;alert(&#39;x&#39;) &amp; &quot;y&quot;&lt;/script&gt;"},
      {"&amp;", "&amp;amp;"},
      {std::string("a\0b", 3),
       "a\xEF\xBF\xBD"
       "b"},
      {"\x1b[31m\x7f", "\xEF\xBF\xBD[31m\xEF\xBF\xBD"},
      {"line\n\ttab\r", "line\n\ttab\r"},
      {"\xff\xfe", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xc0\xbc", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // An overlong '<'.
      {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // A surrogate.
      {"cut \xe6\x97", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (const Escape& c : cases) EXPECT_EQ(Html(c.text).markup(), c.html) << c.text;
}

TEST(Element, HoldsTextsAndOtherElements) {
  const Html inner = El("b", {}, "x < y");
  EXPECT_EQ(
      El("p", {{"class", "a\"b"}, {"hidden", "", false}}, inner, " & ", std::string("z")).markup(),
      "<p class=\"a&quot;b\"><b>x &lt; y</b> &amp; z</p>");
  EXPECT_EQ(Void("input", {{"name", "q"}}).markup(), "<input name=\"q\">");
  EXPECT_TRUE(Html().empty());
}

TEST(Element, ATextIsEscapedOnce) {
  Html html = "a & b";
  html.Add(html);
  EXPECT_EQ(El("i", {}, html).markup(), "<i>a &amp; ba &amp; b</i>");
}

}  // namespace
}  // namespace bindery::web
