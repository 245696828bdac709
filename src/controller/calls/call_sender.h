#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "cloud/connection.h"
#include "cloud/policy_call.h"
#include "core/base/work_pool.h"
#include "telemetry/trace.h"

namespace bindery::controller {

/// Threads for work on targets outside of the loop's thread. The creator owns the pools; running
/// work does not, because the last work would end a pool on one of the pool's own threads.
struct WorkThreads {
  std::shared_ptr<WorkPool> blocking;   ///< Waits for credentials, or for the store.
  std::shared_ptr<WorkPool> comparing;  ///< Only computes: nothing holds it up.
};

/// Runs the work on the pool, unless the threads are gone.
template <typename Work>
void PostTo(const std::weak_ptr<boost::asio::thread_pool>& threads, Work work) {
  if (const auto pool = threads.lock()) boost::asio::post(*pool, std::move(work));
}

/// A call for a CallSender: the request and the receiver of the answer. Touched by a single thread
/// at a time. An answered call may be sent again as a new call.
struct OutgoingCall {
  std::shared_ptr<const cloud::Connection> connection;  ///< Never null once it is sent.
  cloud::PolicyCall call;
  telemetry::TraceContext trace;

  virtual ~OutgoingCall() = default;
  OutgoingCall() = default;
  OutgoingCall(const OutgoingCall&) = delete;
  OutgoingCall& operator=(const OutgoingCall&) = delete;

  /// Called right before sending; an error prevents the call, and is passed to Answered.
  [[nodiscard]] virtual Expected<void> MaySend() const { return {}; }
  /// The result, for MakeBody; once for each Send, and on a thread of the transport's, or one
  /// that may block, or within Send. Must be quick.
  virtual void Answered(Expected<cloud::HttpResponse> response) = 0;
  /// Something threw: instead of Answered, or out of it. Must not throw.
  virtual void OnException(const std::exception& failure) = 0;

 private:
  friend class CallSender;
  std::size_t plain_headers_ = 0;  ///< Those without credentials.
  bool repeated_ = false;
};

/// Sends calls without a thread that waits for each. The request is sent from the caller's thread
/// and waited for by no thread. Credentials that have to be fetched first, or were refused, are
/// fetched on a thread that may block; the call then goes like any other. Of a call that takes
/// several requests all are sent before it is answered. Thread-safe.
class CallSender {
 public:
  explicit CallSender(std::weak_ptr<boost::asio::thread_pool> blocking)
      : blocking_(std::move(blocking)) {}

  /// Never blocks, and never fails: what goes wrong is told to the call. A call that would have to
  /// wait for threads that are gone is dropped.
  void Send(const std::shared_ptr<OutgoingCall>& call) const;

 private:
  template <typename Step>
  static void Try(OutgoingCall& call, const Step& step);
  void Dispatch(const std::shared_ptr<OutgoingCall>& call) const;
  void FetchCredentials(const std::shared_ptr<OutgoingCall>& call) const;
  void Answer(const std::shared_ptr<OutgoingCall>& call,
              Expected<cloud::HttpResponse> response) const;
  void Repeat(const std::shared_ptr<OutgoingCall>& call, cloud::HttpResponse refusal) const;
  void Continue(const std::shared_ptr<OutgoingCall>& call, cloud::HttpResponse response) const;

  std::weak_ptr<boost::asio::thread_pool> blocking_;
};

}  // namespace bindery::controller
