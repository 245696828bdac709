#include "core/base/parallel_for.h"

#include <algorithm>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace bindery {
namespace {

/// Few enough that threads would cost more than they save.
constexpr std::size_t kFew = 4'096;
constexpr std::size_t kMostThreads = 8;

}  // namespace

void ParallelFor(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads =
      std::clamp<std::size_t>(count / kFew, 1, std::min(cores, kMostThreads));
  const std::size_t share = count / threads;
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    const std::size_t from = i * share;
    const std::size_t to = i + 1 == threads ? count : from + share;
    try {
      others.push_back(std::async(std::launch::async, std::cref(work), from, to));
    } catch (const std::system_error&) {  // There are no more threads.
      work(from, to);
    }
  }
  work(0, threads == 1 ? count : share);
  for (std::future<void>& other : others) other.get();
}

}  // namespace bindery
