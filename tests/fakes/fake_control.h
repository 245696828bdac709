#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/text/time_text.h"
#include "server/control.h"
#include "server/requests/operator_command.h"

namespace bindery::testing {

/// A controller that writes down what it is asked and answers what the test wants, from a thread of
/// its own, as the real one does.
class FakeControl final : public server::Control {
 public:
  ~FakeControl() override {
    for (std::thread& thread : threads_) thread.join();
  }

  void Execute(server::OperatorCommand command, std::string actor, Reply reply) override {
    const std::string wanted = std::visit([](const auto& each) { return GetText(each); }, command);
    Answer(wanted + " by " + actor, std::move(reply));
  }
  void Plan(std::vector<std::string> names, server::PlanAsker asker,
            std::shared_ptr<server::PlanLines> lines, Reply reply) override {
    if (lines != nullptr) {
      const std::lock_guard lock(mutex_);
      for (const std::string& line : plan_lines_) line.empty() ? lines->Clear() : lines->Add(line);
    }
    const char* const who = asker == server::PlanAsker::kLocal ? "plan " : "plan for the network ";
    Answer(who + Joined(names), std::move(reply));
  }
  void PlanDirectory(server::PlanUpload upload, server::PlanAsker asker, Reply reply) override {
    std::string call = asker == server::PlanAsker::kLocal ? "plan of " : "plan for the network of ";
    for (const server::PlanUpload::File& file : upload.files)
      call += file.path + "=" + file.text + " ";
    for (const server::PlanUpload::Unread& unread : upload.unread) call += "!" + unread.path + " ";
    Answer(call + Joined(upload.names), std::move(reply));
  }
  void Metrics(std::function<void(std::string)> reply) override {
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([reply = std::move(reply), text = metrics_] { reply(text); });
  }
  [[nodiscard]] report::ActivityReport Activity() const override {
    const WallTime start = *ParseRfc3339("2026-11-21T11:00:00Z");
    report::ActivityReport report;
    report.since = start;
    report.period_seconds = 5;
    report.samples = {{start, 2, 0, 3, 1, 3, 0.25, 0.8}};
    report.budgets = {{"cloudnative", "", 10.5, 0.8, 0, 0}};
    return report;
  }
  [[nodiscard]] std::vector<server::HealthCheck> Health() const override {
    const std::lock_guard lock(mutex_);
    return health_;
  }

  [[nodiscard]] report::DriftSettings ReportSettings() const override {
    const std::lock_guard lock(mutex_);
    return report_settings_;
  }

  void SetReportSettings(report::DriftSettings settings) {
    const std::lock_guard lock(mutex_);
    report_settings_ = std::move(settings);
  }
  void SetHealth(std::vector<server::HealthCheck> health) {
    const std::lock_guard lock(mutex_);
    health_ = std::move(health);
  }
  void SetMetrics(std::string metrics) {
    const std::lock_guard lock(mutex_);
    metrics_ = std::move(metrics);
  }
  /// What plans of everything consist of; an empty text: the lines before are void.
  void SetPlanLines(std::vector<std::string> lines) {
    const std::lock_guard lock(mutex_);
    plan_lines_ = std::move(lines);
  }
  void SetResult(Expected<Json> result) {
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
  }
  /// What was asked since the last call.
  [[nodiscard]] std::vector<std::string> TakeCalls() {
    const std::lock_guard lock(mutex_);
    return std::exchange(calls_, {});
  }

 private:
  template <typename Command>
  static std::string GetText(const Command& wanted) {
    const std::string call(Command::kCall);
    if constexpr (requires { wanted.digest; }) {
      return call + " " + wanted.digest;
    } else if constexpr (requires { wanted.suspend; }) {
      return (wanted.suspend ? "suspend " : "resume ") + Joined(wanted.names);
    } else if constexpr (requires { wanted.names; }) {
      return call + " " + Joined(wanted.names);
    } else {
      return call + " " + wanted.name + " to " + std::to_string(wanted.revision);
    }
  }
  static std::string Joined(const std::vector<std::string>& names) {
    std::string text = "[";
    for (const std::string& name : names) text += (text.size() > 1 ? "," : "") + name;
    return text + "]";
  }

  void Answer(std::string call, Reply reply) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
    threads_.emplace_back([reply = std::move(reply), result = result_] { reply(result); });
  }

  mutable std::mutex mutex_;
  std::vector<server::HealthCheck> health_;
  report::DriftSettings report_settings_;
  Expected<Json> result_ = Json{{"fake", true}};
  std::string metrics_ = "bindery_up 1\n";
  std::vector<std::string> plan_lines_;
  std::vector<std::string> calls_;
  std::vector<std::thread> threads_;
};

}  // namespace bindery::testing
