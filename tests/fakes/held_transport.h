#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "telemetry/trace.h"

namespace bindery::testing {

/// Keeps what is sent until the test answers it. Thread-safe.
class HeldTransport final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& /*request*/) override {
    ADD_FAILURE() << "a thread waits for an answer";
    return Fail(Code::kInternal, "not sent");
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    if (breaks) throw std::runtime_error("out of sockets");
    const std::lock_guard lock(mutex_);
    held_.push_back({*request, std::move(done), telemetry::CurrentTrace()});
    sent_.notify_all();
  }

  /// The one that was sent as the i-th, counted from 0; waits for it.
  cloud::HttpRequest Request(std::size_t i) { return At(i).request; }
  /// What the thread that sent it worked for.
  telemetry::TraceContext TraceOf(std::size_t i) { return At(i).trace; }
  void Answer(std::size_t i, Expected<cloud::HttpResponse> response) {
    At(i).done(std::move(response));
  }
  void Answer(std::size_t i, int status, std::string body) {
    Answer(i, cloud::HttpResponse{status, {}, std::move(body)});
  }
  [[nodiscard]] std::size_t Sent() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

  /// At the end of a test: what it keeps knows the work that knows this transport.
  void LetGo() {
    std::deque<Held> held;
    const std::lock_guard lock(mutex_);
    held.swap(held_);
  }

  bool breaks = false;  ///< Throws instead.

 private:
  struct Held {
    cloud::HttpRequest request;
    Done done;
    telemetry::TraceContext trace;
  };

  /// Nothing moves it, as none is ever taken out.
  Held& At(std::size_t i) {
    std::unique_lock lock(mutex_);
    sent_.wait(lock, [&] { return i < held_.size(); });
    return held_[i];
  }

  mutable std::mutex mutex_;  ///< Guards held_.
  std::condition_variable sent_;
  std::deque<Held> held_;
};

/// Tokens that a test hands out.
class HandedTokens final : public cloud::Authorizer {
 public:
  Expected<void> Authorize(cloud::HttpRequest& request) override {
    if (!fetched) return Fail(Code::kUnavailable, "the token endpoint is away");
    request.headers.emplace_back("Authorization", "Bearer " + *fetched);
    return {};
  }
  bool TryAuthorize(cloud::HttpRequest& request) override {
    if (at_hand) request.headers.emplace_back("Authorization", "Bearer " + *at_hand);
    return at_hand.has_value();
  }
  bool Refused(const cloud::HttpRequest& sent) override {
    refused.push_back(sent.headers.back().second);
    return another;
  }

  std::optional<std::string> at_hand = "kept-by-the-test";
  std::optional<std::string> fetched = "fetched";  ///< What comes of waiting for one.
  bool another = false;                            ///< There is one more to try after a refusal.
  std::vector<std::string> refused;
};

}  // namespace bindery::testing
