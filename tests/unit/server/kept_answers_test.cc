// An answer is kept while nothing is recorded, and not for long.

#include "server/kept_answers.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MovingClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return now; }

  MonoTime now{};
};

class KeptAnswersTest : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    answers_.emplace(*store_, moving_);
  }

  static store::StoreChange OneResource(bool accepted) {
    store::ResourceRecord record;
    record.name = "dash";
    record.token = {"monitoring", "RestrictionPolicy"};
    record.target = {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"};
    record.role = "*";
    record.accepted = accepted;
    record.spec = "{}";
    record.labels = "{}";
    store::StoreChange change;
    change.upsert_resources = {record};
    return change;
  }

  std::string Ask(const std::string& question, int status = 200, const std::string& body = "") {
    const auto make = [&] {
      return httpd::TextResponse(status, body.empty() ? std::to_string(++made_) : body);
    };
    return answers_->Get(question, make).body;
  }

  MovingClock moving_;
  std::optional<KeptAnswers> answers_;
  int made_ = 0;
};

TEST_F(KeptAnswersTest, AreGivenAgainToTheSameQuestion) {
  EXPECT_EQ(Ask("/a"), "1");
  EXPECT_EQ(Ask("/b"), "2");
  EXPECT_EQ(Ask("/a"), "1");
  EXPECT_EQ(Ask("/b"), "2");
}

TEST_F(KeptAnswersTest, EndWithTheNextRecordOfAnyKind) {
  EXPECT_EQ(Ask("/a"), "1");
  answers_->Outdate();
  EXPECT_EQ(Ask("/a"), "2");
}

TEST_F(KeptAnswersTest, EndWithAChangeOfContentThatNobodyToldOf) {
  EXPECT_EQ(Ask("/a"), "1");
  ASSERT_THAT(store_->Apply(OneResource(true)), testing::IsOk());
  EXPECT_EQ(Ask("/a"), "2");
}

TEST_F(KeptAnswersTest, AreNoneOfAStoreThatOthersMayWrite) {
  const auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(opened, testing::IsOk());
  answers_.emplace(**opened, moving_);
  EXPECT_EQ(Ask("/a"), "1");
  EXPECT_EQ(Ask("/a"), "2");
}

TEST_F(KeptAnswersTest, EndAfterASecond) {
  EXPECT_EQ(Ask("/a"), "1");
  moving_.now += std::chrono::milliseconds(900);
  EXPECT_EQ(Ask("/a"), "1");
  moving_.now += std::chrono::milliseconds(200);
  EXPECT_EQ(Ask("/a"), "2");
}

TEST_F(KeptAnswersTest, AreNeitherFailuresNorLong) {
  EXPECT_EQ(Ask("/missing", 404), "1");
  EXPECT_EQ(Ask("/missing", 404), "2");
  const std::string body(std::size_t{1} << 20U, 'x');
  EXPECT_EQ(Ask("/long", 200, body), body);
  EXPECT_EQ(Ask("/long"), "3");
}

TEST_F(KeptAnswersTest, TakeLittleRoomTogether) {
  const std::string body(std::size_t{200} << 10U, 'x');
  for (int i = 0; i < 100; ++i) Ask("/" + std::to_string(i), 200, body);
  int kept = 0;
  for (int i = 99; i >= 0; --i) {
    if (Ask("/" + std::to_string(i)) == body) ++kept;
  }
  EXPECT_GE(kept, 1);
  EXPECT_LE(kept, 10);
}

TEST_F(KeptAnswersTest, GoOutOverTheSocketAsTheyWereMade) {
  Apply(OneResource(true));
  const std::string target = "/api/v1/targets/RestrictionPolicy/dashboard:abc-def-ghi";
  for (const std::string& path : {std::string("/api/v1/resources/dash"), target,
                                  std::string("/api/v1/resources?limit=100")}) {
    const testing::HttpResult made = OverSocket("GET", path);
    EXPECT_EQ(made.status, 200) << path;
    const testing::HttpResult kept = OverSocket("GET", path);
    EXPECT_EQ(kept.body, made.body);
    EXPECT_EQ(kept.Header("Vary"), made.Header("Vary"));
    EXPECT_EQ(kept.Header("Cache-Control"), made.Header("Cache-Control"));
    EXPECT_EQ(Get(path).body, made.body) << "over TCP too";
    EXPECT_EQ(OverSocket("HEAD", path).body, "");
  }
  Apply(OneResource(false));
  const testing::HttpResult changed = OverSocket("GET", "/api/v1/resources/dash");
  EXPECT_NE(changed.body.find(R"("accepted":false)"), std::string::npos);
}

TEST_F(KeptAnswersTest, OfPagesAreForReadersWithTheSameRights) {
  const std::string page = "/resources/dash";
  const std::string button = "/actions/reconcile";
  Apply(OneResource(true));
  const std::string made = OverSocket("GET", page).body;
  EXPECT_THAT(made, HasSubstr(button));
  EXPECT_THAT(Get(page).body, Not(HasSubstr(button)));
  store::StoreChange change;  // Nobody is told: only a page made anew shows the change.
  change.problems = {{"a.yaml", 1, 1, "", "error", "UnknownField", "no such field", "dash"}};
  ASSERT_THAT(store_->Apply(std::move(change)), testing::IsOk());
  EXPECT_EQ(OverSocket("GET", page).body, made);
  EXPECT_THAT(OverSocket("GET", page + "?done=suspended").body, HasSubstr("no such field"));
  Apply(OneResource(true));
  EXPECT_THAT(OverSocket("GET", page).body, HasSubstr("no such field"));
  for (const char* list :
       {"/resources", "/drift", "/targets/RestrictionPolicy/dashboard:abc-def-ghi"}) {
    EXPECT_EQ(OverSocket("GET", list).body, OverSocket("GET", list).body);
  }
}

}  // namespace
}  // namespace bindery::server
