#include "web/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/text/time_text.h"
#include "web/assets.h"
#include "web/pages/event_table.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PageContext Context() {
  PageContext context;
  context.path = "/resources";
  context.query = {{"q", "a&b"}, {"offset", "100"}};
  context.now = ParseRfc3339("2026-11-21T12:00:00Z").value_or(WallTime());
  return context;
}

TEST(Paths, AreEncoded) {
  EXPECT_EQ(PathTo({"targets", "K", "projects/a b/<x>"}), "/targets/K/projects%2Fa%20b%2F%3Cx%3E");
  EXPECT_EQ(WithQuery("/r", {{"q", "a&b=c"}, {"empty", ""}, {"sort", "-name"}}),
            "/r?q=a%26b%3Dc&sort=-name");
  EXPECT_EQ(WithQuery("/r", {}), "/r");
}

TEST(Paths, AParameterIsReplaced) {
  const Query query = {{"q", "x"}, {"offset", "100"}};
  EXPECT_EQ(WithQuery("/r", Replaced(query, {{"offset", "200"}})), "/r?q=x&offset=200");
  EXPECT_EQ(WithQuery("/r", Replaced(query, {{"offset", ""}})), "/r?q=x");
}

TEST(Page, HasItsLandmarksAndNoInlineScriptOrStyle) {
  Frame frame;
  frame.title = "Resources";
  frame.section = "/resources";
  frame.summary = "3 resources.";
  const std::string page = Document(Context(), frame, Paragraph("content"));
  for (const char* part :
       {"<html lang=\"en\">", "href=\"#main\"", "<nav aria-label=\"Pages\">", "<main id=\"main\"",
        "<h1>Resources</h1>", "role=\"status\"", "aria-current=\"page\">Resources</a>",
        "href=\"/api/v1/resources?q=a%26b&amp;offset=100\"", "data-live"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  for (const char* part : {"style=", "onclick", "javascript:", "http://", "https://"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
}

TEST(Page, HasAFieldToSearchUnlessTheListHasOne) {
  Frame frame;
  frame.title = "Guard";
  EXPECT_THAT(Document({}, frame, {}), HasSubstr("action=\"/resources\""));
  frame.searches = true;
  EXPECT_THAT(Document({}, frame, {}), Not(HasSubstr("action=\"/resources\"")));
}

TEST(EventTable, NamesTheTargetOfWhatIsAboutNoSingleResource) {
  report::EventLine event;
  event.reason = "PolicyWritten";
  event.target = "projects/acme";
  EXPECT_THAT(EventTable(Context(), {event}, "Events").markup(), HasSubstr("projects/<wbr>acme"));
}

TEST(Parts, FiguresHaveSeparators) {
  EXPECT_EQ(Figure(0), "0");
  EXPECT_EQ(Figure(999), "999");
  EXPECT_EQ(Figure(5000), "5,000");
  EXPECT_EQ(Figure(-1234567), "-1,234,567");
  EXPECT_EQ(Counted(1, "grant", "grants"), "1 grant");
  EXPECT_EQ(Counted(2, "grant", "grants"), "2 grants");
}

TEST(Parts, TheEndOfALongNameStays) {
  EXPECT_EQ(NameClass("acme/global/payments"), "name");
  EXPECT_EQ(NameClass(std::string(60, 'x')), "name long");
  EXPECT_EQ(InOneLine("acme/payments").markup(), "acme/<wbr>payments");
  EXPECT_EQ(InOneLine("acme-analytics-platform-dev-invoices-and-exports-0410").markup(),
            "<span class=\"head\">acme-analytics-platform-dev-invoices</span>"
            "<span class=\"tail\">-and-exports-0410</span>");
  EXPECT_THAT(InOneLine(std::string(60, 'x')).markup(),
              HasSubstr("<span class=\"tail\">xxxxxxxxxxxx</span>"));
  std::string umlauts;
  for (int i = 0; i < 30; ++i) umlauts += "\xC3\xB6";
  EXPECT_THAT(InOneLine("x" + umlauts + "x").markup(), Not(HasSubstr("\xEF\xBF\xBD")))
      << "no character is cut";
}

TEST(Parts, AgesAreTold) {
  const WallTime now = Context().now;
  EXPECT_THAT(Ago(Context(), now - std::chrono::seconds(250)).markup(),
              HasSubstr(">4m10s ago</time>"));
  EXPECT_THAT(Ago(Context(), now + std::chrono::seconds(5)).markup(), HasSubstr(">in 5s</time>"));
  EXPECT_EQ(Ago(Context(), WallTime{}).markup(), "–");
}

TEST(Parts, APagerSaysWhichPartOfHowMany) {
  const std::string pager = Pager(Context(), report::ListSlice{5000, 100, 100}, 100).markup();
  EXPECT_THAT(pager, HasSubstr("101–200 of 5,000"));
  EXPECT_THAT(pager, HasSubstr("href=\"/resources?q=a%26b\">← Previous"));
  EXPECT_THAT(pager, HasSubstr("href=\"/resources?q=a%26b&amp;offset=200\">Next"));
  EXPECT_TRUE(Pager(Context(), report::ListSlice{3, 0, 100}, 3).empty());
  EXPECT_THAT(Pager(Context(), report::ListSlice{3, 100, 100}, 0).markup(),
              HasSubstr("none here of 3"));
}

TEST(TableOfRows, NamesRowsAndColumns) {
  Table table("What", {{"Name"}, {"Count", {}, "ascending", true}});
  EXPECT_TRUE(table.empty());
  table.AddRow({"a", Html()});
  EXPECT_EQ(
      table.Finished().markup(),
      "<table role=\"table\"><caption>What</caption><thead role=\"rowgroup\"><tr role=\"row\">"
      "<th scope=\"col\" role=\"columnheader\">Name</th><th scope=\"col\" "
      "role=\"columnheader\" aria-sort=\"ascending\" class=\"number\">Count</th></tr></thead>"
      "<tbody role=\"rowgroup\"><tr role=\"row\"><th scope=\"row\" role=\"rowheader\">a</th>"
      "<td role=\"cell\" data-label=\"Count\" "
      "class=\"number\"><div>–</div></td></tr></tbody></table>");
}

TEST(Assets, AreThereAndLoadNothingFromElsewhere) {
  for (const char* name : {"style.css", "live.js", "icon.svg"}) {
    SCOPED_TRACE(name);
    const Asset* asset = FindAsset(name);
    ASSERT_NE(asset, nullptr);
    EXPECT_GT(asset->content.size(), 100U);
    EXPECT_THAT(std::string(asset->content), Not(HasSubstr("https://")));
    EXPECT_THAT(std::string(asset->content), Not(HasSubstr("@import")));
    EXPECT_THAT(AssetPath(name), HasSubstr(std::string("/assets/") + name + "?v="));
  }
  EXPECT_EQ(FindAsset("passwd"), nullptr);
}

TEST(WholeName, IsNeverCutAndBreaksOnceNextToItsMiddle) {
  EXPECT_EQ(WholeName("code", "name", "user:ana@example.com").markup(),
            "<code class=\"name\">user:<wbr>ana<wbr>@example.<wbr>com</code>");
  EXPECT_EQ(WholeName("code", "name",
                      "serviceAccount:deployment-runner@identity-platform-europe.iam.example.com")
                .markup(),
            "<code class=\"name wide\"><span class=\"half\">service<wbr>Account:<wbr>"
            "deployment-runner</span><wbr><span class=\"half\">@identity-platform-europe.<wbr>"
            "iam.<wbr>example.<wbr>com</span></code>");
}

TEST(WholeName, ALongRoleOfOneWordBreaksBetweenTheWordsInside) {
  EXPECT_THAT(
      WholeName("span", "role",
                "organizations/100000000001/roles/recommendationEnginePolicyReaderAndWriter")
          .markup(),
      HasSubstr("<span class=\"half soft\">recommendation<wbr>Engine<wbr>Policy<wbr>"
                "Reader<wbr>And<wbr>Writer</span>"));
}

TEST(Prose, BreaksLongWordsAlone) {
  EXPECT_EQ(Prose("a.yaml:7: is short").markup(), "a.yaml:7: is short");
  EXPECT_EQ(Prose("on projects/acme/authorizationPolicies it").markup(),
            "on projects/<wbr>acme/<wbr>authorization<wbr>Policies it");
  EXPECT_EQ(Prose("").markup(), "");
}

TEST(Sentence, OpensWhereItIsLong) {
  EXPECT_EQ(Sentence("e1", "short <b>").markup(), "short &lt;b&gt;");
  const std::string text(81, 'x');
  EXPECT_EQ(Sentence("e1", text).markup(), "<details class=\"sentence\" id=\"e1\"><summary><span>" +
                                               text + "</span></summary></details>");
  EXPECT_THAT(Sentence("e1", text, /*open=*/true).markup(), HasSubstr("open=\"\""));
}

}  // namespace
}  // namespace bindery::web
