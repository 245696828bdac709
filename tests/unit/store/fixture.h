#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/digest.h"
#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::testing {

/// 2026-11-21T10:20:30Z and so many seconds.
[[nodiscard]] inline WallTime At(int seconds) {
  return WallTime(std::chrono::seconds(1795256430 + seconds));
}

class FixedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return At(0); }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
};

[[nodiscard]] inline Target PolicyTarget(const std::string& name) {
  return {"AuthorizationPolicyIamBinding", "",
          "projects/p/locations/l/authorizationPolicies/" + name};
}

[[nodiscard]] inline ResourceRecord Binding(const std::string& name, const std::string& target,
                                            const std::string& role) {
  ResourceRecord record;
  record.name = name;
  record.token = {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"};
  record.target = PolicyTarget(target);
  record.provider = "cloudnative";
  record.role = role;
  record.accepted = true;
  record.spec = R"({"name":"x"})";
  record.status_since = At(0);
  return record;
}

[[nodiscard]] inline RevisionRecord RevisionOf(const Target& target, const std::string& body,
                                               Origin origin = Origin::kObserved) {
  RevisionRecord record;
  record.target = target;
  record.time = At(1);
  record.origin = origin;
  record.etag = "etag";
  record.digest = Sha256Hex(body);
  record.policy = body;
  record.actor = "bindery";
  return record;
}

[[nodiscard]] inline TargetRecord Observed(const Target& target, const std::string& body) {
  TargetRecord record;
  record.target = target;
  record.provider = "cloudnative";
  record.observed = true;
  record.exists = true;
  record.etag = "etag";
  if (!body.empty()) record.policy_digest = Sha256Hex(body);
  record.observed_at = At(1);
  return record;
}

[[nodiscard]] inline Event EventNamed(const std::string& reason, WallTime time = At(0)) {
  Event event;
  event.time = time;
  event.reason = reason;
  event.message = "something happened";
  event.actor = "bindery";
  return event;
}

[[nodiscard]] inline StoreChange EventChange(const std::string& reason) {
  StoreChange change;
  change.events.push_back(EventNamed(reason));
  return change;
}

/// A store in a folder of its own.
class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override { Reopen(); }

  void Reopen() {
    store_.reset();
    auto opened = OpenStore(path(), StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }

  [[nodiscard]] std::string path() const { return dir_ / "state/bindery.db"; }
  [[nodiscard]] Store& store() { return *store_; }

  template <typename T>
  [[nodiscard]] static T Value(Expected<T> result) {
    EXPECT_THAT(result, IsOk());
    return result ? std::move(*result) : T{};
  }

  /// The manifest files on record, by path.
  [[nodiscard]] std::vector<FileRecord> Files() {
    std::vector<FileRecord> files;
    EXPECT_THAT(store().ReadFiles([&](FileRecord&& file) { files.push_back(std::move(file)); }),
                IsOk());
    std::ranges::sort(files, {}, &FileRecord::path);
    return files;
  }

  /// The resources on record as "name" or "(name)" when not accepted, with their roles.
  [[nodiscard]] std::vector<std::string> Claims() {
    std::vector<std::string> claims;
    for (const ResourceRecord& record : Value(store().Resources())) {
      const std::string name = record.accepted ? record.name : "(" + record.name + ")";
      claims.push_back(name + " " + record.role);
    }
    return claims;
  }

  [[nodiscard]] std::vector<std::string> EventReasons() {
    std::vector<std::string> reasons;
    for (const auto& [id, event] : Value(store().Events({}))) reasons.push_back(event.reason);
    return reasons;
  }

  TempDir dir_;
  FixedClock clock_;
  std::unique_ptr<Store> store_;
};

}  // namespace bindery::testing
