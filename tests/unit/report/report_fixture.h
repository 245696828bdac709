#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/clock.h"
#include "core/text/time_text.h"
#include "report/reports/reports.h"
#include "report/text/text.h"
#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::testing {

inline constexpr const char* kPayments =
    "projects/acme/locations/global/authorizationPolicies/payments";
inline constexpr const char* kOrders =
    "projects/acme/locations/global/authorizationPolicies/orders";

inline WallTime At(const std::string& text) {
  const auto time = ParseRfc3339(text);
  if (!time) throw std::runtime_error("no time: " + text);
  return *time;
}

/// The moment every report is made at.
inline WallTime Now() { return At("2026-11-21T12:00:00Z"); }

inline Target IamTarget(const std::string& name = kPayments) {
  return {"AuthorizationPolicyIamBinding", "", name};
}
inline Target Dashboard() { return {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"}; }

/// An accepted IAM binding that is Ready; cases change what they are about.
inline store::ResourceRecord Binding(const std::string& name,
                                     const std::string& role = "roles/viewer") {
  store::ResourceRecord record;
  record.name = name;
  record.token = {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"};
  record.target = IamTarget();
  record.provider = "cloudnative";
  record.role = role;
  record.accepted = true;
  record.spec = R"({"members":["user:ana@example.com"],"name":"payments","role":")" + role + "\"}";
  record.options = "{}";
  record.labels = R"({"team":"payments"})";
  record.annotations = "{}";
  record.digest = "d1";
  record.source_file = "teams/payments.yaml";
  record.source_line = 3;
  record.generation = 2;
  record.observed_generation = 2;
  record.status = {ResourceState::kReady, std::string(reason::kReconciled),
                   "the policy is as declared"};
  record.status_since = At("2026-11-21T11:00:00Z");
  record.outputs = R"({"etag":"BwX=","id":"payments"})";
  return record;
}

/// A real store, filled by the test.
class ReportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }

  void Apply(store::StoreChange change) { ASSERT_THAT(store_->Apply(std::move(change)), IsOk()); }

  void Put(std::vector<store::ResourceRecord> records) {
    store::StoreChange change;
    change.upsert_resources = std::move(records);
    Apply(std::move(change));
  }

  void Observe(const Target& target, std::int64_t grants, const std::string& time) {
    store::TargetRecord record;
    record.target = target;
    record.observed = true;
    record.exists = true;
    record.observed_at = At(time);
    record.grants = grants;
    store::StoreChange change;
    change.upsert_targets.push_back(record);
    Apply(std::move(change));
  }

  [[nodiscard]] static report::TextStyle Plain(int width = 0) { return {false, width, Now()}; }
  [[nodiscard]] static report::TextStyle Coloured() { return {true, 0, Now()}; }

  TempDir dir_;
  SystemClock clock_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace bindery::testing
