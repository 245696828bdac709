// What is read of single things, by name, number or target.

#include "fixture.h"

namespace bindery {
namespace {

using testing::At;
using testing::Binding;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PolicyTarget;
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

}  // namespace
}  // namespace bindery
