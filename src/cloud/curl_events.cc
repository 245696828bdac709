#include "cloud/curl_events.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace bindery::cloud_internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kEventsATurn = 64;

}  // namespace

CurlEvents::CurlEvents() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  ::epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_;
  const bool watched =
      epoll_ >= 0 && wake_ >= 0 && ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) == 0;
  static const CURLcode kInitialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (!watched || kInitialised != CURLE_OK) return;
  multi_.reset(curl_multi_init());
  if (multi_ == nullptr) return;
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlEvents::WatchSocket);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlEvents::SetTimer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
}

CurlEvents::~CurlEvents() {
  multi_.reset();  // Says which sockets need no watching any more.
  if (wake_ >= 0) ::close(wake_);
  if (epoll_ >= 0) ::close(epoll_);
}

bool CurlEvents::usable() const { return multi_ != nullptr; }

int CurlEvents::WatchSocket(CURL* /*easy*/, curl_socket_t socket, int what, void* self,
                            void* known) {
  auto& events = *static_cast<CurlEvents*>(self);
  ::epoll_event event{};
  event.data.fd = socket;
  if (what == CURL_POLL_REMOVE) {
    ::epoll_ctl(events.epoll_, EPOLL_CTL_DEL, socket, &event);
    return 0;
  }
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  ::epoll_ctl(events.epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
  // libcurl forgets this mark with the socket.
  if (known == nullptr) curl_multi_assign(events.multi_.get(), socket, self);
  return 0;
}

int CurlEvents::SetTimer(CURLM* /*multi*/, long timeout_ms, void* self) {
  auto& deadline = static_cast<CurlEvents*>(self)->deadline_;
  if (timeout_ms < 0) {
    deadline.reset();
  } else {
    deadline = steady_clock::now() + milliseconds(timeout_ms);
  }
  return 0;
}

int CurlEvents::MillisToWait() const {
  if (!deadline_) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*deadline_ - steady_clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

void CurlEvents::Turn() {
  std::array<::epoll_event, kEventsATurn> happened{};
  const int count = ::epoll_wait(epoll_, happened.data(), kEventsATurn, MillisToWait());
  int running = 0;
  for (int i = 0; i < count; ++i) {
    const ::epoll_event& event = happened.at(static_cast<std::size_t>(i));
    if (event.data.fd == wake_) {
      std::uint64_t wakes = 0;
      // Only the count is taken, and a Wake that comes now makes the next Turn.
      if (::read(wake_, &wakes, sizeof(wakes)) < 0) continue;
      continue;
    }
    int what = 0;
    if ((event.events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
    if ((event.events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
    curl_multi_socket_action(multi_.get(), event.data.fd, what, &running);
  }
  if (deadline_ && steady_clock::now() >= *deadline_) {
    deadline_.reset();
    curl_multi_socket_action(multi_.get(), CURL_SOCKET_TIMEOUT, 0, &running);
  }
}

void CurlEvents::Wake() const {
  const std::uint64_t one = 1;
  // It fails only when the count is full, and then the thread is awake.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof(one));
}

}  // namespace bindery::cloud_internal
