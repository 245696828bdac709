#include "attribution/log_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::attribution {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Everything a text is cut into, fed in pieces of that size: "LINE TEXT".
struct Cut {
  std::vector<std::string> records;
  std::string rest;
  std::int64_t consumed = 0;
  std::int64_t lines = 0;

  Cut(RecordForm form, const std::string& text, std::size_t piece) {
    RecordCutter cutter(form, 0, [this](const RecordCutter::Record& record) {
      records.push_back(std::to_string(record.line) + " " +
                        (record.too_long ? "too long" : std::string(record.text)));
    });
    for (std::size_t at = 0; at < text.size(); at += piece) cutter.Feed(text.substr(at, piece));
    rest = cutter.rest();
    consumed = cutter.consumed();
    lines = cutter.consumed_lines();
  }
};

class RecordPieces : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RecordPieces, LinesAreRecords) {
  const Cut cut(RecordForm::kLines, "{\"a\":1}\n\n  {\"b\":2}\r\nnone\n{\"half\"", GetParam());
  EXPECT_THAT(cut.records, ElementsAre("1 {\"a\":1}", "3 {\"b\":2}", "4 none"));
  EXPECT_EQ(cut.rest, "{\"half\"");
  EXPECT_EQ(cut.consumed, 25);
  EXPECT_EQ(cut.lines, 4);
}

TEST_P(RecordPieces, ElementsOfAnArrayAreRecords) {
  const std::string text = "[\n  {\n \"a\": \"}]\\\"\\\\\"},{\"b\": [{}]}\n,\n {\"c\"";
  const Cut cut(RecordForm::kArray, text, GetParam());
  EXPECT_THAT(cut.records, ElementsAre("2 {\n \"a\": \"}]\\\"\\\\\"}", "3 {\"b\": [{}]}"));
  EXPECT_EQ(cut.consumed, static_cast<std::int64_t>(text.find("\n,")));
  EXPECT_EQ(cut.lines, 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RecordPieces, ::testing::Values(1, 2, 7, 1000));

TEST(LogRecords, OneThatIsTooLongIsPassedOver) {
  const std::string longest = std::string(RecordCutter::kLongestRecord + 1, 'x');
  const Cut lines(RecordForm::kLines, longest + "\n{}\n", 1U << 20U);
  EXPECT_THAT(lines.records, ElementsAre("1 too long", "2 {}"));
  const Cut elements(RecordForm::kArray, "[{\"" + longest + "\"},\n{}]", 1U << 16U);
  EXPECT_THAT(elements.records, ElementsAre("1 too long", "2 {}"));
}

TEST(LogRecords, NothingIsNoRecord) {
  EXPECT_THAT(Cut(RecordForm::kLines, "", 1).records, IsEmpty());
  EXPECT_THAT(Cut(RecordForm::kArray, "[]\n", 1).records, IsEmpty());
}

}  // namespace
}  // namespace bindery::attribution
