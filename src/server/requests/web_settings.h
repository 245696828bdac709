#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "config/content_stamp.h"
#include "config/web_config.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "httpd/tls.h"
#include "telemetry/log.h"

namespace bindery::server {

/// The web configuration in force. The file and its named files are read again after any
/// change; an invalid version is reported once, and the former version stays in force.
/// Thread-safe.
class WebSettings {
 public:
  struct InForce {
    config::WebConfig config;
    std::shared_ptr<const httpd::TlsContext> tls;  ///< Null: without TLS.
  };

  /// Reads `file`; an empty path is a configuration without anything. With `must_authenticate` one
  /// that lets in people without a name is refused, now and later: kFailedPrecondition.
  [[nodiscard]] static Expected<std::unique_ptr<WebSettings>> Open(
      const std::filesystem::path& file, bool must_authenticate, telemetry::Logger& logger);

  [[nodiscard]] std::shared_ptr<const InForce> Now();

 private:
  /// The stamps of the files; different stamps mean a different content.
  using Stamps = std::vector<std::pair<std::filesystem::path, config::ContentStamp>>;

  WebSettings(std::filesystem::path file, bool must_authenticate, telemetry::Logger& logger)
      : file_(std::move(file)), must_authenticate_(must_authenticate), logger_(logger) {}

  [[nodiscard]] Expected<InForce> Read() const;
  [[nodiscard]] Stamps Look(const config::WebConfig& config) const;

  const std::filesystem::path file_;
  const bool must_authenticate_;
  telemetry::Logger& logger_;

  Mutex mutex_;
  std::shared_ptr<const InForce> in_force_ GUARDED_BY(mutex_);
  Stamps stamps_ GUARDED_BY(mutex_);
};

}  // namespace bindery::server
