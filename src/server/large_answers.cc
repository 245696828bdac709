#include "server/large_answers.h"

#include <malloc.h>

#include <charconv>
#include <cstdint>
#include <string>

namespace bindery::server {
namespace {

/// The most things on a page that is no large answer.
constexpr std::int64_t kSmall = 1'000;

}  // namespace

bool LargeAnswers::IsLarge(const httpd::Request& request) {
  const std::string* text = request.FindQuery("limit");
  if (text == nullptr) return true;
  std::int64_t limit = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), limit);
  return read.ec != std::errc() || limit > kSmall;
}

bool LargeAnswers::Run(const std::function<void()>& answer) {
  if (inside_.fetch_add(1) >= most_) {
    --inside_;
    return false;
  }
  {
    const MutexLock lock(turn_);
    answer();
    // Left to itself the allocator keeps what many small objects needed.
    ::malloc_trim(0);
  }
  --inside_;
  return true;
}

}  // namespace bindery::server
