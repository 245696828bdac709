#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/text/time_text.h"
#include "fakes/fake_control.h"
#include "fakes/fake_inventory.h"
#include "server/api_server.h"
#include "store/open_store.h"
#include "support/http_client.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::testing {

class StoppedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override {
    return ParseRfc3339("2026-11-21T12:00:00Z").value_or(WallTime());
  }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
};

/// The server on a free TCP port and on a UNIX socket, with a real store and a fake controller.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    auto started = server::ApiServer::Start({"127.0.0.1:0", dir_ / "bindery.sock"}, Parts());
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }

  [[nodiscard]] server::ApiParts Parts() {
    return {*store_, control_,    clock_,          logger_, changes_, dir_ / "manifests",
            {},      &inventory_, &store_->hours()};
  }

  [[nodiscard]] HttpResult Get(const std::string& path) const {
    return Fetch("GET", "http://" + server_->Address() + path);
  }
  [[nodiscard]] HttpResult OverTcp(const std::string& method, const std::string& path,
                                   const std::string& body = "") const {
    return Fetch(method, "http://" + server_->Address() + path, {}, body);
  }
  [[nodiscard]] HttpResult OverSocket(const std::string& method, const std::string& path,
                                      const std::string& body = "") const {
    return Fetch(method, "unix:" + dir_ / "bindery.sock" + ":" + path, {}, body);
  }
  /// The JSON answer to a GET that must succeed.
  [[nodiscard]] Json GetJson(const std::string& path) const {
    const HttpResult result = Get(path);
    EXPECT_EQ(result.status, 200) << path << ": " << result.body;
    return ParseJson(result.body).value_or(Json());
  }

  /// As in the daemon, the server is told of each record.
  void Apply(store::StoreChange change) {
    ASSERT_THAT(store_->Apply(std::move(change)), IsOk());
    changes_.Raise();
  }

  TempDir dir_;
  StoppedClock clock_;
  std::vector<std::string> log_;
  telemetry::Logger logger_{{LogFormat::kText, LogLevel::kInfo,
                             [this](std::string_view line) { log_.emplace_back(line); },
                             [this] { return clock_.Wall(); }}};
  std::unique_ptr<store::Store> store_;
  FakeControl control_;
  FakeInventory inventory_;
  server::ChangeSignal changes_;
  std::unique_ptr<server::ApiServer> server_;  // Last: it uses all of the above.
};

/// {"error": …} as it is on the wire.
inline std::string ErrorBody(const std::string& code, const std::string& message) {
  return Json{{"error", {{"code", code}, {"message", message}}}}.dump() + "\n";
}

}  // namespace bindery::testing
