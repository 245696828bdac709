#include "telemetry/metrics.h"

#include <utility>

namespace bindery {
namespace {

constexpr const char* Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

std::string_view ToString(NotificationOutcome outcome) {
  switch (outcome) {
    case NotificationOutcome::kDelivered:
      return "delivered";
    case NotificationOutcome::kRepeated:
      return "repeated";
    case NotificationOutcome::kGivenUp:
      return "given_up";
    case NotificationOutcome::kExpired:
      return "expired";
    case NotificationOutcome::kFailed:
      break;
  }
  return "failed";
}

Metrics::Metrics(const MetricsOptions& options) : registry_(options.kinds) {
  build_info.Set(1, {options.version, options.commit, Compiler()});
}

void Metrics::OnRender(std::function<void()> refresh) {
  const MutexLock lock(render_mutex_);
  refresh_ = std::move(refresh);
}

std::string Metrics::Render() {
  const MutexLock lock(render_mutex_);
  if (refresh_) refresh_();
  process_.Refresh();
  return registry_.Text();
}

}  // namespace bindery
