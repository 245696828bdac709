#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <thread>
#include <vector>

namespace bindery {

/// A thread pool whose constructor throws std::system_error if a thread cannot be made: the
/// constructor of boost::asio::thread_pool would wait forever for the earlier threads.
class WorkPool : public boost::asio::thread_pool {
 public:
  explicit WorkPool(std::size_t threads) : boost::asio::thread_pool(0) {
    try {
      threads_.reserve(threads);
      for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { attach(); });
    } catch (...) {
      stop();
      JoinAll();
      throw;
    }
  }
  ~WorkPool() {
    stop();
    JoinAll();
  }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  /// Waits until all work is done, and ends the threads.
  void join() {
    if (threads_.empty()) return;
    wait();
    JoinAll();
  }

 private:
  void JoinAll() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::vector<std::thread> threads_;
};

}  // namespace bindery
