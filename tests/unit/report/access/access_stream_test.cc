// Forms that grow with each answer or change.

#include "report/forms/access_stream.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <system_error>

#include "report/access/access_values.h"
#include "report/codec/json_codec.h"
#include "report/forms/texts.h"
#include "report/text/text_style.h"

namespace bindery::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

template <typename Text>
std::string TextOf(const Text& text) {
  std::string all;
  text.WriteTo([&all](std::string_view part) { all += part; });
  return all;
}

TEST(LongText, KeepsItsPartsInOrderWhateverTheSize) {
  LongText text;
  EXPECT_TRUE(text.empty());
  std::string wanted;
  for (int i = 0; i < 40; ++i) {
    const std::string part(100'000, static_cast<char>('a' + i % 26));
    text.Append(part);
    wanted += part;
  }
  const std::string longer(3U << 20U, 'z');
  text.Append(longer);
  text.Append("end");
  EXPECT_FALSE(text.empty());
  EXPECT_TRUE(TextOf(text) == wanted + longer + "end");
  EXPECT_TRUE(TextOf(text) == wanted + longer + "end") << "a second time";
}

TEST(LongText, ALostPartOfTheTemporaryFileIsAnError) {
  // The next opened file gets the same number.
  const int number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(number, 0);
  ASSERT_EQ(::close(number), 0);
  LongText text;
  for (int i = 0; i < 40; ++i) text.Append(std::string(100'000, 'a'));
  ASSERT_EQ(::ftruncate(number, 100'000), 0) << "the text has no temporary file";
  EXPECT_THROW(TextOf(text), std::system_error);
}

AccessChange MakeChange(const std::string& member) {
  AccessChange change;
  change.target = "projects/acme";
  change.kind = "ProjectIamBinding";
  change.grant.grant = {"roles/viewer", member};
  change.principal = member;
  return change;
}

TEST(AccessStream, AComparisonInPartsIsThatOfTheWholeReport) {
  AccessDiff whole;
  whole.notes = {"a note with \n  \"changes\": []"};
  for (const int count : {0, 1, 3}) {
    whole.changes.clear();
    AccessDiffJsonText json;
    AccessDiffCsvText csv;
    for (int i = 0; i < count; ++i) {
      whole.changes.push_back(MakeChange("user:" + std::to_string(i) + "@example.com"));
      json.Take(whole.changes.back());
      csv.Take(whole.changes.back());
    }
    AccessDiff rest = whole;
    rest.changes.clear();
    std::string text;
    const auto add = [&text](std::string_view part) { text += part; };
    json.Finish(rest, add);
    EXPECT_EQ(text, ToJson(whole).dump(2) + "\n") << count;
    text.clear();
    csv.Finish(add);
    EXPECT_EQ(text, AccessCsv(whole)) << count;
  }
}

TEST(AccessStream, ATextSaysHowManyChangesAreNotShown) {
  AccessDiff diff;
  diff.summary = {3, 1, 1};
  diff.changes = {MakeChange("user:a@example.com"), MakeChange("user:b@example.com")};
  EXPECT_THAT(AccessDiffText(diff, {}),
              EndsWith("\n2 more changes are not shown: --limit all shows every change.\n"));
  diff.summary = {2, 1, 1};
  EXPECT_THAT(AccessDiffText(diff, {}), HasSubstr("\n1 more change is not shown"));
  diff.summary = {2, 0, 1};
  EXPECT_THAT(AccessDiffText(diff, {}), Not(HasSubstr("not shown")));
}

}  // namespace
}  // namespace bindery::report
