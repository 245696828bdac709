#include "cloud/curl/curl_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::cloud {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Lines(const curl_slist* list) {
  std::vector<std::string> lines;
  for (; list != nullptr; list = list->next) lines.emplace_back(list->data);
  return lines;
}

cloud::HttpRequest With(cloud::HttpHeaders headers, std::string traceparent = {}) {
  cloud::HttpRequest request;
  request.headers = std::move(headers);
  request.traceparent = std::move(traceparent);
  return request;
}

TEST(CurlHeaders, TakeAwayWhatCurlWouldAdd) {
  CurlHeaders headers;
  const auto list = headers.ListFor(With({{"Accept", "text/plain"}, {"X-Empty", ""}}));
  ASSERT_TRUE(list.has_value());
  EXPECT_THAT(Lines(*list),
              ElementsAre("Expect:", "Accept: text/plain", "X-Empty;", "Content-Type:"));
}

TEST(CurlHeaders, LeaveAContentTypeThatIsGiven) {
  CurlHeaders headers;
  const auto list = headers.ListFor(With({{"content-TYPE", "application/json"}}));
  ASSERT_TRUE(list.has_value());
  EXPECT_THAT(Lines(*list), ElementsAre("Expect:", "content-TYPE: application/json"));
}

TEST(CurlHeaders, KeepTheListForTheNextRequestWithTheSame) {
  CurlHeaders headers;
  const auto first = headers.ListFor(With({{"A", "1"}}));
  const auto second = headers.ListFor(With({{"A", "1"}}));
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(*first, *second);
  const auto third = headers.ListFor(With({{"A", "2"}}));
  ASSERT_TRUE(third.has_value());
  EXPECT_THAT(Lines(*third), ElementsAre("Expect:", "A: 2", "Content-Type:"));
}

TEST(CurlHeaders, PutTheTraceOfEachRequestBeforeThem) {
  CurlHeaders headers;
  const auto plain = headers.ListFor(With({{"A", "1"}}));
  const auto first = headers.ListFor(With({{"A", "1"}}, "one"));
  ASSERT_TRUE(plain.has_value() && first.has_value());
  EXPECT_EQ((*first)->next, *plain);
  const auto second = headers.ListFor(With({{"A", "1"}}, "two"));
  ASSERT_TRUE(second.has_value());
  EXPECT_THAT(Lines(*second), ElementsAre("traceparent: two", "Expect:", "A: 1", "Content-Type:"));
}

TEST(CurlHeaders, RefuseALineBreak) {
  CurlHeaders headers;
  const auto refused = headers.ListFor(With({{"A", "1\r\nB: 2"}}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kInternal);
  EXPECT_EQ(refused.error().message, "header \"A\" holds a line break");
  const auto next = headers.ListFor(With({{"A", "1"}}));
  ASSERT_TRUE(next.has_value());
  EXPECT_THAT(Lines(*next), ElementsAre("Expect:", "A: 1", "Content-Type:"));
}

}  // namespace
}  // namespace bindery::cloud
