// Where webhooks stand in the journal, and what they are given of it.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using ::testing::ElementsAre;
using testing::EventNamed;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PolicyTarget;
using ::testing::SizeIs;
using testing::StoreTest;

class StoreWebhooks : public StoreTest {
 protected:
  void Happened(Event event) {
    StoreChange change;
    change.events.push_back(std::move(event));
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }
  void Happened(const std::string& reason) { Happened(EventNamed(reason)); }

  void Set(std::vector<std::string> names) {
    StoreChange change;
    change.webhooks = std::move(names);
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }

  /// "name first cursor" of each.
  std::vector<std::string> Standing() {
    std::vector<std::string> standing;
    for (const WebhookRecord& record : Value(store().Webhooks())) {
      standing.push_back(record.name + " " + std::to_string(record.first) + " " +
                         std::to_string(record.cursor));
    }
    return standing;
  }

  std::vector<std::string> Reasons(const JournalPage& page) {
    std::vector<std::string> reasons;
    for (const JournalEntry& entry : Value(store().Journal(page))) {
      reasons.push_back(std::to_string(entry.id) + " " + entry.event.reason);
    }
    return reasons;
  }
};

TEST_F(StoreWebhooks, ANewOneBeginsAtTheEndOfTheJournal) {
  Set({"early"});
  Happened("1");
  Happened("2");
  Set({"early", "late"});
  EXPECT_THAT(Standing(), ElementsAre("early 0 0", "late 2 2"));
}

TEST_F(StoreWebhooks, AnEventOfTheSameChangeIsTheirs) {
  StoreChange change = testing::EventChange("1");
  change.webhooks = {{"ops"}};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Standing(), ElementsAre("ops 0 0"));
}

TEST_F(StoreWebhooks, OneThatIsNotNamedIsForgotten) {
  Set({"a", "b"});
  Set({"b"});
  EXPECT_THAT(Standing(), ElementsAre("b 0 0"));
  Happened("1");
  Set({"a", "b"});
  EXPECT_THAT(Standing(), ElementsAre("a 1 1", "b 0 0"));
}

TEST_F(StoreWebhooks, ProgressOutlivesAStart) {
  Happened("1");
  Set({"ops"});
  Happened("2");
  WebhookRecord record = Value(store().Webhooks()).at(0);
  EXPECT_EQ(record.last_event, 2);
  record.cursor = 2;
  record.delivered_at = At(5);
  record.failing_since = At(7);
  record.failure = "HTTP 503";
  StoreChange change;
  change.webhook_progress = {record};
  ASSERT_THAT(store().Apply(change), IsOk());
  Reopen();
  Set({"ops"});
  const auto found = Value(store().Webhooks());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].first, 1);
  EXPECT_EQ(found[0].cursor, 2);
  EXPECT_EQ(found[0].delivered_at, At(5));
  EXPECT_EQ(found[0].failing_since, At(7));
  EXPECT_EQ(found[0].failure, "HTTP 503");
}

TEST_F(StoreWebhooks, ProgressOfOneThatIsForgottenIsNone) {
  StoreChange change;
  change.webhook_progress = {{"gone", 0, 4, {}, {}, "", 0}};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Standing(), IsEmpty());
}

TEST_F(StoreWebhooks, TheJournalIsGivenOldestFirstInPages) {
  for (const char* reason : {"a", "b", "c", "d"}) Happened(reason);
  EXPECT_THAT(Reasons({0, 2}), ElementsAre("1 a", "2 b"));
  EXPECT_THAT(Reasons({2, 10}), ElementsAre("3 c", "4 d"));
  EXPECT_THAT(Reasons({4, 10}), IsEmpty());
}

TEST_F(StoreWebhooks, TheJournalShowsWhatWasDeleted) {
  Happened(EventNamed("old", At(0)));
  Happened(EventNamed("new", At(100)));
  ASSERT_THAT(store().Retain(At(50), 10), IsOk());
  EXPECT_THAT(Reasons({0, 10}), ElementsAre("2 new"));
  ASSERT_THAT(store().Retain(At(500), 10), IsOk());
  Set({"ops"});
  EXPECT_EQ(Value(store().Webhooks()).at(0).last_event, 2);
}

TEST_F(StoreWebhooks, AnEventComesWithTheResourcesItConcerns) {
  StoreChange change;
  change.upsert_resources = {Binding("viewers", "payments", "roles/viewer"),
                             Binding("editors", "payments", "roles/editor"),
                             Binding("others", "backup", "roles/viewer")};
  change.upsert_resources[0].labels = R"({"team":"payments"})";
  change.upsert_resources[0].source_file = "a.yaml";
  change.upsert_resources[0].source_line = 7;
  ASSERT_THAT(store().Apply(std::move(change)), IsOk());

  Event drift = EventNamed("DriftFound");
  drift.target = PolicyTarget("payments").name;
  Happened(drift);
  Event conflict = EventNamed("RoleConflict");
  conflict.resource = "others";
  conflict.target = PolicyTarget("backup").name;
  Happened(conflict);
  Event gone = EventNamed("Deleted");
  gone.resource = "nobody";
  Happened(gone);
  Happened("HostAway");

  const auto entries = Value(store().Journal({}));
  ASSERT_THAT(entries, SizeIs(4));
  EXPECT_THAT(entries[0].resources,
              ElementsAre(ResourceMention{"editors", "AuthorizationPolicyIamBinding", "", "", 0},
                          ResourceMention{"viewers", "AuthorizationPolicyIamBinding",
                                          R"({"team":"payments"})", "a.yaml", 7}));
  ASSERT_THAT(entries[1].resources, SizeIs(1));
  EXPECT_EQ(entries[1].resources[0].name, "others");
  EXPECT_THAT(entries[2].resources, IsEmpty());
  EXPECT_THAT(entries[3].resources, IsEmpty());
}

}  // namespace
}  // namespace bindery::store
