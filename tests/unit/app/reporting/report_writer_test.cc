// Who writes drift reports, and when.

#include "app/reporting/report_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "core/text/time_text.h"
#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::IsOk;

class ReportWriterTest : public ::testing::Test {
 protected:
  ReportWriterTest() {
    auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadWrite, clock_);
    EXPECT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    settings_.reports.directory = dir_.path() / "reports";
    settings_.reports.formats = {ReportFormat::kJson};
    settings_.reports.interval = 0ms;
  }

  std::unique_ptr<ReportWriter> Writer() {
    return std::make_unique<ReportWriter>(ReportWriter::Storage{*store_, *store_}, log_, metrics_,
                                          clock_, settings_);
  }

  static WallTime At(const std::string& text) { return ParseRfc3339(text).value(); }

  [[nodiscard]] Json Latest() const {
    return ParseJson(dir_.Read("reports/latest.json")).value_or(Json::object());
  }

  [[nodiscard]] std::size_t Files() const {
    std::error_code none;
    fs::directory_iterator entries(settings_.reports.directory, none);
    return none ? 0 : static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

  void Found(const std::string& principal, const std::string& time) {
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.grant = {"roles/viewer", principal};
    item.desired = "absent";
    item.observed = "granted";
    store::StoreChange change;
    change.drift.push_back({{"K", "", "t"}, At(time), {item}, false});
    store_->Submit(std::move(change), [](const Expected<void>&) {});
  }

  void Happened(const std::string& time) {
    store::StoreChange change;
    Event event;
    event.time = At(time);
    event.reason = "PolicyWritten";
    change.events.push_back(event);
    EXPECT_THAT(store_->Apply(std::move(change)), IsOk());
  }

  testing::TempDir dir_;
  SystemClock clock_;
  telemetry::Logger log_{{.format = LogFormat::kText, .level = LogLevel::kError}};
  telemetry::Metrics metrics_{{{"K"}, "test"}};
  ReportWriter::Settings settings_;
  std::unique_ptr<store::Store> store_;
};

TEST_F(ReportWriterTest, WhatWasAskedForIsWrittenBeforeTheEnd) {
  const auto writer = Writer();
  Found("user:a", "2026-11-21T11:59:59Z");
  writer->Request(At("2026-11-21T12:00:00Z"));
  EXPECT_TRUE(writer->Finish());
  EXPECT_EQ(Latest().at("generatedAt"), "2026-11-21T12:00:00.000Z");
  EXPECT_EQ(Latest().at("items").size(), 1U) << "what was on its way to the disk is in it";
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_drift_reports_total{result=\"written\"} 1"));
}

TEST_F(ReportWriterTest, WithoutAReasonThereIsNone) {
  EXPECT_TRUE(Writer()->Finish());
  EXPECT_EQ(Files(), 0U);
}

TEST_F(ReportWriterTest, WithoutFormsThereIsNone) {
  settings_.reports.formats.clear();
  const auto writer = Writer();
  writer->Request(At("2026-11-21T12:00:00Z"));
  EXPECT_TRUE(writer->Finish());
  EXPECT_EQ(Files(), 0U);
}

TEST_F(ReportWriterTest, EachSaysWhatIsNewSinceTheOneBeforeAlsoAfterARestart) {
  const auto report_at = [this](const std::string& time) {
    const auto writer = Writer();
    writer->Request(At(time));
    EXPECT_TRUE(writer->Finish());
    return Latest();
  };
  Found("user:a", "2026-11-21T11:00:00Z");
  EXPECT_EQ(report_at("2026-11-21T12:00:00Z").at("previousAt"), nullptr);
  const Json same = report_at("2026-11-21T13:00:00Z");
  EXPECT_EQ(same.at("previousAt"), "2026-11-21T12:00:00.000Z");
  EXPECT_EQ(same.at("items").at(0).at("change"), "still");
  Found("user:b", "2026-11-21T13:30:00Z");
  const Json changed = report_at("2026-11-21T14:00:00Z");
  EXPECT_EQ(changed.at("summary").at("sinceLast").dump(), R"({"new":1,"gone":1,"still":0})");
}

TEST_F(ReportWriterTest, AClockThatWentBackDoesNotHideTheNewest) {
  for (const char* time : {"2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z"}) {
    const auto writer = Writer();
    writer->Request(At(time));
    EXPECT_TRUE(writer->Finish());
  }
  EXPECT_EQ(Latest().at("generatedAt"), "2026-11-21T12:00:00.001Z");
}

TEST_F(ReportWriterTest, AtAStartOneIsWrittenOnlyIfSomethingHappenedSinceTheNewest) {
  const auto newest_after = [this](const std::string& time) {
    const auto writer = Writer();
    writer->RequestIfUnreported(At(time));
    EXPECT_TRUE(writer->Finish());
    return Latest().value("generatedAt", "");
  };
  EXPECT_EQ(newest_after("2026-11-21T12:00:00Z"), "2026-11-21T12:00:00.000Z") << "none was there";
  EXPECT_EQ(newest_after("2026-11-21T13:00:00Z"), "2026-11-21T12:00:00.000Z") << "nothing happened";
  Happened("2026-11-21T11:59:00Z");
  EXPECT_EQ(newest_after("2026-11-21T14:00:00Z"), "2026-11-21T12:00:00.000Z") << "it was reported";
  Happened("2026-11-21T14:30:00Z");
  EXPECT_EQ(newest_after("2026-11-21T15:00:00Z"), "2026-11-21T15:00:00.000Z");
}

TEST_F(ReportWriterTest, WhatAKilledProcessLeftIsRemovedAtTheStart) {
  dir_.Write("reports/.drift-2026-11-21T113000.000Z.json", R"({"vers)");
  EXPECT_TRUE(Writer()->Finish());
  EXPECT_EQ(Files(), 0U);
}

TEST_F(ReportWriterTest, OneIsDueWhenThereWasNoneForAWhile) {
  settings_.reports.interval = 1ms;
  const auto writer = Writer();
  while (Files() == 0) std::this_thread::yield();
  EXPECT_TRUE(writer->Finish());
  EXPECT_FALSE(Latest().empty());
}

TEST_F(ReportWriterTest, AFailureIsCountedAndWhatFailedIsTriedAgain) {
  dir_.Write("reports", "in the way");
  const auto writer = Writer();
  writer->Request(At("2026-11-21T12:00:00Z"));
  while (metrics_.Render().find("{result=\"failed\"} 1") == std::string::npos) {
    std::this_thread::yield();
  }
  fs::remove(dir_.path() / "reports");
  EXPECT_TRUE(writer->Finish());
  EXPECT_EQ(Latest().at("generatedAt"), "2026-11-21T12:00:00.000Z");
}

TEST_F(ReportWriterTest, AnEndDoesNotWaitForAFolderThatCannotBeWritten) {
  dir_.Write("reports", "in the way");
  const auto writer = Writer();
  writer->Request(At("2026-11-21T12:00:00Z"));
  EXPECT_FALSE(writer->Finish()) << "nothing is there that was asked for";
  EXPECT_THAT(metrics_.Render(), HasSubstr("{result=\"written\"} 0"));
}

TEST_F(ReportWriterTest, NewSettingsHoldFromThenOn) {
  const auto writer = Writer();
  settings_.reports.directory = dir_.path() / "elsewhere";
  writer->Configure(settings_);
  writer->Request(At("2026-11-21T12:00:00Z"));
  EXPECT_TRUE(writer->Finish());
  EXPECT_TRUE(fs::exists(dir_.path() / "elsewhere/latest.json"));
  EXPECT_FALSE(fs::exists(dir_.path() / "reports"));
}

}  // namespace
}  // namespace bindery::app
