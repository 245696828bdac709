#include "server/requests/large_answers.h"

#include <malloc.h>

#include <charconv>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace bindery::server {
namespace {

/// A number of the query; nothing where it is none, or is not there.
std::int64_t GetNumber(const httpd::Request& request, std::string_view name,
                       std::int64_t fallback) {
  const std::string* text = request.FindQuery(name);
  if (text == nullptr) return fallback;
  std::int64_t number = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  return read.ec == std::errc() ? number : fallback;
}

}  // namespace

LargeAnswers::LargeAnswers(std::size_t waiting) : most_(waiting), thread_([this] { Loop(); }) {}

LargeAnswers::~LargeAnswers() {
  std::deque<std::function<void()>> dropped;
  {
    const MutexLock lock(mutex_);
    ending_ = true;
    dropped.swap(waiting_);
  }
  changed_.NotifyAll();
  dropped.clear();  // Who waits is told now.
  thread_.join();
}

bool LargeAnswers::IsLarge(const httpd::Request& request, std::int64_t without, std::int64_t most) {
  const std::int64_t limit = GetNumber(request, "limit", without == 0 ? kFirst + 1 : without);
  return limit > most || GetNumber(request, "offset", 0) > kFirst - limit;
}

bool LargeAnswers::Run(std::function<void()> answer) {
  {
    const MutexLock lock(mutex_);
    if (ending_ || waiting_.size() >= most_) return false;
    waiting_.push_back(std::move(answer));
  }
  changed_.NotifyAll();
  return true;
}

void LargeAnswers::Loop() {
  for (;;) {
    std::function<void()> answer;
    {
      const MutexLock lock(mutex_);
      changed_.Wait(mutex_, [this]() REQUIRES(mutex_) { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      answer = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      answer();
    } catch (const std::exception&) {
      // Its responder goes without an answer, and says so.
    }
    answer = nullptr;
    // Left to itself the allocator keeps what many small objects needed.
    ::malloc_trim(0);
  }
}

}  // namespace bindery::server
