// Lists that a service answers in pages, read to their end.

#include "cloud/pager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/matchers.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;

constexpr const char* kUrl = "http://cloud/list?page=0";

/// "…+" goes on with the page of the next number; the "+" is not needed.
class PlusPager final : public Pager {
 public:
  [[nodiscard]] std::optional<std::string> Take(const std::string& url,
                                                std::string& body) const override {
    if (!body.ends_with('+')) return std::nullopt;
    body.pop_back();
    const std::size_t at = url.rfind('=') + 1;
    return url.substr(0, at) + std::to_string(std::stoi(url.substr(at)) + 1);
  }
};

class ScriptedTransport final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    urls.push_back(request.url);
    headers.push_back(request.headers.size());
    HttpResponse response = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return response;
  }

  std::deque<HttpResponse> answers;
  std::vector<std::string> urls;
  std::vector<std::size_t> headers;
};

class OneToken final : public Authorizer {
 public:
  Expected<void> Authorize(HttpRequest& request) override {
    request.headers.emplace_back("Authorization", "Bearer t");
    return {};
  }
  bool Refused(const HttpRequest& /*sent*/) override { return another; }

  bool another = false;
};

class PagerTest : public ::testing::Test {
 protected:
  PagerTest() {
    call_.request.url = kUrl;
    call_.request.service = "roles";
    call_.request.operation = "list";
    call_.pager = &pager_;
  }
  void Answer(int status, std::string body) {
    transport_.answers.push_back({status, {}, std::move(body)});
  }
  Expected<std::string> Read() { return Send(call_, transport_, authorizer_); }

  PlusPager pager_;
  PolicyCall call_;
  ScriptedTransport transport_;
  OneToken authorizer_;
};

TEST_F(PagerTest, AllPagesAreOneBody) {
  Answer(200, "a+");
  Answer(200, "b+");
  Answer(200, "c");
  EXPECT_EQ(Read().value_or("an error"),
            "a\x1e"
            "b\x1e"
            "c");
  EXPECT_THAT(transport_.urls,
              ElementsAre(kUrl, "http://cloud/list?page=1", "http://cloud/list?page=2"));
  EXPECT_THAT(transport_.headers, ElementsAre(1, 1, 1)) << "credentials are on each page once";
}

TEST_F(PagerTest, ASinglePageAndACallWithoutPagesAreAsTheyCame) {
  Answer(200, "a");
  EXPECT_EQ(Read().value_or("an error"), "a");
  call_.pager = nullptr;
  Answer(200, "b+");
  transport_.answers.pop_front();
  EXPECT_EQ(Read().value_or("an error"), "b+");
}

TEST_F(PagerTest, APageThatFailsFailsTheList) {
  Answer(200, "a+");
  Answer(503, "");
  EXPECT_THAT(Read(), FailsWith(Code::kUnavailable, HasSubstr("roles.list")));
}

TEST_F(PagerTest, CredentialsThatExpireBetweenPagesAreReplaced) {
  authorizer_.another = true;
  Answer(200, "a+");
  Answer(401, "");
  Answer(200, "b");
  EXPECT_EQ(Read().value_or("an error"),
            "a\x1e"
            "b");
  EXPECT_THAT(transport_.urls,
              ElementsAre(kUrl, "http://cloud/list?page=1", "http://cloud/list?page=1"));
}

TEST_F(PagerTest, AListWithoutEndIsAnErrorAndNotATruncation) {
  Answer(200, "a+");
  EXPECT_THAT(Read(), FailsWith(Code::kFailedPrecondition,
                                "roles.list: the list has more than 100 pages, which is the most "
                                "that is read"));
  EXPECT_EQ(transport_.urls.size(), kMaxPages);
}

TEST_F(PagerTest, AListThatIsTooLargeIsAnErrorToo) {
  call_.request.max_response_bytes = 4;
  Answer(200, "aa+");
  EXPECT_THAT(Read(), FailsWith(Code::kFailedPrecondition,
                                "roles.list: the list has more than 4 bytes, which is the most "
                                "that is read"));
  EXPECT_EQ(transport_.urls.size(), 2U);
}

}  // namespace
}  // namespace bindery
