// What an import learns about policies that it has read.

#include "app/plan/policy_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/connection.h"
#include "cloud/transport.h"
#include "core/text/time_text.h"
#include "providers/registry/kinds.h"

namespace bindery::app {
namespace {

/// Refuses each call. The first call waits for a second one.
class MeetingPoint final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& /*request*/) override {
    constexpr std::chrono::seconds kLongest{10};
    std::unique_lock lock(mutex_);
    most_ = std::max(most_, ++inside_);
    came_.notify_all();
    came_.wait_for(lock, kLongest, [this] { return most_ > 1; });
    --inside_;
    return cloud::HttpResponse{403, {}, "{}"};
  }

  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::size_t inside_ = 0;
  std::size_t most_ = 0;
};

Expected<reconcilers::Observation> SeenWith(const std::vector<Grant>& grants) {
  reconcilers::Observation seen;
  seen.grants = grants;
  return seen;
}

Grant OnRequest(const std::string& member) {
  return {"roles/storage.admin", member,
          Condition{R"(request.time < timestamp("2090-01-01T00:00:00Z"))", "Created by: PAM", ""}};
}

TEST(PolicyReads, TheServiceIsAskedAboutSeveralPoliciesAtOnce) {
  const auto transport = std::make_shared<MeetingPoint>();
  cloud::Connection connection;
  connection.provider = "asked-at-once";
  connection.transport = transport;
  connection.authorizer = cloud::NoCredentials();
  for (const char* service : {"cloudresourcemanager", "privilegedaccessmanager", "cloudasset"}) {
    connection.endpoints[service] = std::string("http://") + service;
  }
  OpenedProvider provider;
  provider.connection = std::make_shared<const cloud::Connection>(connection);
  const reconcilers::Kind* kind =
      providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  ASSERT_NE(kind, nullptr);
  const std::vector<PolicyRead> reads = {
      {kind, "projects/a"}, {kind, "projects/b"}, {kind, "projects/c"}, {kind, "projects/d"}};
  const Grant lasting{"roles/viewer", "user:ana@example.com"};
  const std::vector<Expected<reconcilers::Observation>> seen = {
      SeenWith({OnRequest("user:a@example.com"), lasting}),
      SeenWith({OnRequest("user:b@example.com")}), SeenWith({lasting}),
      Fail(Code::kPermissionDenied, "not read")};
  const auto known = AskForJustInTime(provider, reads, seen, *ParseRfc3339("2026-11-30T00:00:00Z"));
  ASSERT_EQ(known.size(), reads.size());
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(known[i].answers.size(), 1U);
    EXPECT_EQ(known[i].answers.front().verdict, JustInTimeAnswer::Verdict::kNotTold);
  }
  EXPECT_TRUE(known[2].answers.empty()) << "nothing has the form";
  EXPECT_TRUE(known[3].answers.empty()) << "nothing is known of the policy";
  EXPECT_GT(transport->most(), 1U);
}

TEST(PolicyReads, AnExportShowsEachGrantOnce) {
  const reconcilers::Kind* kind =
      providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  const auto seen = ObservationInExport(
      kind->traits(), R"([{"role": "roles/viewer", "members": ["user:a@x.org", "user:A@x.org"]}])");
  ASSERT_TRUE(seen.has_value());
  EXPECT_TRUE(seen->exists);
  EXPECT_EQ(seen->grants, (std::vector<Grant>{{"roles/viewer", "user:a@x.org"}}));
  EXPECT_FALSE(ObservationInExport(kind->traits(), "[]")->exists);
  EXPECT_FALSE(ObservationInExport(kind->traits(), "[").has_value());
}

TEST(PolicyReads, AnExportInAnotherFormIsRefusedRatherThanReadWithoutItsConditions) {
  struct Case {
    const char* more;      ///< Of the entry.
    const char* expected;  ///< Empty: the entry is read.
  };
  const Case cases[] = {
      {"", ""},
      {R"(, "condition": null)", ""},
      {R"(, "bindingId": "x")", ""},
      {R"(, "condition": {"title": "t", "expression": "true"})", ""},
      {R"(, "condition": "true")", "has \"condition\" in an unknown form"},
      {R"(, "condition": [{"expression": "true"}])", "has \"condition\" in an unknown form"},
      {R"(, "condition": {"expression": 1})", "has \"condition\" in an unknown form"},
      {R"(, "Condition": {"expression": "false"})", "has \"Condition\" in an unknown form"},
      {R"(, "until": "2027")", "has \"until\" in an unknown form"},
  };
  const reconcilers::Kind* kind =
      providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  ASSERT_NE(kind, nullptr);
  const auto read = [&](const std::string& entry) {
    const auto seen = ObservationInExport(kind->traits(), "[" + entry + "]");
    return seen ? std::string() : seen.error().message;
  };
  for (const Case& one : cases) {
    EXPECT_EQ(read(R"({"role": "roles/viewer", "members": ["user:a@example.com"])" +
                   std::string(one.more) + "}"),
              *one.expected == 0 ? "" : std::string("bindings[0] ") + one.expected)
        << one.more;
  }
  EXPECT_EQ(read(R"({"members": ["user:a@example.com"]})"), "bindings[0] has no role");
  EXPECT_EQ(read(R"({"role": "r"})"), "bindings[0] has no list of members");
  EXPECT_EQ(read(R"({"role": "r", "members": null})"), "bindings[0] has no list of members");
  EXPECT_EQ(read(R"({"role": "r", "members": [1]})"), "bindings[0] has no list of members");
  EXPECT_EQ(read("7"), "bindings[0] is no object");
}

}  // namespace
}  // namespace bindery::app
