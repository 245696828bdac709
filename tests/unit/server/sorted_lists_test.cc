// Lists in the order of each of their columns: the JSON, and the links of the page.

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SortedLists : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    store::StoreChange change;
    change.events = {Happened("Found", "b", "y", "zoe"), Happened("Written", "a", "x", "bindery"),
                     Happened("Found", "c", "z", "bindery")};
    const std::string policy =
        R"({"data":{"attributes":{"bindings":[{"relation":"viewer","principals":["user:b","team:a"]},)"
        R"({"relation":"editor","principals":["user:a"]}]}}})";
    for (const char* name : {"dashboard:abc-def-gh1", "dashboard:abc-def-gh0"}) {
      store::RevisionRecord revision;
      revision.target = {"RestrictionPolicy", "monitoring", name};
      revision.time = clock_.Wall();
      revision.policy = policy;
      revision.digest = "d0";
      change.revisions.push_back(revision);
      store::TargetRecord record;
      record.target = revision.target;
      record.provider = "monitoring";
      record.observed = true;
      record.exists = true;
      record.observed_at = clock_.Wall();
      record.policy_digest = "d0";
      change.upsert_targets.push_back(record);
    }
    Apply(std::move(change));
  }

  [[nodiscard]] Event Happened(const std::string& reason, const std::string& resource,
                               const std::string& message, const std::string& actor) const {
    return {clock_.Wall(), EventType::kNormal, reason, resource, "", message, actor};
  }

  /// The member of each event.
  [[nodiscard]] std::vector<std::string> Events(const std::string& question,
                                                const char* member = "message") const {
    std::vector<std::string> values;
    const Json events = GetJson("/api/v1/events?" + question);
    for (const Json& event : events["events"]) {
      values.push_back(event[member].get<std::string>());
    }
    return values;
  }

  /// The member of each answer about access.
  [[nodiscard]] std::vector<std::string> Access(const std::string& question,
                                                const char* member) const {
    std::vector<std::string> values;
    const Json access = GetJson("/api/v1/access?" + question);
    for (const Json& answer : access["answers"]) {
      values.push_back(answer[member].get<std::string>());
    }
    return values;
  }
};

TEST_F(SortedLists, EventsComeInTheOrderOfEachColumn) {
  EXPECT_THAT(Events("sort=time"), ElementsAre("z", "x", "y"));
  EXPECT_THAT(Events("sort=-time"), ElementsAre("y", "x", "z"));
  EXPECT_THAT(Events("sort=reason"), ElementsAre("z", "y", "x")) << "of equal ones the newest";
  EXPECT_THAT(Events("sort=about"), ElementsAre("x", "y", "z"));
  EXPECT_THAT(Events("sort=-message"), ElementsAre("z", "y", "x"));
  EXPECT_THAT(Events("sort=actor"), ElementsAre("z", "x", "y"));
  EXPECT_THAT(Events("sort=message&limit=1&offset=1"), ElementsAre("y"));
  EXPECT_THAT(Events("sort=message&q=found"), ElementsAre("y", "z"));
  const Json page = GetJson("/api/v1/events?sort=message&limit=1&offset=1");
  EXPECT_EQ(page["total"], 3);
  EXPECT_EQ(page["offset"], 1);
  EXPECT_FALSE(GetJson("/api/v1/events").contains("total"));
  EXPECT_EQ(Get("/api/v1/events?sort=colour").status, 400);
}

TEST_F(SortedLists, EventsOfManyPartsAreSortedTogether) {
  constexpr int kMany = 1'200;
  store::StoreChange change;
  for (int i = 0; i < kMany; ++i) {
    change.events.push_back(Happened("Many", "r", std::to_string(10'000 + (i * 7) % kMany), "a"));
  }
  Apply(std::move(change));
  EXPECT_THAT(Events("sort=message&limit=2&offset=1190&reason=Many"),
              ElementsAre("11190", "11191"));
  EXPECT_EQ(GetJson("/api/v1/events?sort=message&limit=2")["total"], kMany + 3);
}

TEST_F(SortedLists, AccessComesInTheOrderOfEachColumn) {
  const Json all = GetJson("/api/v1/access");
  ASSERT_EQ(all["answers"].size(), 6U);
  EXPECT_THAT(Access("sort=principal", "principal"),
              ElementsAre("team:a", "team:a", "user:a", "user:a", "user:b", "user:b"));
  EXPECT_THAT(Access("sort=-principal&limit=2&offset=1", "principal"),
              ElementsAre("user:b", "user:a"));
  EXPECT_THAT(Access("sort=principal&limit=2", "target"),
              ElementsAre("dashboard:abc-def-gh0", "dashboard:abc-def-gh1"))
      << "equal ones in the order of the report";
  EXPECT_THAT(Access("sort=-target&limit=1", "target"), ElementsAre("dashboard:abc-def-gh1"));
  const Json page = GetJson("/api/v1/access?sort=role&limit=1");
  EXPECT_EQ(page["answers"][0]["grant"]["relation"], "editor");
  EXPECT_EQ(page["total"], 6);
  EXPECT_EQ(page["summary"], all["summary"]);
  for (const char* order : {"verdict", "source", "time", "read"}) {
    EXPECT_EQ(Access(std::string("sort=") + order, "target").size(), 6U) << order;
  }
  EXPECT_EQ(Get("/api/v1/access?sort=colour").status, 400);
  EXPECT_EQ(Get("/access?role=viewer&sort=-role").status, 200);
}

TEST_F(SortedLists, SortedAccessEndsAtTheLongestList) {
  EXPECT_EQ(GetJson("/api/v1/access?sort=role&offset=9999&limit=1")["total"], 6);
  const auto refused = Get("/api/v1/access?sort=role&offset=9999&limit=2");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("INVALID_ARGUMENT"));
  EXPECT_THAT(refused.body, HasSubstr("only the first 10000 answers"));
  EXPECT_EQ(Get("/api/v1/access?sort=role&offset=1000000000&limit=10000").status, 400);
  EXPECT_EQ(Get("/api/v1/access?sort=role&offset=10000").status, 400);
  EXPECT_THAT(Access("sort=-principal&offset=4", "principal"), ElementsAre("team:a", "team:a"))
      << "without a limit up to the end";
  EXPECT_EQ(GetJson("/api/v1/access?offset=1000000000&limit=10000")["total"], 6) << "not sorted";
  EXPECT_THAT(Get("/access?role=viewer&sort=role&offset=9901").body,
              HasSubstr("narrow the question"));
}

TEST_F(SortedLists, GroupsOfACoverageAndHoldsAreSortedAsAsked) {
  EXPECT_EQ(GetJson("/api/v1/coverage?by=role&sort=-unmanaged")["groups"].size(), 1U);
  EXPECT_EQ(Get("/api/v1/coverage?by=role&sort=colour").status, 400);
  EXPECT_EQ(Get("/api/v1/guard?sort=-role").status, 200);
  EXPECT_EQ(Get("/api/v1/guard?sort=colour").status, 400);
  EXPECT_EQ(Get("/api/v1/problems?sort=-message").status, 200);
  EXPECT_EQ(Get("/api/v1/problems?sort=colour").status, 400);
}

TEST_F(SortedLists, ACoverageAndTheHoldsAreTablesWhereAskedFor) {
  store::StoreChange change;
  store::HoldRecord hold;
  hold.digest = "abcdef";
  hold.created = clock_.Wall();
  hold.state = HoldState::kOpen;
  hold.items = R"([{"target":"p/a","kind":"X","resources":["r","s"],"removes":[
      {"role":"roles/x","member":"user:low","severity":"low","cause":"manifest"},
      {"role":"roles/y","member":"user:high","severity":"high","cause":"foreign"}]}])";
  change.upsert_holds = {hold};
  Apply(change);
  const auto lines = [&](const std::string& question) {
    const std::string table = Get("/api/v1/" + question + "format=csv").body;
    return table.substr(table.find('\n') + 1);
  };
  EXPECT_THAT(lines("guard?"), ContainsRegex("high,foreign,user:high,roles/y,,,p/a,X,r s\r\n.*"
                                             "low,manifest,user:low,roles/x,,,p/a,X,r s\r\n"))
      << "in the order of the page";
  EXPECT_THAT(lines("guard?sort=-principal&"), ContainsRegex("user:low.*\n.*user:high"));
  EXPECT_EQ(Get("/api/v1/guard?format=pdf").status, 400);
  EXPECT_THAT(Get("/api/v1/coverage?by=role&format=csv").body,
              StartsWith("role,grants,declared,accepted,justInTime,serviceAgents,undeclared,"));
}

TEST_F(SortedLists, TheHistoryComesInTheOrderOfEachColumn) {
  const auto add = [&](int ago, std::int64_t most, std::int64_t calls) {
    store_->hours().AddToHour(
        {clock_.Wall() - std::chrono::hours(ago), {0, most, 0}, {5, 5, 5}, 1, 2, 3, calls});
  };
  add(2, 1, 9);
  add(1, 7, 9);
  add(0, 3, 4);
  ASSERT_THAT(store_->Flush(), testing::IsOk());
  const auto most = [&](const std::string& question) {
    std::vector<int> numbers;
    const Json history = GetJson("/api/v1/history?range=24h" + question);
    for (const Json& span : history["spans"]) {
      numbers.push_back(span["open"]["most"].get<int>());
    }
    return numbers;
  };
  EXPECT_THAT(most(""), ElementsAre(1, 7, 3)) << "the oldest first";
  EXPECT_THAT(most("&sort=time"), ElementsAre(1, 7, 3));
  EXPECT_THAT(most("&sort=-time"), ElementsAre(3, 7, 1));
  EXPECT_THAT(most("&sort=open"), ElementsAre(7, 3, 1));
  EXPECT_THAT(most("&sort=-open"), ElementsAre(1, 3, 7));
  EXPECT_THAT(most("&sort=calls"), ElementsAre(7, 1, 3)) << "of equal ones the newest";
  EXPECT_EQ(Get("/api/v1/history?sort=colour").status, 400);
  const std::string table = Get("/api/v1/history?range=24h&format=csv&sort=open").body;
  EXPECT_THAT(table, ContainsRegex("Z,0,7,0,.*\n.*Z,0,3,0,.*\n.*Z,0,1,0,"));
  const std::string page = Get("/history?range=24h&sort=open").body;
  EXPECT_THAT(page, ContainsRegex("0 to 7.*0 to 3.*0 to 1"));
  EXPECT_THAT(page, HasSubstr("href=\"/history?range=7d&amp;sort=open\""));
  for (const char* column : {"time", "undeclared", "found", "writes", "errors", "calls"}) {
    EXPECT_THAT(page, HasSubstr(std::string("/history?range=24h&amp;sort=") + column + "\""));
  }
}

TEST_F(SortedLists, ReplicasAreSortedAndATableAsAsked) {
  EXPECT_EQ(GetJson("/api/v1/replicas?sort=-started")["replicas"].size(), 0U);
  EXPECT_EQ(Get("/api/v1/replicas?sort=colour").status, 400);
  EXPECT_THAT(Get("/api/v1/replicas?format=csv&sort=seen").body,
              HasSubstr("id,machine,state,term,version,started,seen,silentSeconds"));
}

TEST_F(SortedLists, HeadersOfColumnsSort) {
  const std::string events = Get("/events?sort=-message").body;
  EXPECT_THAT(events, HasSubstr("aria-sort=\"descending\"><a href=\"/events?sort=message\">"));
  for (const char* column : {"reason", "time", "about", "actor"}) {
    EXPECT_THAT(events, HasSubstr(std::string("href=\"/events?sort=") + column + "\""));
  }
  const std::string access = Get("/access?role=viewer").body;
  for (const char* column : {"principal", "role", "verdict", "target", "source", "time", "read"}) {
    EXPECT_THAT(access, HasSubstr(std::string("/access?role=viewer&amp;sort=") + column + "\""));
  }
}

}  // namespace
}  // namespace bindery::server
