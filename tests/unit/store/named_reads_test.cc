// What is read of single things, by name, number or target.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using ::testing::ElementsAre;
using testing::EventNamed;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::StoreTest;

class StoreNamedReads : public StoreTest {
 protected:
  void Apply(StoreChange change) { ASSERT_THAT(store().Apply(std::move(change)), IsOk()); }

  void Declare(const std::string& name, const std::string& target) {
    StoreChange change;
    change.upsert_resources = {Binding(name, target, "roles/viewer")};
    Apply(std::move(change));
  }

  [[nodiscard]] std::vector<std::string> NamesOn(const Target& target) {
    std::vector<std::string> names;
    for (const ResourceRecord& record : Value(store().ResourcesOn(target))) {
      names.push_back(record.name);
    }
    return names;
  }

  [[nodiscard]] static std::vector<std::string> ListNames(
      const std::vector<ObservedResource>& resources) {
    std::vector<std::string> names;
    for (const ObservedResource& observed : resources) names.push_back(observed.resource.name);
    return names;
  }
};

TEST_F(StoreNamedReads, ATargetIsNeverTakenForAnotherThatHasItsNumber) {
  Declare("first", "a");
  DriftFilter open;
  open.unresolved_only = true;
  open.target = PolicyTarget("a");
  EXPECT_THAT(NamesOn(PolicyTarget("a")), ElementsAre("first"));
  EXPECT_THAT(Value(store().Drift(open)), IsEmpty());
  StoreChange gone;
  gone.forget_resources = {"first"};
  Apply(std::move(gone));
  ASSERT_THAT(store().Retain(At(9), 0), IsOk());
  ASSERT_EQ(Count("target_keys"), 0);

  Declare("second", "b");
  StoreChange drifted;
  DriftItem item;
  item.resource = "second";
  drifted.drift = {{PolicyTarget("b"), At(1), {item}}};
  Apply(std::move(drifted));
  EXPECT_THAT(NamesOn(PolicyTarget("a")), IsEmpty());
  EXPECT_THAT(Value(store().ResourcesOnEach({PolicyTarget("a")})), IsEmpty());
  EXPECT_THAT(Value(store().Drift(open)), IsEmpty());
  EXPECT_THAT(NamesOn(PolicyTarget("b")), ElementsAre("second"));
}

TEST_F(StoreNamedReads, AWordIsNeverTakenForAnotherThatCameLater) {
  const auto reason = [this] { return EventReasons(); };
  Apply(testing::EventChange("BeforeTheSweep"));
  EXPECT_THAT(reason(), ElementsAre("BeforeTheSweep"));
  ASSERT_THAT(store().Retain(At(9), 0), IsOk());
  ASSERT_EQ(Count("words WHERE text = 'BeforeTheSweep'"), 0);
  Apply(testing::EventChange("AfterTheSweep"));
  EXPECT_THAT(reason(), ElementsAre("AfterTheSweep"));
}

TEST_F(StoreNamedReads, AWordThatIsNotOnRecordIsNotPutThereByAReader) {
  Declare("viewers", "a");
  const std::int64_t words = Count("words");
  Target other = PolicyTarget("a");
  other.kind = "KindThatNobodyDeclares";
  DriftFilter open;
  open.unresolved_only = true;
  open.target = other;
  EXPECT_THAT(NamesOn(other), IsEmpty());
  EXPECT_THAT(Value(store().ResourcesOnEach({other})), IsEmpty());
  EXPECT_THAT(Value(store().Drift(open)), IsEmpty());
  EXPECT_THAT(Value(store().Revisions(other, true)), IsEmpty());
  EXPECT_EQ(Count("words"), words);
}

TEST_F(StoreNamedReads, ResourcesComeWithTheTimeOfTheLastReadOfTheirTargets) {
  Declare("on-a", "a");
  Declare("on-b", "b");
  Declare("on-c", "c");
  StoreChange change;
  change.upsert_targets = {Observed(PolicyTarget("b"), ""), Observed(PolicyTarget("c"), "")};
  change.upsert_targets[0].observed_at = At(7);
  change.upsert_targets[1].observed = false;
  Apply(std::move(change));
  const auto named = Value(store().ResourcesNamed({"on-c", "nobody", "on-b", "on-a"}));
  EXPECT_THAT(ListNames(named), ElementsAre("on-c", "on-b", "on-a"));
  ASSERT_EQ(named.size(), 3U);
  EXPECT_EQ(named[0].observed_at, WallTime());
  EXPECT_EQ(named[1].observed_at, At(7));
  EXPECT_EQ(named[2].observed_at, WallTime());
  EXPECT_EQ(named[2].resource.target, PolicyTarget("a"));
  std::vector<ObservedResource> all;
  EXPECT_THAT(store().EachResourceByName(
                  [&](ObservedResource&& observed) { all.push_back(std::move(observed)); }),
              IsOk());
  EXPECT_THAT(ListNames(all), ElementsAre("on-a", "on-b", "on-c"));
  EXPECT_EQ(all.at(1).observed_at, At(7));
}

TEST_F(StoreNamedReads, OfTheRevisionsOfATargetTheNewestAreRead) {
  StoreChange change;
  for (const char* body : {"1", "2", "3"}) {
    change.revisions.push_back(RevisionOf(PolicyTarget("a"), body));
  }
  Apply(std::move(change));
  std::vector<std::string> bodies;
  for (const RevisionRecord& revision : Value(store().NewestRevisions(PolicyTarget("a"), 2))) {
    bodies.push_back(revision.policy);
    EXPECT_EQ(revision.target, PolicyTarget("a"));
  }
  EXPECT_THAT(bodies, ElementsAre("2", "3"));
  EXPECT_THAT(Value(store().NewestRevisions(PolicyTarget("b"), 2)), IsEmpty());
}

TEST_F(StoreNamedReads, DifferencesComeInTheOrderOfTheAskedNumbers) {
  StoreChange change;
  std::vector<DriftItem> items(3);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].resource = std::to_string(i);
  change.drift = {{PolicyTarget("a"), At(1), items}};
  Apply(std::move(change));
  std::vector<std::string> resources;
  for (const DriftEntry& entry : Value(store().DriftNumbered({3, 17, 1}))) {
    resources.push_back(entry.record.item.resource);
    EXPECT_EQ(entry.record.target, PolicyTarget("a"));
  }
  EXPECT_THAT(resources, ElementsAre("2", "0"));
}

TEST_F(StoreNamedReads, ProblemsOfAResourceComeBeforeThoseOfItsFileThatNameNone) {
  const auto problem = [](const char* file, const char* resource, const char* message) {
    return ManifestProblemRecord{file, 1, 1, "", "error", "code", message, resource};
  };
  StoreChange change;
  change.problems = {problem("a.yaml", "", "in the file"), problem("b.yaml", "", "elsewhere"),
                     problem("a.yaml", "viewers", "first"), problem("a.yaml", "others", "other"),
                     problem("c.yaml", "viewers", "second")};
  Apply(std::move(change));
  const auto messages = [this](const char* resource, const char* file) {
    std::vector<std::string> list;
    for (const auto& found : Value(store().ProblemsAbout(resource, file))) {
      list.push_back(found.message);
    }
    return list;
  };
  EXPECT_THAT(messages("viewers", "a.yaml"), ElementsAre("first", "second", "in the file"));
  EXPECT_THAT(messages("viewers", ""), ElementsAre("first", "second"));
  EXPECT_THAT(messages("nobody", "d.yaml"), IsEmpty());
}

TEST_F(StoreNamedReads, ProblemsAreCountedBySeverity) {
  EXPECT_THAT(Value(store().CountProblems()), IsEmpty());
  StoreChange change;
  change.problems = {{"a.yaml", 1, 1, "", "error", "code", "", ""},
                     {"a.yaml", 2, 1, "", "warning", "code", "", "viewers"},
                     {"b.yaml", 1, 1, "", "warning", "other", "", "viewers"}};
  Apply(std::move(change));
  EXPECT_THAT(Value(store().CountProblems()),
              ElementsAre(std::pair("error", 1U), std::pair("warning", 2U)));
}

TEST_F(StoreNamedReads, ReadsTogetherSeeOneMoment) {
  Declare("first", "a");
  std::vector<std::string> before;
  std::vector<std::string> after;
  EXPECT_THAT(store().ReadTogether([&] {
    before = NamesOn(PolicyTarget("a"));
    StoreChange change;
    change.upsert_resources = {Binding("second", "a", "roles/editor")};
    Apply(std::move(change));
    after = NamesOn(PolicyTarget("a"));
  }),
              IsOk());
  EXPECT_THAT(before, ElementsAre("first"));
  EXPECT_EQ(after, before);
  EXPECT_THAT(NamesOn(PolicyTarget("a")), ElementsAre("first", "second"));
}

}  // namespace
}  // namespace bindery::store
