#include "app/reporting/audit_feed.h"

#include <utility>

namespace bindery::app {

AuditFeed::AuditFeed(store::StateWriter& writer, const store::AuditProgress& progress,
                     telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock,
                     Settings settings)
    : intake_(writer, progress, log, metrics, clock), settings_(std::move(settings)) {}

AuditFeed::~AuditFeed() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.NotifyOne();
  if (thread_.joinable()) thread_.join();
}

void AuditFeed::Start() {
  thread_ = std::thread([this] { Run(); });
}

void AuditFeed::Configure(Settings settings) {
  {
    const MutexLock lock(mutex_);
    settings_ = std::move(settings);
  }
  wake_.NotifyOne();
}

void AuditFeed::ReadNow() {
  const Settings settings = [this] {
    const MutexLock lock(mutex_);
    return settings_;
  }();
  while (intake_.ReadPiece(settings.attribution.directory, settings.keep)) {
  }
}

void AuditFeed::Run() {
  const MutexLock lock(mutex_);
  while (!ending_) {
    const Settings settings = settings_;
    bool more = false;
    {
      const MutexRelease released(mutex_);
      more = intake_.ReadPiece(settings.attribution.directory, settings.keep);
    }
    if (more || ending_) continue;
    const auto changed = [&]() REQUIRES(mutex_) {
      return ending_ || !(settings_.attribution == settings.attribution);
    };
    if (settings.attribution.directory.empty()) {
      wake_.Wait(mutex_, changed);
    } else {
      wake_.WaitFor(mutex_, settings.attribution.interval, changed);
    }
  }
}

}  // namespace bindery::app
