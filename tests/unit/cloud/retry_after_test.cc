#include "cloud/retry_after.h"

#include <gtest/gtest.h>

#include "core/text/time_text.h"

namespace bindery::cloud {
namespace {

using namespace std::chrono_literals;
using Wait = std::optional<std::chrono::milliseconds>;

struct Case {
  const char* name;
  int status;
  cloud::HttpHeaders headers;
  Wait by_body;
  Wait expected;
};

class RetryAfterOf : public ::testing::TestWithParam<Case> {};

TEST_P(RetryAfterOf, IsTheLongestWaitThatIsAskedFor) {
  cloud::HttpResponse response;
  response.status = GetParam().status;
  response.headers = GetParam().headers;
  const WallTime now = *ParseRfc3339("2026-10-21T07:28:00Z");
  EXPECT_EQ(RetryAfter(response, GetParam().by_body, now), GetParam().expected);
}

const Case kCases[] = {
    {"Nothing", 503, {}, {}, std::nullopt},
    {"Seconds", 503, {{"retry-after", "7"}}, {}, 7s},
    {"Date", 503, {{"retry-after", "Wed, 21 Oct 2026 07:28:30 GMT"}}, {}, 30s},
    {"DateGoneBy", 503, {{"retry-after", "Wed, 21 Oct 2026 07:00:00 GMT"}}, {}, 0s},
    {"Nonsense", 503, {{"retry-after", "soon"}}, {}, std::nullopt},
    {"NonsenseDate", 503, {{"retry-after", "Wed, 99 Oct 2026 07:28:30 GMT"}}, {}, std::nullopt},
    {"Negative", 503, {{"retry-after", "-5"}}, {}, std::nullopt},
    {"AtMostFiveMinutes", 503, {{"retry-after", "999999999"}}, {}, 5min},
    {"HugeSeconds", 503, {{"retry-after", "1e300"}}, {}, 5min},
    {"DateInDays", 503, {{"retry-after", "Sat, 24 Oct 2026 07:28:00 GMT"}}, {}, 5min},
    {"DateBeyondAllClocks", 503, {{"retry-after", "Fri, 31 Dec 9999 23:59:59 GMT"}}, {}, {}},
    {"DateBeforeAllClocks", 503, {{"retry-after", "Mon, 01 Jan 0001 00:00:00 GMT"}}, {}, {}},
    {"InfiniteSeconds", 503, {{"retry-after", "inf"}}, {}, {}},
    {"RateLimitResetInDays", 429, {{"x-ratelimit-reset", "604800"}}, {}, 5min},
    {"OfTheBodyInDays", 429, {}, 604800s, 5min},
    {"RateLimitReset", 429, {{"x-ratelimit-reset", "12"}}, {}, 12s},
    {"RateLimitResetOfASuccessIsNoWait", 200, {{"x-ratelimit-reset", "12"}}, {}, std::nullopt},
    {"OfTheBody", 429, {}, 3500ms, 3500ms},
    {"TheLongest", 429, {{"retry-after", "2"}, {"x-ratelimit-reset", "1"}}, 3s, 3s},
};

INSTANTIATE_TEST_SUITE_P(Cloud, RetryAfterOf, ::testing::ValuesIn(kCases),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::cloud
