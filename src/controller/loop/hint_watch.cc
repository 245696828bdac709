#include "controller/loop/hint_watch.h"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <utility>

namespace bindery::controller {

HintWatch::HintWatch(boost::asio::io_context& io, ManifestSource& source,
                     std::function<void()> hinted)
    : io_(io), source_(source), hinted_(std::move(hinted)), descriptor_(io) {}

void HintWatch::Start() {
  const int descriptor = source_.WatchDescriptor();
  if (descriptor < 0) return;
  // The descriptor stays the source's; Asio gets its own.
  const int own = ::dup(descriptor);
  if (own < 0) return;
  descriptor_.assign(own);
  Wait();
}

void HintWatch::Stop(std::function<void()> idle) {
  stopped_ = true;
  idle_ = std::move(idle);
  boost::system::error_code ignored;
  descriptor_.close(ignored);
}

void HintWatch::Wait() {
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [this](const boost::system::error_code& failed) {
                           if (!failed && !stopped_) Take();
                         });
}

void HintWatch::Take() {
  busy_ = true;
  boost::asio::post(thread_, [this] {
    const bool any = source_.TakeHints();
    boost::asio::post(io_, [this, any] {
      busy_ = false;
      if (stopped_) return idle_();
      if (any) hinted_();
      Wait();
    });
  });
}

}  // namespace bindery::controller
