#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/text/time_text.h"
#include "fakes/fake_writer.h"
#include "store/ports/audit_progress.h"
#include "support/temp_dir.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::testing {

/// Noon of a day in November.
class AuditClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override {
    return ParseRfc3339("2026-11-21T12:00:00Z").value();
  }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
};

/// A write of a policy, as an entry of an audit log.
inline std::string AuditLine(const std::string& id, const std::string& time) {
  return Json{{"insertId", id},
              {"timestamp", time},
              {"protoPayload",
               {{"methodName", "SetIamPolicy"},
                {"resourceName", "projects/p/locations/l/authorizationPolicies/a"}}}}
             .dump() +
         "\n";
}

/// How far files were read, as a writer has it on record.
class FakeAuditProgress final : public store::AuditProgress {
 public:
  explicit FakeAuditProgress(const FakeWriter& writer) : writer_(writer) {}
  [[nodiscard]] Expected<std::vector<AuditFile>> AuditFiles() const override {
    std::vector<AuditFile> files;
    for (const auto& [path, file] : writer_.state.audit_files) files.push_back(file);
    return files;
  }

 private:
  const FakeWriter& writer_;
};

/// A folder of audit logs, and what takes them.
class AuditTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const AuditEntry& entry : writer_.state.audit_entries) ids.push_back(entry.id);
    return ids;
  }

  TempDir dir_;
  FakeWriter writer_;
  FakeAuditProgress progress_{writer_};
  AuditClock clock_;
  std::string logged_;
  telemetry::Logger log_{
      {.format = LogFormat::kText, .level = LogLevel::kInfo, .sink = [this](std::string_view line) {
         logged_ += std::string(line) + "\n";
       }}};
  telemetry::Metrics metrics_{{{"K"}, "test"}};
};

}  // namespace bindery::testing
