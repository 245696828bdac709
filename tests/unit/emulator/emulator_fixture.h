#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "emulator/emulator.h"
#include "support/http_client.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::emulator {

/// Both clocks move only when the test says so. Begins at 2026-11-21T00:00:00Z.
class SteppedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return WallTime(micros_.load()); }
  [[nodiscard]] MonoTime Mono() const override { return MonoTime(micros_.load()); }
  void Advance(std::chrono::microseconds by) { micros_ = micros_.load() + by; }

 private:
  std::atomic<std::chrono::microseconds> micros_{std::chrono::microseconds(1'795'219'200'000'000)};
};

inline constexpr const char* kPolicyName =
    "projects/acme/locations/global/authorizationPolicies/payments";
inline const std::string kPolicyPath = std::string("/v1/") + kPolicyName;
inline constexpr const char* kServerName = "projects/acme/locations/eu/managementServers/backup";
inline constexpr const char* kFileName =
    "projects/acme/locations/eu/importJobs/job/importDataFiles/file";

/// A running emulator with an authorization policy, a management server and an import data file.
class EmulatorTest : public ::testing::Test {
 protected:
  static constexpr const char* kSeed = R"(
authorizationPolicies:
  - projects/acme/locations/global/authorizationPolicies/payments
managementServers:
  - name: projects/acme/locations/eu/managementServers/backup
importDataFiles:
  - name: projects/acme/locations/eu/importJobs/job/importDataFiles/file
    displayName: inventory
)";

  void SetUp() override { Run(kSeed); }

  void Run(const std::string& seed) {
    emulator_.reset();
    dir_.Write("seed.yaml", seed);
    Options options;
    options.listen = "127.0.0.1:0";
    options.store = dir_ / "cloud.db";
    options.seed = dir_ / "seed.yaml";
    options.clock = &clock_;
    auto started = Emulator::Start(options);
    if (!started) throw std::runtime_error(ToString(started.error()));
    emulator_ = std::move(*started);
  }
  /// The same file, another seed.
  void RunAfresh(const std::string& seed) {
    emulator_.reset();
    for (const char* suffix : {"", "-wal", "-shm"}) dir_.Remove(std::string("cloud.db") + suffix);
    Run(seed);
  }

  testing::HttpResult Send(std::string_view method, const std::string& path,
                           const testing::HttpHeaders& headers = {}, std::string_view body = {}) {
    return testing::Fetch(method, emulator_->Url() + path, headers, body);
  }
  /// The answer's JSON, which must come with that status.
  Json Call(std::string_view method, const std::string& path, int status,
            std::string_view body = {}, const testing::HttpHeaders& headers = {}) {
    const testing::HttpResult result = Send(method, path, headers, body);
    EXPECT_EQ(result.status, status) << method << " " << path << "\n" << result.body;
    auto json = ParseJson(result.body);
    return json ? *json : Json();
  }

  Json Read(const std::string& name = kPolicyName, int version = 3) {
    return Call(
        "GET",
        "/v1/" + name + ":getIamPolicy?options.requestedPolicyVersion=" + std::to_string(version),
        200);
  }
  Json Write(const Json& policy, int status = 200, const std::string& name = kPolicyName) {
    return Call("POST", "/v1/" + name + ":setIamPolicy", status, Json{{"policy", policy}}.dump());
  }
  /// The error's message, whose status name must be that one.
  std::string Refusal(const Json& answer, const std::string& status) {
    const Json error = answer.value("error", Json::object());
    EXPECT_EQ(StringMember(error, "status"), status) << answer.dump(2);
    return StringMember(error, "message");
  }

  static Json Binding(const std::string& role, const std::vector<std::string>& members) {
    return Json{{"role", role}, {"members", members}};
  }
  static Json Conditional(const std::string& role, const std::vector<std::string>& members,
                          const std::string& expression, const std::string& title = "t") {
    Json binding = Binding(role, members);
    binding["condition"] = Json{{"expression", expression}, {"title", title}};
    return binding;
  }

  testing::TempDir dir_;
  SteppedClock clock_;
  std::unique_ptr<Emulator> emulator_;
};

}  // namespace bindery::emulator
