#include <gtest/gtest.h>

#include "reconcilers/grant_change.h"

namespace bindery::reconcilers {
namespace {

struct RestCase {
  const char* why;
  Verdict verdict;
  Gate gate;
  ReasonCode reason;
  DriftRest rest;
};

TEST(DriftRests, SayWhyNoPassRepairsADifference) {
  for (const RestCase& one : {
           RestCase{"a pass adds it", Verdict::kApply, Gate::kNone, ReasonCode::kNone,
                    DriftRest::kNone},
           RestCase{"a pass adds it later", Verdict::kWait, Gate::kEvidence,
                    ReasonCode::kEvidencePending, DriftRest::kNone},
           RestCase{"the mode may be the only reason", Verdict::kReport, Gate::kManagementPolicy,
                    ReasonCode::kNone, DriftRest::kNone},
           RestCase{"undeclared roles", Verdict::kReport, Gate::kUndeclaredRoles,
                    ReasonCode::kUndeclaredReported, DriftRest::kUndeclaredRoles},
           RestCase{"a gate with a reason that has no words of its own", Verdict::kReport,
                    Gate::kLockout, ReasonCode::kLastOwner, DriftRest::kGate},
       }) {
    GrantChange change;
    change.is_difference = true;
    change.verdict = one.verdict;
    change.decided_by = one.gate;
    change.reason.code = one.reason;
    EXPECT_EQ(MakeDriftItem(change).rest, one.rest) << one.why;
  }
}

TEST(DriftRests, HaveWords) {
  for (const DriftRest rest : kAllDriftRests) {
    EXPECT_EQ(ToString(rest).empty(), rest == DriftRest::kNone);
  }
}

}  // namespace
}  // namespace bindery::reconcilers
