// A configuration that is loaded again comes into force as a whole, or not at all.

#include "app/run/config_reloads.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bindery::app {
namespace {

class ConfigReloadsTest : public ::testing::Test {
 protected:
  /// The file that the daemon has read.
  std::string FirstFile() {
    dir_.Write("bindery.yaml", "logging: {level: error}\n");
    return dir_ / "bindery.yaml";
  }
  void Load(const std::string& text) {
    dir_.Write("bindery.yaml", text);
    reloads_.Load();
    pool_.join();
  }
  static config::Config Quiet() {
    config::Config config;
    config.logging.level = LogLevel::kError;
    return config;
  }

  testing::TempDir dir_;
  RunTelemetry run_{Quiet(), {}};
  WorkPool pool_{1};
  bool signs_in_ = true;
  std::vector<LogLevel> in_force_;
  ConfigReloads reloads_{FirstFile(),
                         run_,
                         pool_,
                         {[this](const config::Config&) -> Expected<ConnectedProviders> {
                            if (!signs_in_) return Fail(Code::kUnavailable, "no credentials");
                            return ConnectedProviders();
                          },
                          [this](const config::Config& config, const ConnectedProviders&) {
                            in_force_.push_back(config.logging.level);
                          },
                          [](const std::function<void()>& task) { task(); }}};
};

TEST_F(ConfigReloadsTest, AFileWithoutFaultsComesIntoForce) {
  Load("logging: {level: warn}\n");
  EXPECT_EQ(in_force_, std::vector<LogLevel>{LogLevel::kWarn});
}

TEST_F(ConfigReloadsTest, OneFaultChangesNothing) {
  Load("logging: {level: warn}\nnoSuchKey: 1\n");
  EXPECT_TRUE(in_force_.empty());
}

TEST_F(ConfigReloadsTest, AProviderThatCannotBeSignedInToChangesNothing) {
  signs_in_ = false;
  Load("logging: {level: warn}\n");
  EXPECT_TRUE(in_force_.empty());
}

TEST_F(ConfigReloadsTest, TheFileThatWasReadIsNotReadAgain) {
  reloads_.LoadIfChanged();
  reloads_.LoadIfChanged();
  pool_.join();
  EXPECT_TRUE(in_force_.empty());
}

}  // namespace
}  // namespace bindery::app
