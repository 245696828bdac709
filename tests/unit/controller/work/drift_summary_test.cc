#include "controller/work/drift_summary.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

DriftItem ItemFor(DriftClass drift_class, const std::string& principal, Severity severity) {
  DriftItem item;
  item.drift_class = drift_class;
  item.grant = {"roles/viewer", principal};
  item.severity = severity;
  return item;
}

TEST(DriftSummary, CountsByClassAndNamesTheWorstFirst) {
  const DriftItem missing = ItemFor(DriftClass::kMissing, "user:ana", Severity::kMedium);
  DriftItem open = ItemFor(DriftClass::kUndeclared, "allUsers", Severity::kCritical);
  open.grant.condition = Condition{"x", "until-june", ""};
  EXPECT_EQ(DriftSummary({&missing, &open}, false),
            "2 differences: 1 missing, 1 undeclared (worst: critical, cause: unknown); undeclared "
            "roles/viewer if "
            "until-june for allUsers, missing roles/viewer for user:ana");
  EXPECT_EQ(FindWorst({&missing, &open}), Severity::kCritical);
}

TEST(DriftSummary, BeforeTheFirstWriteWhatIsMissingIsOnlyCounted) {
  const DriftItem missing = ItemFor(DriftClass::kMissing, "user:ana", Severity::kMedium);
  const DriftItem open = ItemFor(DriftClass::kUndeclared, "user:bob", Severity::kHigh);
  EXPECT_EQ(DriftSummary({&missing}, true),
            "1 difference: 1 missing (worst: medium, cause: unknown)");
  EXPECT_EQ(DriftSummary({&missing, &open}, true),
            "2 differences: 1 missing, 1 undeclared (worst: high, cause: unknown); undeclared "
            "roles/viewer for "
            "user:bob");
}

TEST(DriftSummary, OfManyFiveAreNamed) {
  std::vector<DriftItem> items;
  for (int i = 0; i < 8; ++i) {
    items.push_back(
        ItemFor(DriftClass::kUndeclared, "user:" + std::to_string(i), Severity::kMedium));
  }
  std::vector<const DriftItem*> all;
  for (const DriftItem& item : items) all.push_back(&item);
  EXPECT_TRUE(DriftSummary(all, false).ends_with("for user:4 and 3 more"));
}

TEST(DriftSummary, TellsWhatMadeThem) {
  DriftItem own = ItemFor(DriftClass::kMissing, "user:ana", Severity::kMedium);
  DriftItem foreign = own;
  own.cause = DriftCause::kManifest;
  foreign.cause = DriftCause::kForeign;
  EXPECT_EQ(DriftSummary({&own}, true), "1 difference: 1 missing (worst: medium, cause: manifest)");
  EXPECT_EQ(DriftSummary({&own, &foreign}, true),
            "2 differences: 2 missing (worst: medium, cause: foreign and manifest)");
  EXPECT_TRUE(AreOwnEdits({&own}));
  EXPECT_FALSE(AreOwnEdits({&own, &foreign}));
}

TEST(DriftSummary, ATargetThatIsMissingHasNoGrant) {
  DriftItem item;
  item.drift_class = DriftClass::kTargetMissing;
  EXPECT_EQ(DriftSummary({&item}, false),
            "1 difference: 1 target-missing (worst: medium, cause: unknown)");
}

}  // namespace
}  // namespace bindery::controller
