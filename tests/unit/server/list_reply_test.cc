// Lists that go out piece by piece are the JSON that they would be as a whole.

#include "server/requests/list_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/matchers.h"

namespace bindery::server {
namespace {

using testing::FailsWith;
using testing::IsOk;

std::string MakeBody(const Expected<httpd::Response>& response) {
  EXPECT_THAT(response, IsOk());
  std::string text;
  httpd::PackedBody::Reader reader(response->packed);
  for (std::string_view piece = reader.Next(); !piece.empty(); piece = reader.Next()) text += piece;
  return text;
}

TEST(ListReply, IsTheReportWithItsElements) {
  struct Case {
    std::vector<const char*> elements;
    std::vector<const char*> last;
    const char* list;
  };
  const std::vector<Case> cases = {{{}, {}, "[]"},
                                   {{"1"}, {}, "[1]"},
                                   {{}, {"2", "3"}, "[2,3]"},
                                   {{R"({"a":1})", "2"}, {"3"}, R"([{"a":1},2,3])"}};
  for (const Case& c : cases) {
    const ListBudget budget;
    ListWriter writer(budget);
    for (const char* element : c.last) writer.AddLast(element);
    for (const char* element : c.elements) writer.Add(element);
    const Json report = {{"before", "x"}, {"items", Json::array()}, {"after", nullptr}};
    EXPECT_EQ(MakeBody(writer.Reply(report, "items")),
              std::string(R"({"before":"x","items":)") + c.list + R"(,"after":null})" + "\n");
  }
}

TEST(ListReply, IsRefusedWhereAllTogetherWouldBeTooMuch) {
  const ListBudget budget(/*most=*/2'000'000);
  const auto make = [&](int count) {
    ListWriter writer(budget);
    for (int i = 0; i < count; ++i) {
      // Digits of no order cannot be packed well.
      writer.Add(std::string(100, static_cast<char>('a' + i % 26)) +
                 std::to_string(i * 2654435761LL));
    }
    return writer.Reply({{"items", Json::array()}}, "items");
  };
  {
    const auto first = make(1'000);
    EXPECT_THAT(first, IsOk());
    EXPECT_THAT(make(400'000), FailsWith(Code::kUnavailable, ::testing::HasSubstr("limit=")));
  }
  const auto held = make(20'000);
  EXPECT_THAT(held, IsOk());
  EXPECT_FALSE(budget.Fits(2'000'000)) << "while it is held";
}

TEST(TableReply, HasOneLineOfTitlesForAllItsParts) {
  const ListBudget budget;
  TableWriter table(budget);
  for (const char* part : {"a,b\r\n1,2\r\n", "a,b\r\n3,4\r\n5,6\r\n", "a,b\r\n"}) table.Add(part);
  EXPECT_EQ(MakeBody(table.Reply()), "a,b\r\n1,2\r\n3,4\r\n5,6\r\n");
}

TEST(TableReply, IsRefusedWhereItWouldBeTooMuch) {
  const ListBudget budget(10);
  TableWriter table(budget);
  for (int i = 0; i < 3; ++i) table.Add("a,b\r\n" + std::to_string(i) + ",a row that is long\r\n");
  EXPECT_THAT(table.Reply(), FailsWith(Code::kUnavailable, ::testing::HasSubstr("limit=")));
}

TEST(ListBudget, IsFreeAgainWhenTheLastReaderIsDone) {
  const ListBudget budget(/*most=*/1'000'000);
  httpd::PackedBody body;
  body.Append("x");
  body.Finish();
  auto held = budget.Hold(std::move(body));
  EXPECT_FALSE(budget.Fits(1'000'000));
  held.reset();
  EXPECT_TRUE(budget.Fits(1'000'000));
}

}  // namespace
}  // namespace bindery::server
