#pragma once

// Private to src/httpd: the answers that Responders and Streams stand for.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "httpd/core.h"

namespace bindery::httpd {

class Connection;

/// The shared state of a Stream's copies.
struct OpenStream : std::enable_shared_from_this<OpenStream> {
  OpenStream(std::shared_ptr<Core> core, std::weak_ptr<Connection> connection)
      : core_(std::move(core)), connection_(std::move(connection)) {}

  bool Write(std::string bytes);
  void Close();
  [[nodiscard]] bool is_open() const { return open_; }

  // For the connection.
  void Sent(std::size_t bytes) { waiting_ -= bytes; }
  void Ended() { open_ = false; }

 private:
  std::shared_ptr<Core> core_;  // Shared with the Server: either may go first.
  std::weak_ptr<Connection> connection_;
  std::atomic<bool> open_ = true;
  std::atomic<std::size_t> waiting_ = 0;  // Bytes that were given and are not sent yet.
};

/// The shared state of a Responder's copies.
struct PendingAnswer {
  PendingAnswer(std::shared_ptr<Core> core, std::weak_ptr<Connection> connection)
      : core_(std::move(core)), connection_(std::move(connection)) {}
  ~PendingAnswer();
  PendingAnswer(const PendingAnswer&) = delete;
  PendingAnswer& operator=(const PendingAnswer&) = delete;

  void Send(Response response);
  [[nodiscard]] std::shared_ptr<OpenStream> Begin(Response head);
  void Drop();
  void After(std::chrono::milliseconds delay, std::function<void()> task) {
    core_->After(delay, std::move(task));
  }

 private:
  std::shared_ptr<Core> core_;  // Shared with the Server: either may go first.
  std::weak_ptr<Connection> connection_;
  std::atomic<bool> done_ = false;
};

}  // namespace bindery::httpd
