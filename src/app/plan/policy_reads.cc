#include "app/plan/policy_reads.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "core/base/json.h"
#include "core/base/work_pool.h"
#include "reconcilers/bindings.h"
#include "reconcilers/just_in_time.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPolicyReaders = 8;
/// A question takes three calls or more of some 0.2 s. An organization allows 1,800 lists of
/// entitlements a minute, and as many lists of grants.
constexpr std::size_t kServiceAskers = 6;
/// A call that fails is tried so often: the pauses add up to two minutes.
constexpr int kMostReadTries = 8;
constexpr milliseconds kFirstReadPause{1'000};
constexpr milliseconds kLongestReadPause{32'000};
constexpr milliseconds kLongestAskedPause{300'000};

bool IsText(const Json& value) { return value.is_string(); }

/// What of an entry of an export cannot be told; empty: nothing. Without its condition a grant
/// would give more than the policy does.
std::string FindUnknownPart(const Json& entry, const reconcilers::BindingWords& words) {
  if (!entry.is_object()) return "is no object";
  const Json* role = FindMember(entry, words.role);
  if (role == nullptr || !role->is_string()) return "has no role";
  const Json* principals = FindMember(entry, words.principals);
  const bool list = principals != nullptr && principals->is_array();
  if (!list || !std::ranges::all_of(*principals, IsText)) return "has no list of members";
  for (const auto& [key, value] : entry.items()) {
    if (key == words.role || key == words.principals || key == "bindingId") continue;
    const bool condition = key == "condition";
    if (condition && value.is_null()) continue;
    if (!condition || !value.is_object() || !std::ranges::all_of(value, IsText)) {
      return "has \"" + key + "\" in an unknown form";
    }
  }
  return "";
}

bool IsPassing(Code code) {
  return code == Code::kResourceExhausted || code == Code::kUnavailable ||
         code == Code::kDeadlineExceeded;
}

Expected<reconcilers::Observation> ReadPatiently(const OpenedProvider& provider,
                                                 const PolicyRead& read) {
  milliseconds pause = kFirstReadPause;
  for (int tries = 1;; ++tries) {
    auto seen = read.kind->Observe(*provider.connection, read.target, provider.timeout);
    if (seen || !IsPassing(seen.error().code) || tries == kMostReadTries) return seen;
    const milliseconds asked = seen.error().retry_after.value_or(milliseconds{0});
    provider.clouds.patience->Wait(std::max(pause, std::min(asked, kLongestAskedPause)));
    pause = std::min(pause * 2, kLongestReadPause);
  }
}

}  // namespace

std::vector<Expected<reconcilers::Observation>> ReadPolicies(const OpenedProvider& provider,
                                                             const std::vector<PolicyRead>& reads) {
  std::vector<Expected<reconcilers::Observation>> seen(reads.size(),
                                                       Fail(Code::kInternal, "not read"));
  WorkPool pool(std::min(kPolicyReaders, reads.size()));
  for (std::size_t i = 0; i < reads.size(); ++i) {
    boost::asio::post(pool, [&, i] { seen[i] = ReadPatiently(provider, reads[i]); });
  }
  pool.join();
  return seen;
}

std::vector<JustInTime> AskForJustInTime(
    const OpenedProvider& provider, const std::vector<PolicyRead>& reads,
    const std::vector<Expected<reconcilers::Observation>>& seen, WallTime now) {
  const cloud::Connection& connection = *provider.connection;
  std::vector<JustInTime> known(reads.size(), JustInTime{connection.just_in_time, {}});
  if (connection.just_in_time != JustInTimeProof::kGrant) return known;
  WorkPool pool(std::min(kServiceAskers, std::max<std::size_t>(reads.size(), 1)));
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const reconcilers::JustInTimeService* service = reads[i].kind->traits().just_in_time;
    JustInTimeAnswers& answers = known[i].answers;
    if (!seen[i]) continue;
    for (const Grant& grant : seen[i]->grants) {
      if (reconcilers::FindMarkedForm(service, grant)) answers.push_back({grant});
    }
    if (answers.empty()) continue;
    boost::asio::post(pool, [&connection, &provider, &read = reads[i], &answers, service, now] {
      answers = service->Ask(connection, {read.target, read.project_number, std::move(answers), now,
                                          provider.timeout});
    });
  }
  pool.join();
  return known;
}

Expected<reconcilers::Observation> ObservationInExport(const reconcilers::KindTraits& traits,
                                                       const std::string& bindings) {
  const auto list = ParseJson(bindings);
  if (!list) return Fail(list.error());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string unknown = FindUnknownPart((*list)[i], traits.binding_words);
    if (unknown.empty()) continue;
    return Fail(Code::kFailedPrecondition, "bindings[" + std::to_string(i) + "] " + unknown);
  }
  reconcilers::Observation seen;
  seen.document = Json{{"bindings", *list}};
  seen.grants = reconcilers::DistinctGrants(reconcilers::ListGrants(*list, traits.binding_words),
                                            traits.principals->normal);
  seen.exists = !seen.grants.empty();
  return seen;
}

}  // namespace bindery::app
