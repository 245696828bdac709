#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/watch/refusal_memory.h"

namespace bindery::testing {

/// A target whose service refuses policies, and who writes to it as the engine does.
class RefusedWriter {
 public:
  /// What is wrong with a policy of these names; nothing: it is stored.
  struct Fault {
    std::string words;
    std::string named = {};
    bool passes = false;
  };
  using Rule = std::function<std::optional<Fault>(const std::set<std::string>& policy)>;

  explicit RefusedWriter(Rule rule) : rule_(std::move(rule)) {}

  /// Declares n additions, "a0" to "a(n-1)".
  void Declare(int n) {
    for (int i = 0; i < n; ++i) declared_.push_back("a" + std::to_string(i));
  }
  void Remove(const std::string& name) { removes_.insert(name); }
  void Put(const std::string& name) { policy_.insert(name); }

  /// Works until it is over. How many writes were sent.
  int Pass() {
    const int before = writes_;
    for (int i = 0; i < 1000; ++i) {
      const controller::LeftOutGrants out = memory.Begin(now);
      if (!Write(out)) break;
    }
    memory.EndRound(now);
    return writes_ - before;
  }
  void Wait(MonoTime::duration time) { now += time; }
  MonoTime::duration WaitForNextTry() {
    const MonoTime::duration wait = memory.NextTry().value_or(now) - now;
    now += wait;
    return wait;
  }

  [[nodiscard]] std::vector<std::string> Stored() const { return {policy_.begin(), policy_.end()}; }
  /// Those that are left out of writes, by why.
  [[nodiscard]] std::vector<std::string> LeftOut(controller::LeftOutAs as) {
    std::vector<std::string> names;
    controller::RefusalMemory copy = memory;
    for (const controller::LeftOutGrant& one : copy.Begin(now)) {
      if (one.as == as) names.push_back(one.declared.grant.principal);
    }
    return names;
  }

  controller::RefusalMemory memory;
  MonoTime now{std::chrono::hours(1)};
  std::string manifests = "1";

 private:
  static Grant Named(const std::string& name) { return {"roles/viewer", name}; }

  /// One write, or nothing. False: the work is over.
  bool Write(const controller::LeftOutGrants& out) {
    std::set<Grant> missing;
    std::set<std::string> adds;
    std::set<std::string> left_out;
    for (const std::string& name : declared_) {
      if (policy_.contains(name)) continue;
      missing.insert(Named(name));
      const bool known = std::any_of(out.begin(), out.end(), [&](const auto& one) {
        return one.declared == controller::DeclaredGrant{Named(name), manifests};
      });
      (known ? left_out : adds).insert(name);
    }
    memory.Keep(missing);
    if (adds.empty()) {
      for (const controller::LeftOutGrant& one : out) {
        const std::string& name = one.declared.grant.principal;
        if (one.tried && left_out.contains(name)) adds.insert(name);
      }
    }
    std::set<std::string> removes;
    std::set_intersection(removes_.begin(), removes_.end(), policy_.begin(), policy_.end(),
                          std::inserter(removes, removes.end()));
    if (adds.empty() && !may_be_empty && removes.size() >= policy_.size()) removes.clear();
    if (adds.empty() && removes.empty()) return memory.Skipped();
    return Send(adds, removes);
  }

  bool Send(const std::set<std::string>& adds, const std::set<std::string>& removes) {
    ++writes_;
    controller::RefusalMemory::Attempt attempt;
    for (const std::string& name : adds) attempt.adds.push_back({Named(name), manifests});
    attempt.removes = !removes.empty();
    attempt.restricts = restricts;
    std::set<std::string> next = policy_;
    next.insert(adds.begin(), adds.end());
    for (const std::string& name : removes) next.erase(name);
    const auto fault = rule_(next);
    if (!fault) {
      policy_ = next;
      memory.Accepted(attempt, now);
      return memory.GoesOn(now);
    }
    Error error;
    error.code = Code::kInvalidArgument;
    error.http_status = 400;
    error.message = fault->words;
    if (fault->passes) error.retry_after = std::chrono::seconds(15);
    controller::Refusal refusal;
    if (adds.contains(fault->named)) refusal.named.push_back(Named(fault->named));
    if (policy_.contains(fault->named)) refusal.of_policy.push_back(Named(fault->named));
    if (refusal.named.empty() && refusal.of_policy.empty()) refusal.elsewhere = fault->named;
    verdict = memory.Refused(attempt, refusal, error, now);
    return verdict == controller::RefusalMemory::Verdict::kAdditions;
  }

  Rule rule_;
  std::vector<std::string> declared_;
  std::set<std::string> removes_;
  std::set<std::string> policy_;
  int writes_ = 0;

 public:
  bool restricts = false;
  bool may_be_empty = true;
  controller::RefusalMemory::Verdict verdict = controller::RefusalMemory::Verdict::kAdditions;
};

inline RefusedWriter::Rule RefusesNames(const std::vector<std::string>& bad, bool named) {
  return [bad, named](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
    for (const std::string& name : bad) {
      if (policy.contains(name)) return RefusedWriter::Fault{"no such user", named ? name : ""};
    }
    return std::nullopt;
  };
}

}  // namespace bindery::testing
