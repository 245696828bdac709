#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/clouds/clouds.h"
#include "app/directory/directory_manifests.h"
#include "controller/engine/dry_run.h"
#include "controller/engine/foreseen.h"
#include "manifests/documents/loader.h"
#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::testing {

/// A directory whose manifests are in force, as the store has it on record: a and b declare roles
/// on one policy, c and d on one each, and d depends on c.
class DirectoryOnRecord : public ::testing::Test {
 protected:
  DirectoryOnRecord() {
    Configure("acme");
    Write("a", "one", "roles/viewer");
    Write("b", "one", "roles/editor");
    Write("c", "two", "roles/viewer");
    Write("d", "three", "roles/viewer", "options: {dependsOn: [c]}\n");
    TakeUp();
  }

  void Configure(const std::string& project) {
    auto config = config::ParseConfig(
        "manifests: {directory: m, settle: 0s}\nstore: {url: \"sqlite:state.db\"}\n"
        "providers: {cloudnative: {type: cloudnative, credentials: {type: none}, project: " +
            project + "}}\n",
        "test.yaml", temp_.path(), {});
    ASSERT_TRUE(config.has_value());
    config_ = std::move(*config);
  }
  void Write(const std::string& name, const std::string& policy, const std::string& role,
             const std::string& rest = "", const std::string& member = "user:ana@example.com") {
    temp_.Write("m/" + name + ".yaml",
                "apiVersion: cloudnative:networksecurity/v1\n"
                "kind: AuthorizationPolicyIamBinding\nmetadata: {name: " +
                    name + "}\nspec:\n  name: projects/acme/locations/l/authorizationPolicies/" +
                    policy + "\n  role: " + role + "\n  members: [\"" + member + "\"]\n" + rest);
  }

  /// As a daemon does that reads the directory when all files are old enough to be known again.
  void TakeUp() {
    const auto store = store::OpenStore(config_.store, store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(store, IsOk());
    controller::ForeseenTargets observer;
    controller::Engine engine(kinds_, observer, 1);
    engine.SetSettings(app::MakeEngineSettings(config_, {}));
    engine.Start({}, Moment());
    manifests::DirectorySettings settings = app::MakeDirectorySettings(config_.manifests);
    settings.coarsest_clock = std::chrono::milliseconds(0);
    manifests::DirectorySource source(settings,
                                      [this](std::string_view text, const std::string& path) {
                                        return manifests::LoadFile(text, path, kinds_);
                                      });
    auto found = source.Scan(/*assume_settled=*/true);
    ASSERT_THAT(found, IsOk());
    controller::ScanInput scan;
    scan.digest = found->digest;
    scan.facts = found->facts;
    controller::ListAll(*found, scan);
    scan.edit.reset();
    engine.scans().Scan(scan, Moment());
    for (store::StoreChange& change : engine.DrainRecords().changes) {
      ASSERT_THAT((*store)->Apply(std::move(change)), IsOk());
    }
  }

  [[nodiscard]] controller::Now Moment() const { return {clock_.Mono(), clock_.Wall()}; }
  [[nodiscard]] std::vector<std::string> Known() const {
    std::vector<std::string> known;
    for (const auto& [name, entry] : run_->catalog().claims().resources()) known.push_back(name);
    return known;
  }
  [[nodiscard]] const manifests::Manifest& FindManifest(const std::string& name) const {
    return *run_->catalog().claims().FindResource(name)->manifest;
  }

  TempDir temp_;
  providers::Kinds kinds_;
  SystemClock clock_;
  config::Config config_;
  std::unique_ptr<controller::DryRun> run_;
};

}  // namespace bindery::testing
