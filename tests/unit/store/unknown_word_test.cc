// Words of a newer version in a store.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using testing::EventNamed;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::StoreTest;

struct WordCase {
  const char* name;
  const char* sql;  ///< ?1: the word of a newer version.
  Expected<void> (*read)(const Store& store);
};

template <typename Result>
Expected<void> Outcome(const Expected<Result>& result) {
  if (!result) return Fail(result.error());
  return {};
}

void PrintTo(const WordCase& tested, std::ostream* out) { *out << tested.name; }

const WordCase kUnknownWords[] = {
    {"StateOfAResource", "UPDATE words SET text = ?1 WHERE text = 'Reconciling'",
     [](const Store& store) { return Outcome(store.Resources()); }},
    {"ClassOfADifference", "UPDATE words SET text = ?1 WHERE text = 'missing'",
     [](const Store& store) { return Outcome(store.Drift({})); }},
    {"SeverityOfADifference", "UPDATE words SET text = ?1 WHERE text = 'high'",
     [](const Store& store) { return Outcome(store.Drift({})); }},
    {"StateOfADifference", "UPDATE words SET text = ?1 WHERE text = 'open'",
     [](const Store& store) { return Outcome(store.Drift({})); }},
    {"TypeOfAnEvent", "UPDATE words SET text = ?1 WHERE text = 'Normal'",
     [](const Store& store) { return Outcome(store.Events({})); }},
    {"OriginOfARevision", "UPDATE words SET text = ?1 WHERE text = 'observed'",
     [](const Store& store) { return Outcome(store.Revisions(PolicyTarget("a"), false)); }},
    {"StateOfAHold", "UPDATE holds SET state = ?1",
     [](const Store& store) { return Outcome(store.Holds()); }},
    {"PurposeOfAHold", "UPDATE holds SET purpose = ?1",
     [](const Store& store) { return Outcome(store.Holds()); }},
};

class UnknownWord : public StoreTest, public ::testing::WithParamInterface<WordCase> {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    StoreChange change;
    change.upsert_resources.push_back(Binding("payments", "a", "roles/viewer"));
    DriftItem item;
    item.severity = Severity::kHigh;
    item.grant = {"roles/viewer", "user:ana@example.com", {}};
    change.drift.push_back({PolicyTarget("a"), At(1), {item}, false});
    change.events.push_back(EventNamed("Old"));
    change.revisions.push_back(RevisionOf(PolicyTarget("a"), R"({"bindings":[]})"));
    change.upsert_holds.push_back({"aaa", At(2), HoldState::kOpen, "50 grants", {}, "[]", ""});
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }
};

TEST_P(UnknownWord, IsRefusedAndNotTakenForAnother) {
  ASSERT_THAT(GetParam().read(store()), IsOk()) << "this version knows its own words";
  Alter([](Connection& connection) {
    store::Run(connection, GetParam().sql, std::string_view("word-of-2027"));
  });
  Reopen();
  EXPECT_THAT(GetParam().read(store()),
              FailsWith(Code::kFailedPrecondition,
                        HasSubstr("\"word-of-2027\", which this version does not know")));
}

INSTANTIATE_TEST_SUITE_P(Rows, UnknownWord, ::testing::ValuesIn(kUnknownWords),
                         [](const ::testing::TestParamInfo<WordCase>& tested) {
                           return std::string(tested.param.name);
                         });

}  // namespace
}  // namespace bindery::store
