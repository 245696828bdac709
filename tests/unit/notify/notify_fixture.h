#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/text/time_text.h"
#include "notify/delivery.h"
#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"
#include "telemetry/metrics.h"

namespace bindery::testing {

/// It is what time the test says.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return wall_; }
  [[nodiscard]] MonoTime Mono() const override { return mono_; }
  void Pass(std::chrono::milliseconds time) {
    wall_ += time;
    mono_ += time;
  }
  void PassUntil(MonoTime time) {
    if (time <= mono_) return;
    wall_ += std::chrono::duration_cast<WallTime::duration>(time - mono_);
    mono_ = time;
  }

 private:
  WallTime wall_ = *ParseRfc3339("2026-11-21T12:00:00Z");
  MonoTime mono_{std::chrono::hours(100)};
};

/// Answers by a script, at last for ever with the last answer of it, and keeps what it was sent.
class ScriptedTransport final : public cloud::Transport {
 public:
  void Answer(int status, cloud::HttpHeaders headers = {}) {
    script_.push_back(cloud::HttpResponse{status, std::move(headers), ""});
  }
  /// By what is asked, for ever.
  void Answer(std::function<int(const cloud::HttpRequest&)> rule) { rule_ = std::move(rule); }
  void FailWith(Code code, const std::string& message) { script_.push_back(Fail(code, message)); }
  void Forget() {
    script_.clear();
    requests.clear();
  }

  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    requests.push_back(request);
    if (rule_) return cloud::HttpResponse{rule_(request), {}, ""};
    if (script_.empty()) return cloud::HttpResponse{204, {}, ""};
    Expected<cloud::HttpResponse> answer = script_.front();
    if (script_.size() > 1) script_.pop_front();
    return answer;
  }

  std::vector<cloud::HttpRequest> requests;

 private:
  std::deque<Expected<cloud::HttpResponse>> script_;
  std::function<int(const cloud::HttpRequest&)> rule_;
};

/// One webhook, a store, and a receiver that answers by a script.
class DeliveryTest : public ::testing::Test {
 protected:
  DeliveryTest() {
    webhook_.name = "ops";
    webhook_.url = "https://receiver.example/SECRET-path";
    OpenStore();
    SetWebhooks({"ops"});
  }

  void OpenStore() {
    delivery_.reset();
    store_.reset();
    auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadWrite, clock_);
    EXPECT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }

  void SetWebhooks(std::vector<std::string> names) {
    store::StoreChange change;
    change.webhooks = std::move(names);
    EXPECT_THAT(store_->Apply(std::move(change)), IsOk());
  }

  void Happened(const std::string& reason, const std::string& message = "m") {
    store::StoreChange change;
    Event event;
    event.time = clock_.Wall();
    event.type = EventType::kWarning;
    event.reason = reason;
    event.message = message;
    event.actor = "bindery";
    change.events = {event};
    EXPECT_THAT(store_->Apply(std::move(change)), IsOk());
  }

  notify::Delivery& delivery() {
    if (delivery_ == nullptr) {
      delivery_ = std::make_unique<notify::Delivery>(
          webhook_, "/bindery/test", transport_,
          notify::Services{*store_, *store_, log_, metrics_.notifications, clock_});
    }
    return *delivery_;
  }

  /// What a crash leaves: the store, and nothing of what was not on record.
  void Restart() {
    delivery_.reset();
    OpenStore();
  }

  /// Steps as often as it can without time passing.
  void Run() {
    constexpr int kMany = 1'000;
    for (int i = 0; i < kMany; ++i) {
      next_ = delivery().Step();
      if (!next_ || *next_ > clock_.Mono()) return;
    }
    FAIL() << "it goes on for ever";
  }
  /// Steps, and lets time pass, until nothing is left to do or the time is over.
  void RunFor(std::chrono::milliseconds time) {
    const MonoTime end = clock_.Mono() + time;
    for (Run(); next_ && *next_ <= end; Run()) clock_.PassUntil(*next_);
    clock_.PassUntil(end);
  }

  [[nodiscard]] Json Sent(std::size_t number) const {
    return ParseJson(transport_.requests.at(number).body).value_or(Json::object());
  }
  /// The types of what was sent, without what they begin with.
  [[nodiscard]] std::vector<std::string> Types() const {
    std::vector<std::string> types;
    for (std::size_t i = 0; i < transport_.requests.size(); ++i) {
      types.push_back(Sent(i).at("type").get<std::string>().substr(11));
    }
    return types;
  }
  [[nodiscard]] store::WebhookRecord Record() const {
    const auto records = store_->Webhooks();
    return records->at(0);
  }
  [[nodiscard]] double Counted(const std::string& outcome) {
    const std::string series =
        "bindery_notifications_total{outcome=\"" + outcome + "\",webhook=\"ops\"} ";
    const std::string text = metrics_.Render();
    const std::size_t at = text.find(series);
    return at == std::string::npos ? -1 : std::stod(text.substr(at + series.size()));
  }
  [[nodiscard]] std::vector<std::string> Reasons() const {
    std::vector<std::string> reasons;
    const auto events = store_->Events({});
    for (const auto& [id, event] : *events) reasons.push_back(event.reason);
    return reasons;
  }

  TempDir dir_;
  FakeClock clock_;
  std::string logged_;
  telemetry::Logger log_{{.level = LogLevel::kDebug, .sink = [this](std::string_view line) {
                            logged_ += std::string(line) + "\n";
                          }}};
  telemetry::Metrics metrics_{{{"K"}, "test"}};
  ScriptedTransport transport_;
  config::WebhookConfig webhook_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<notify::Delivery> delivery_;
  std::optional<MonoTime> next_;
};

}  // namespace bindery::testing
