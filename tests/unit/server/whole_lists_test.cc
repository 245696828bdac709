// Whole lists, which go out piece by piece, hold what their pages hold.

#include <algorithm>
#include <string>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::HttpResult;

class WholeLists : public testing::ServerTest {
 protected:
  static constexpr int kCount = 7;

  static Target Board(int number) {
    return {"RestrictionPolicy", "monitoring", "dashboard:abc-def-" + std::to_string(number)};
  }

  void SetUp() override {
    ServerTest::SetUp();
    store::StoreChange change;
    for (int i = 0; i < kCount; ++i) {
      store::ResourceRecord record;
      record.name = "r" + std::to_string(i * 3 % kCount);
      record.token = {"monitoring", "RestrictionPolicy"};
      record.target = Board(i);
      record.provider = "monitoring";
      record.role = "*";
      record.accepted = true;
      record.spec = R"({"bindings":[{"relation":"viewer","principals":["team:a\u202e"]}]})";
      record.labels = i % 2 == 0 ? R"({"team":"sre"})" : "{}";
      change.upsert_resources.push_back(record);
      store::RevisionRecord revision;
      revision.target = Board(i);
      revision.time = clock_.Wall();
      revision.policy = R"({"data":{"attributes":{"bindings":[{"relation":"viewer","principals":[)"
                        R"("team:a","user:)" +
                        std::to_string(i) + R"("]}]}}})";
      revision.digest = "d" + std::to_string(i);
      change.revisions.push_back(revision);
      store::TargetRecord target;
      target.target = Board(i);
      target.provider = "monitoring";
      target.observed = true;
      target.exists = true;
      target.policy_digest = revision.digest;
      target.observed_at = clock_.Wall();
      change.upsert_targets.push_back(target);
      DriftItem item;
      item.drift_class = DriftClass::kUndeclared;
      item.severity = i % 2 == 0 ? Severity::kHigh : Severity::kLow;
      item.grant = {"viewer", "user:" + std::to_string(i)};
      change.drift.push_back({Board(i), clock_.Wall(), {item}, false});
    }
    Apply(change);
  }
};

TEST_F(WholeLists, AreTheirPagesOneAfterTheOther) {
  struct Case {
    const char* path;
    const char* list;
    std::size_t least;
  };
  const Case cases[] = {{"/api/v1/resources", "resources", kCount},
                        {"/api/v1/targets", "targets", kCount},
                        {"/api/v1/drift", "items", kCount},
                        {"/api/v1/access", "answers", kCount}};
  for (const Case& c : cases) {
    const Json whole = GetJson(c.path);
    Json pages = Json::array();
    Json page;
    for (int offset = 0; offset < 30; offset += 2) {
      page = GetJson(std::string(c.path) + "?limit=2&offset=" + std::to_string(offset));
      for (const Json& element : page[c.list]) pages.push_back(element);
    }
    EXPECT_EQ(whole[c.list], pages) << c.path;
    EXPECT_GE(pages.size(), c.least) << c.path;
    for (const auto& [name, value] : whole.items()) {
      const bool of_the_page = name == c.list || name == "offset" || name == "limit";
      if (of_the_page) continue;
      EXPECT_EQ(value, page[name]) << c.path << " " << name;
    }
  }
}

TEST_F(WholeLists, AreFiltered) {
  EXPECT_EQ(GetJson("/api/v1/resources?label=team%3Dsre")["resources"].size(), 4U);
  EXPECT_EQ(GetJson("/api/v1/targets?q=def-3")["targets"].size(), 1U);
  EXPECT_EQ(GetJson("/api/v1/drift?severity=high")["items"].size(), 4U);
  EXPECT_EQ(GetJson("/api/v1/access?principal=user:3")["answers"].size(), kCount + 1U)
      << "its own, and those of a team that it may be in";
}

TEST_F(WholeLists, OfDriftAreFilteredAsTheirPages) {
  const std::string question = "/api/v1/drift?q=user:3&class=undeclared";
  const Json whole = GetJson(question);
  EXPECT_EQ(whole["total"], 1);
  EXPECT_EQ(whole["items"], GetJson(question + "&limit=10")["items"]);
  const Json sorted = GetJson("/api/v1/drift?sort=-principal&limit=2");
  EXPECT_EQ(sorted["items"][0]["grant"]["principal"], "user:6");
  EXPECT_EQ(sorted["total"], kCount);
}

TEST_F(WholeLists, AreSortedAsTheirPages) {
  struct Case {
    const char* path;
    const char* list;
    const char* first;
  };
  const Case cases[] = {{"/api/v1/resources?sort=-name", "resources", "/name=r6"},
                        {"/api/v1/resources?sort=target", "resources", "/name=r0"},
                        {"/api/v1/resources?sort=-target", "resources", "/name=r4"},
                        {"/api/v1/resources?sort=-changed", "resources", "/name=r6"},
                        {"/api/v1/drift?sort=-principal", "items", "/grant/principal=user:6"},
                        {"/api/v1/drift?sort=target", "items", "/grant/principal=user:0"}};
  for (const Case& c : cases) {
    const Json whole = GetJson(c.path)[c.list];
    ASSERT_EQ(whole.size(), kCount) << c.path;
    const std::string wanted = c.first;
    const std::size_t end = wanted.find('=');
    EXPECT_EQ(whole[0].at(Json::json_pointer(wanted.substr(0, end))), wanted.substr(end + 1))
        << c.path;
    for (const char* limit : {"&limit=7", "&limit=300"}) {
      EXPECT_EQ(GetJson(std::string(c.path) + limit)[c.list], whole) << c.path << limit;
    }
    const Json rest = GetJson(std::string(c.path) + "&limit=2000&offset=5");
    EXPECT_EQ(rest["total"], kCount) << c.path;
    EXPECT_EQ(rest[c.list], Json({whole[5], whole[6]})) << c.path;
  }
}

TEST_F(WholeLists, AreTablesWhereAskedFor) {
  struct Case {
    const char* path;
    const char* titles;
  };
  const Case cases[] = {
      {"/api/v1/resources", "name,state,"}, {"/api/v1/targets", "target,kind,"},
      {"/api/v1/drift", "severity,state,"}, {"/api/v1/access", "target,kind,"},
      {"/api/v1/events", "id,time,"},       {"/api/v1/problems", "severity,code,"}};
  for (const Case& c : cases) {
    const HttpResult table = Get(std::string(c.path) + "?format=csv");
    EXPECT_EQ(table.status, 200) << c.path;
    EXPECT_EQ(table.Header("Content-Type"), "text/csv; charset=utf-8; header=present");
    EXPECT_TRUE(table.body.starts_with(c.titles)) << table.body;
    EXPECT_EQ(Get(std::string(c.path) + "?format=pdf").status, 400) << c.path;
  }
  const std::string drift = Get("/api/v1/drift?format=csv&limit=2").body;
  EXPECT_EQ(std::count(drift.begin(), drift.end(), '\n'), 3) << "the titles and two rows";
}

TEST_F(WholeLists, HaveALengthAndRefuseWhatIsNoQuestion) {
  const HttpResult whole = Get("/api/v1/resources");
  EXPECT_EQ(whole.Header("Content-Length"), std::to_string(whole.body.size()));
  EXPECT_EQ(whole.Header("Cache-Control"), "no-store");
  EXPECT_EQ(whole.Header("Content-Type"), "application/json");
  EXPECT_EQ(Get("/api/v1/drift?severity=bad").status, 400);
  EXPECT_EQ(Get("/api/v1/resources?state=bad").status, 400);
  EXPECT_EQ(Get("/api/v1/access?at=bad").status, 400);
  for (const char* part : {"class", "cause", "state", "sort", "firstSeen"}) {
    EXPECT_EQ(Get("/api/v1/drift?limit=5&" + std::string(part) + "=bad").status, 400) << part;
    EXPECT_EQ(Get("/drift?" + std::string(part) + "=bad").status, 400) << part;
  }
  EXPECT_EQ(Get("/api/v1/targets?sort=bad").status, 400);
  EXPECT_EQ(Get("/api/v1/targets?differing=bad").status, 400);
  EXPECT_EQ(Get("/api/v1/events?type=bad").status, 400);
  EXPECT_EQ(Get("/api/v1/problems?severity=bad").status, 400);
}

}  // namespace
}  // namespace bindery::server
