#include "web/manifest_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ManifestLink, LeadsToTheLineInTheRepository) {
  struct AddressCase {
    const char* pattern;
    const char* file;
    int line;
    const char* address;
  };
  const std::vector<AddressCase> cases = {
      {"https://git.example/blob/main/{path}#L{line}", "teams/a.yaml", 12,
       "https://git.example/blob/main/teams/a.yaml#L12"},
      {"https://dev.example/?path=/{path}&line={line}&file={path}", "a b&c.yaml", 0,
       "https://dev.example/?path=/a%20b%26c.yaml&line=1&file=a%20b%26c.yaml"},
      // A name that looks like a placeholder stays a name.
      {"https://git.example/{path}:{line}", "{line}.yaml", 3,
       "https://git.example/%7Bline%7D.yaml:3"},
      {"https://git.example/{path}", "#\"><script>", 1,
       "https://git.example/%23%22%3E%3Cscript%3E"}};
  for (const AddressCase& c : cases)
    EXPECT_EQ(RepositoryAddress(c.pattern, c.file, c.line), c.address);
}

TEST(ManifestLink, IsPlainTextWithoutARepository) {
  PageContext context;
  EXPECT_EQ(ManifestLink(context, "<a>.yaml", 3).markup(), "&lt;a&gt;.<wbr>yaml:<wbr>3");
  context.repository_url = "https://git.example/{path}?x=1&line={line}";
  EXPECT_EQ(ManifestLink(context, "<a>.yaml", 3).markup(),
            "<a href=\"https://git.example/%3Ca%3E.yaml?x=1&amp;line=3\" class=\"word\" "
            "rel=\"noreferrer\">&lt;a&gt;.<wbr>yaml:<wbr>3</a>");
  EXPECT_TRUE(ManifestLink(context, "", 3).empty());
  EXPECT_TRUE(ManifestLink(context, std::nullopt).empty());
}

report::DriftReportItem MakeItem(DriftClass drift_class) {
  report::DriftReportItem item;
  item.id = 17;
  item.drift_class = drift_class;
  item.resource = "viewers";
  item.source = report::SourceLine{"a.yaml", 3};
  item.grant = report::GrantLine{{"roles/viewer", "user:eve@example.com", {}}, {}};
  return item;
}

TEST(DriftPage, SaysHowToAcceptAndHowToAdopt) {
  PageContext context;
  context.path = "/drift";
  context.repository_url = "https://git.example/{path}#L{line}";
  report::DriftListing listing;
  listing.items = {MakeItem(DriftClass::kUndeclared)};
  EXPECT_THAT(DriftPage(context, listing),
              AllOf(HasSubstr("bindery drift accept 17"), HasSubstr("bindery adopt 17"),
                    HasSubstr("added: "), HasSubstr("href=\"https://git.example/a.yaml#L3\"")));
  listing.items = {MakeItem(DriftClass::kMissing)};
  EXPECT_THAT(DriftPage(context, listing),
              AllOf(HasSubstr("bindery adopt 17"), HasSubstr("removed: ")));
}

TEST(DriftPage, OffersNothingForWhatIsOver) {
  report::DriftListing listing;
  listing.items = {MakeItem(DriftClass::kUndeclared)};
  listing.items.front().state = DriftState::kCorrected;
  EXPECT_THAT(DriftPage({}, listing),
              AllOf(Not(HasSubstr("bindery adopt")), Not(HasSubstr("bindery drift accept"))));
}

}  // namespace
}  // namespace bindery::web
