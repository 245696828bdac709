#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "controller/calls/call_sender.h"
#include "controller/gates/target_work.h"
#include "controller/loop/mailbox.h"
#include "fakes/held_transport.h"
#include "providers/registry/kinds.h"

namespace bindery::testing {

inline constexpr const char* kRunTarget =
    "projects/acme/locations/global/authorizationPolicies/web";

/// What a runner works on and with; `Finished` is what it puts into its mailbox.
template <typename Finished>
class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() {
    auto connection = std::make_shared<cloud::Connection>();
    connection->endpoints = {{"networksecurity", "http://cloud"}, {"datadog", "http://cloud"}};
    connection->transport = transport_;
    connection->authorizer = tokens_;
    connection_ = std::move(connection);
  }
  ~RunnerTest() override { transport_->LetGo(); }
  RunnerTest(const RunnerTest&) = delete;
  RunnerTest& operator=(const RunnerTest&) = delete;

  /// On the policy that every test speaks of.
  void PutOnTarget(controller::CheckJob& job) const {
    job.kind = kinds_.FindByName("AuthorizationPolicyIamBinding");
    job.target = {job.kind->schema().token.kind, "", kRunTarget};
    job.connection = connection_;
  }

  static TargetKey Key() { return TargetKey(Target{"Kind", "", "key"}); }

  /// Of the one that was started; waits for it.
  auto Result() {
    {
      std::unique_lock lock(mutex_);
      woken_.wait(lock, [this] { return wakes_ > 0; });
      --wakes_;
    }
    std::vector<Finished> finished = results_->TakeAll();
    EXPECT_THAT(finished, ::testing::SizeIs(1));
    EXPECT_EQ(finished.at(0).key->name, "key");
    return std::move(finished.at(0).result);
  }

  providers::Kinds kinds_;
  std::shared_ptr<HeldTransport> transport_ = std::make_shared<HeldTransport>();
  std::shared_ptr<HandedTokens> tokens_ = std::make_shared<HandedTokens>();
  std::shared_ptr<const cloud::Connection> connection_;
  std::mutex mutex_;
  std::condition_variable woken_;
  int wakes_ = 0;
  std::shared_ptr<controller::Mailbox<Finished>> results_ =
      std::make_shared<controller::Mailbox<Finished>>([this] {
        const std::lock_guard lock(mutex_);
        ++wakes_;
        woken_.notify_all();
      });
  controller::WorkThreads threads_{std::make_shared<WorkPool>(1), std::make_shared<WorkPool>(1)};
};

}  // namespace bindery::testing
