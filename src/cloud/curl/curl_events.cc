#include "cloud/curl/curl_events.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace bindery::cloud {
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
  for (Multi& multi : multis_) {
    if (!Make(multi)) return;
  }
}

bool CurlEvents::Make(Multi& multi) {
  multi.events = this;
  multi.handle.reset(curl_multi_init());
  CURLM* const handle = multi.handle.get();
  if (handle == nullptr) return false;
  curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, &CurlEvents::WatchSocket);
  curl_multi_setopt(handle, CURLMOPT_SOCKETDATA, &multi);
  curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, &CurlEvents::SetTimer);
  curl_multi_setopt(handle, CURLMOPT_TIMERDATA, &multi);
  return true;
}

CurlEvents::~CurlEvents() {
  // They say which sockets need no watching any more.
  for (Multi& multi : multis_) multi.handle.reset();
  if (wake_ >= 0) ::close(wake_);
  if (epoll_ >= 0) ::close(epoll_);
}

bool CurlEvents::usable() const {
  return std::ranges::all_of(multis_, [](const Multi& multi) { return multi.handle != nullptr; });
}

void CurlEvents::Follow(CURL* easy) {
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &CurlEvents::Closed);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
}

void CurlEvents::Keep(curl_socket_t connection) {
  if (connection != CURL_SOCKET_BAD) At(connection).kept = true;
}

CurlEvents::Socket& CurlEvents::At(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= sockets_.size()) sockets_.resize(index + 1);
  return sockets_[index];
}

int CurlEvents::Closed(void* self, curl_socket_t socket) {
  auto& events = *static_cast<CurlEvents*>(self);
  // epoll drops a socket only with its last descriptor, and a child process may have a descriptor.
  if (events.At(socket).watched != 0) events.Unwatch(socket);
  events.At(socket) = {};
  return ::close(socket);
}

int CurlEvents::WatchSocket(CURL* /*easy*/, curl_socket_t socket, int what, void* multi,
                            void* /*known*/) {
  const auto& asking = *static_cast<const Multi*>(multi);
  CurlEvents& events = *asking.events;
  Socket& known = events.At(socket);
  known.multi = asking.handle.get();
  known.wanted = what != CURL_POLL_REMOVE;
  if (!known.wanted) {
    // The closing of further sockets is not reported, and their number may be reused soon.
    if (!known.kept) events.Unwatch(socket);
    return 0;
  }
  std::uint32_t wanted = 0;
  if ((what & CURL_POLL_IN) != 0) wanted |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) wanted |= EPOLLOUT;
  events.Watch(socket, wanted);
  return 0;
}

void CurlEvents::Watch(int descriptor, std::uint32_t events) {
  Socket& known = At(descriptor);
  if (known.watched == events) return;
  ::epoll_event event{};
  event.events = events;
  event.data.fd = descriptor;
  // Not everything that is closed is told, and a number may be another's by now.
  const int first = known.watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const int second = known.watched == 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  const bool watched = ::epoll_ctl(epoll_, first, descriptor, &event) == 0 ||
                       ::epoll_ctl(epoll_, second, descriptor, &event) == 0;
  known.watched = watched ? events : 0;
}

void CurlEvents::Unwatch(int descriptor) {
  ::epoll_event event{};
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, &event);
  At(descriptor).watched = 0;
}

int CurlEvents::SetTimer(CURLM* /*handle*/, long timeout_ms, void* multi) {
  auto& deadline = static_cast<Multi*>(multi)->deadline;
  if (timeout_ms < 0) {
    deadline.reset();
  } else {
    deadline = steady_clock::now() + milliseconds(timeout_ms);
  }
  return 0;
}

int CurlEvents::MillisToWait() const {
  int wait = -1;
  for (const Multi& multi : multis_) {
    if (!multi.deadline) continue;
    const auto left = std::chrono::ceil<milliseconds>(*multi.deadline - steady_clock::now());
    const int millis = left.count() > 0 ? static_cast<int>(left.count()) : 0;
    wait = wait < 0 ? millis : std::min(wait, millis);
  }
  return wait;
}

void CurlEvents::Turn() {
  std::array<::epoll_event, kEventsATurn> happened{};
  const int count = ::epoll_wait(epoll_, happened.data(), kEventsATurn, MillisToWait());
  for (int i = 0; i < count; ++i) {
    const ::epoll_event& event = happened.at(static_cast<std::size_t>(i));
    if (event.data.fd == wake_) {
      TakeWakes();
    } else {
      Happened(event.data.fd, event.events);
    }
  }
  for (Multi& multi : multis_) {
    if (!multi.deadline || steady_clock::now() < *multi.deadline) continue;
    multi.deadline.reset();
    int running = 0;
    curl_multi_socket_action(multi.handle.get(), CURL_SOCKET_TIMEOUT, 0, &running);
  }
}

void CurlEvents::Happened(int descriptor, std::uint32_t events) {
  const Socket& known = At(descriptor);
  if (known.watched == 0) return;  // Closed by what happened before in this turn.
  // libcurl looks for itself before it uses a kept connection again.
  if (!known.wanted) return Unwatch(descriptor);
  int what = 0;
  if ((events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
  int running = 0;
  curl_multi_socket_action(known.multi, descriptor, what, &running);
}

/// Only the count is taken, and a Wake that comes now makes the next Turn.
void CurlEvents::TakeWakes() const {
  std::uint64_t wakes = 0;
  [[maybe_unused]] const ssize_t taken = ::read(wake_, &wakes, sizeof(wakes));
}

void CurlEvents::Wake() const {
  const std::uint64_t one = 1;
  // The write fails only when the count is full, and then the thread is awake.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof(one));
}

}  // namespace bindery::cloud
