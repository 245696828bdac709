#include "app/plan/policy_reads.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>

#include "core/base/work_pool.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPolicyReaders = 8;
/// A call that fails is tried so often: the pauses add up to two minutes.
constexpr int kMostReadTries = 8;
constexpr milliseconds kFirstReadPause{1'000};
constexpr milliseconds kLongestReadPause{32'000};
constexpr milliseconds kLongestAskedPause{300'000};

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

}  // namespace bindery::app
