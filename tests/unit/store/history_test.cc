#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <filesystem>

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using ::testing::SizeIs;
using testing::StoreTest;

/// A policy that is changed a little again and again.
class Members {
 public:
  explicit Members(int count) {
    for (int i = 0; i < count; ++i) members_.push_back(Next());
  }
  /// One member more or less each time.
  void Change() {
    const std::size_t place = Random() % members_.size();
    const auto at = members_.begin() + static_cast<std::ptrdiff_t>(place);
    shrink_ ? members_.erase(at) : members_.insert(at, Next());
    shrink_ = !shrink_;
  }
  [[nodiscard]] std::string Body() const {
    std::string body = R"({"version":1,"bindings":[{"role":"roles/viewer","members":[)";
    for (const std::string& member : members_) body += "\"" + member + "\",";
    body.back() = ']';
    return body + "}]}";
  }

 private:
  unsigned Random() { return state_ = state_ * 1664525U + 1013904223U; }
  std::string Next() {
    std::string name;
    for (int i = 0; i < 12; ++i) name += static_cast<char>('a' + (Random() >> 16U) % 26U);
    return "user:" + name + "@example.com";
  }

  unsigned state_ = 1;
  bool shrink_ = false;
  std::vector<std::string> members_;
};

class StoreHistory : public StoreTest {
 protected:
  /// Records `count` policies of target "a", each little different from the one before.
  void Record(int count, int members = 300) {
    Members policy(members);
    for (int i = 0; i < count; ++i) {
      bodies_.push_back(policy.Body());
      policy.Change();
      StoreChange change;
      change.revisions = {RevisionOf(PolicyTarget("a"), bodies_.back(), Origin::kWritten)};
      store().Submit(change, [](const Expected<void>& result) { EXPECT_THAT(result, IsOk()); });
    }
    ASSERT_THAT(store().Flush(), IsOk());
  }
  std::vector<std::string> Read() {
    std::vector<std::string> bodies;
    for (const auto& revision : Value(store().Revisions(PolicyTarget("a"), true))) {
      bodies.push_back(revision.policy);
    }
    return bodies;
  }
  void SetBaseBody(const std::string& bytes, bool blob) {
    Alter([&](Connection& connection) {
      store::Run(connection, "UPDATE policies SET body = ?1 WHERE base = 0",
                 TextOrBlob{bytes, blob});
    });
    Reopen();
  }

  std::vector<std::string> bodies_;
};

TEST_F(StoreHistory, EveryPolicyComesBackWhateverItIsStoredAs) {
  Record(100);
  Reopen();
  EXPECT_EQ(Read(), bodies_);
  EXPECT_EQ(Value(store().Policy(Sha256Hex(bodies_[57]))), bodies_[57]);
  EXPECT_GT(Count("policies WHERE base <> 0"), 50);
  EXPECT_GT(Count("policies WHERE base = 0"), 1) << "differences do not grow for ever";
  EXPECT_EQ(Count("policies WHERE base IN (SELECT id FROM policies WHERE base <> 0)"), 0)
      << "reading unpacks two at the most";
}

TEST_F(StoreHistory, ManyPoliciesComeBackAtOnceInTheAskedOrder) {
  Record(100);
  StoreChange change;
  change.revisions = {RevisionOf(PolicyTarget("b"), "{}")};
  ASSERT_THAT(store().Apply(change), IsOk());
  bodies_.emplace_back("{}");
  std::reverse(bodies_.begin(), bodies_.end());
  bodies_.push_back(bodies_.front());
  std::vector<std::string> digests;
  for (const std::string& body : bodies_) digests.push_back(Sha256Hex(body));
  EXPECT_EQ(Value(store().Policies(digests)), bodies_);
  EXPECT_EQ(Value(store().Policies({})), std::vector<std::string>());
  digests.push_back(Sha256Hex("unknown"));
  EXPECT_THAT(store().Policies(digests),
              FailsWith(Code::kNotFound, HasSubstr("there is no policy \"" + digests.back())));
}

TEST_F(StoreHistory, AThousandSmallChangesOfALargePolicyTakeLittleRoom) {
  Record(1000, 1500);
  store_.reset();
  if (InDatabase()) GTEST_SKIP() << "room is measured in the file";
  EXPECT_LT(std::filesystem::file_size(path()), 2U << 20U);
}

TEST_F(StoreHistory, OfEachTargetOneRevisionIsInForceAtATime) {
  StoreChange change;
  int hour = 0;
  for (const char* target : {"a", "b", "a"}) {
    RevisionRecord revision = RevisionOf(PolicyTarget(target), "{}");
    revision.time = At(0) + std::chrono::hours(hour++);
    change.revisions.push_back(revision);
  }
  ASSERT_THAT(store().Apply(change), IsOk());
  const auto ids_at = [this](int hours) {
    std::vector<std::int64_t> ids;
    const auto read =
        store().ReadRevisionsInForce(At(0) + std::chrono::hours(hours),
                                     [&](RevisionRecord&& record) { ids.push_back(record.id); });
    EXPECT_THAT(read, IsOk());
    return ids;
  };
  EXPECT_THAT(ids_at(-1), SizeIs(0));
  EXPECT_THAT(ids_at(0), ::testing::ElementsAre(1));
  EXPECT_THAT(ids_at(1), ::testing::ElementsAre(1, 2));
  EXPECT_THAT(ids_at(2), ::testing::ElementsAre(2, 3));
  std::vector<std::int64_t> first;
  const std::vector<Target> targets = {PolicyTarget("b"), PolicyTarget("nowhere"),
                                       PolicyTarget("a")};
  for (const auto& record : Value(store().FirstRevisions(targets))) first.push_back(record.id);
  EXPECT_THAT(first, ::testing::UnorderedElementsAre(1, 2));
}

TEST_F(StoreHistory, SmallPoliciesStandAlone) {
  Record(20, 2);
  EXPECT_EQ(Read(), bodies_);
  EXPECT_EQ(Count("policies WHERE base <> 0"), 0);
}

TEST_F(StoreHistory, WhatDoesNotCompressIsKeptAsItIs) {
  StoreChange change;
  change.revisions = {RevisionOf(PolicyTarget("a"), "{}"),
                      RevisionOf(PolicyTarget("a"), "\x01\xff")};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Read(), ::testing::ElementsAre("{}", "\x01\xff"));
  EXPECT_EQ(Count("policies WHERE typeof(body) = 'text'"), 2);
}

TEST_F(StoreHistory, RetentionKeepsWhatDifferencesAreBasedOn) {
  Record(10);
  ASSERT_EQ(Count("policies WHERE base = 0"), 1);
  ASSERT_THAT(store().Retain(At(0), 2), IsOk());
  EXPECT_EQ(Read(), std::vector<std::string>(bodies_.end() - 2, bodies_.end()));
  EXPECT_EQ(Value(store().Counts()).policies, 3) << "two and their base, which no revision names";
  EXPECT_THAT(store().Policy(Sha256Hex(bodies_[0])), IsOk());

  ASSERT_THAT(store().Retain(At(0), 0), IsOk());
  EXPECT_EQ(Value(store().Counts()).policies, 0) << "the base goes with the last difference to it";
}

TEST_F(StoreHistory, APolicyOnlyOtherTargetsDifferencesAreBasedOnIsKept) {
  Record(3);
  StoreChange change;
  change.upsert_targets = {Observed(PolicyTarget("b"), bodies_[2])};
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(store().Retain(At(0), 0), IsOk());
  EXPECT_EQ(Value(store().Policy(Sha256Hex(bodies_[2]))), bodies_[2]);
  EXPECT_EQ(Value(store().Counts()).policies, 2);
}

TEST_F(StoreHistory, AMissingBaseIsNamed) {
  Record(3);
  Alter([](Connection& connection) {
    store::Run(connection, "DELETE FROM policies WHERE base = 0");
  });
  Reopen();
  EXPECT_THAT(
      store().Policy(Sha256Hex(bodies_[2])),
      FailsWith(Code::kInternal, HasSubstr("read a policy: the database is damaged: policy 3 is a "
                                           "difference to policy 1, which is missing; ")));
  EXPECT_THAT(store().Policies({Sha256Hex(bodies_[2])}),
              FailsWith(Code::kInternal, HasSubstr("policy 1, which is missing")));
  EXPECT_THAT(store().Revisions(PolicyTarget("a"), false), IsOk()) << "the rest can be read";
}

TEST_F(StoreHistory, ADamagedBaseIsNamed) {
  Record(3);
  SetBaseBody(std::string("\0\x11\x22\x33", 4), /*blob=*/true);
  EXPECT_THAT(store().Revision(3),
              FailsWith(Code::kInternal, HasSubstr("policy 3 is a difference to policy 1, which "
                                                   "cannot be unpacked")));
}

TEST_F(StoreHistory, AnotherBaseThanItsOwnIsNoticed) {
  Record(3);
  SetBaseBody(R"({"other":1})", /*blob=*/false);
  EXPECT_THAT(store().Revision(3), FailsWith(Code::kInternal, HasSubstr("cannot be unpacked")));
}

TEST_F(StoreHistory, ANewPolicyIsStoredWholeWhenItsBaseCannotBeRead) {
  Record(3);
  SetBaseBody(std::string(1000, '\0'), /*blob=*/true);
  StoreChange change;
  Members other(300);
  other.Change();
  other.Change();
  other.Change();
  other.Change();
  change.revisions = {RevisionOf(PolicyTarget("a"), other.Body())};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Value(store().Policy(Sha256Hex(other.Body()))), other.Body());
}

}  // namespace
}  // namespace bindery::store
