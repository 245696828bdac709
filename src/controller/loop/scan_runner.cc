#include "controller/loop/scan_runner.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace bindery::controller {
namespace asio = boost::asio;

ScanRunner::ScanRunner(asio::io_context& io, ManifestSource& source, const Clock& clock,
                       std::function<void(Ended)> ended)
    : io_(io),
      source_(source),
      clock_(clock),
      ended_(std::move(ended)),
      timer_(io),
      hints_(io, source, [this] {
        Schedule(ScanTiming::Next{timing_.Hinted(clock_.Mono()), ScanMode::kHinted});
      }) {}

void ScanRunner::Start() {
  hints_.Start();
  Scan(ScanMode::kFull);
}

void ScanRunner::Scan(ScanMode wanted) {
  if (stopped_) return;
  const std::optional<ScanMode> how = timing_.Begin(wanted, clock_.Mono());
  if (!how) return;
  patience_.Began(clock_.Mono());
  asio::post(thread_, [this, how = *how] {
    asio::post(io_, [this, scan = ScanOrFail(source_, how)]() mutable { Finish(std::move(scan)); });
  });
}

void ScanRunner::Confirm(bool missing, MonoTime at) { Schedule(timing_.Confirm(missing, at)); }

void ScanRunner::Stop(std::chrono::milliseconds longest, std::function<void()> idle) {
  stopped_ = true;
  hints_.Stop(idle);
  timer_.expires_after(longest);
  timer_.async_wait([this, idle = std::move(idle)](const boost::system::error_code& cancelled) {
    abandoned_ = !cancelled;
    if (!cancelled) idle();
  });
}

void ScanRunner::Join() {
  if (!busy()) thread_.join();
}

void ScanRunner::Schedule(const std::optional<ScanTiming::Next>& next) {
  if (!next) return;
  timer_.expires_at(next->at);
  timer_.async_wait([this, how = next->how](const boost::system::error_code& cancelled) {
    if (!cancelled) Scan(how);
  });
}

void ScanRunner::Finish(Expected<ManifestSource::Scanned> scan) {
  const MonoTime now = clock_.Mono();
  const bool usable = scan ? scan->settled : scan.error().code != Code::kAborted;
  const auto next = timing_.End(usable, scan && scan->scan.complete, now);
  patience_.Ended(usable, scan ? nullptr : &scan.error());
  if (!stopped_) Schedule(next);
  ended_({std::move(scan), usable, now});
}

}  // namespace bindery::controller
