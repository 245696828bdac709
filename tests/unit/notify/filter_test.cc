#include "notify/filter.h"

#include <gtest/gtest.h>

#include <functional>

namespace bindery::notify {
namespace {

store::JournalEntry DriftFound() {
  store::JournalEntry entry;
  entry.event.type = EventType::kWarning;
  entry.event.reason = "DriftFound";
  entry.event.target = "projects/acme/p";
  entry.event.severity = Severity::kHigh;
  entry.resources = {{"viewers", "IamBinding", R"({"team":"payments","tier":"1"})", "a.yaml", 1},
                     {"editors", "IamBinding", R"({"team":"platform"})", "b.yaml", 1}};
  return entry;
}

struct Case {
  const char* name;
  std::function<void(config::WebhookFilter&)> filter;
  bool passes;
};

class Filter : public ::testing::TestWithParam<Case> {};

TEST_P(Filter, DecidesWhetherDriftIsTold) {
  config::WebhookFilter filter;
  GetParam().filter(filter);
  EXPECT_EQ(Passes(filter, DriftFound()), GetParam().passes);
}

using F = config::WebhookFilter&;
const Case kCases[] = {
    {"Nothing", [](F) {}, true},
    {"ItsReason",
     [](F f) {
       f.reasons = {"Policy*", "DriftFound"};
     },
     true},
    {"AnotherReason", [](F f) { f.reasons = {"Policy*"}; }, false},
    {"AnExclusion",
     [](F f) {
       f.reasons = {"*", "!Drift*"};
     },
     false},
    {"ExclusionsAlone", [](F f) { f.reasons = {"!Policy*"}; }, true},
    {"AnExclusionBeforeAPattern",
     [](F f) {
       f.reasons = {"!Drift*", "DriftFound"};
     },
     false},
    {"ItsType", [](F f) { f.types = {EventType::kWarning}; }, true},
    {"AnotherType", [](F f) { f.types = {EventType::kNormal}; }, false},
    {"ItsSeverity", [](F f) { f.least_severity = config::LeastSeverity::kHigh; }, true},
    {"ALowerSeverity", [](F f) { f.least_severity = config::LeastSeverity::kLow; }, true},
    {"AHigherSeverity", [](F f) { f.least_severity = config::LeastSeverity::kCritical; }, false},
    {"ALabel",
     [](F f) {
       f.labels = {{"team", "payments"}};
     },
     true},
    {"AnotherValue",
     [](F f) {
       f.labels = {{"team", "storefront"}};
     },
     false},
    {"LabelsOfTwoResources",
     [](F f) {
       f.labels = {{"team", "platform"}, {"tier", "1"}};
     },
     false},
    {"AKind", [](F f) { f.kinds = {"Iam*"}; }, true},
    {"AnotherKind", [](F f) { f.kinds = {"RestrictionPolicy"}; }, false},
    {"AResource", [](F f) { f.resources = {"edit*"}; }, true},
    {"AResourceWithoutTheLabel",
     [](F f) {
       f.resources = {"edit*"};
       f.labels = {{"team", "payments"}};
     },
     false},
    {"ATarget", [](F f) { f.targets = {"projects/acme/*"}; }, true},
    {"AnotherTarget", [](F f) { f.targets = {"projects/other/*"}; }, false},
};

INSTANTIATE_TEST_SUITE_P(Notify, Filter, ::testing::ValuesIn(kCases),
                         [](const auto& param) { return param.param.name; });

TEST(FilterWithoutSeverity, OnlyAnyLetsThroughWhatIsNoDrift) {
  store::JournalEntry entry = DriftFound();
  entry.event.severity.reset();
  config::WebhookFilter filter;
  EXPECT_TRUE(Passes(filter, entry));
  filter.least_severity = config::LeastSeverity::kLow;
  EXPECT_FALSE(Passes(filter, entry));
}

TEST(FilterWithoutResource, NoLabelFits) {
  store::JournalEntry entry = DriftFound();
  entry.resources.clear();
  config::WebhookFilter filter;
  filter.labels = {{"team", "payments"}};
  EXPECT_FALSE(Passes(filter, entry));
}

}  // namespace
}  // namespace bindery::notify
