// Which settings a running daemon cannot change, so that it says so.

#include "app/settings/fixed_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

config::Config Parsed(const std::string& text) {
  const config::ConfigResult parsed = config::ParseConfig(text, "bindery.yaml", "/etc/bindery", {});
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(config::Config());
}

TEST(FixedSettings, EachIsNamedWhenItDiffers) {
  const std::pair<const char*, const char*> cases[] = {
      {"store: {url: 'sqlite:other.db'}", "store.url"},
      {"store: {witness: other}", "store.witness"},
      {"manifests: {directory: other}", "manifests.directory"},
      {"manifests: {recursive: false}", "manifests"},
      {"manifests: {maxFiles: 7}", "manifests"},
      {"manifests: {maxBytes: 65536}", "manifests"},
      {"server: {listen: '127.0.0.1:1'}", "server.listen"},
      {"server: {socket: other.sock}", "server.socket"},
      {"server: {webConfigFile: web.yaml}", "server.webConfigFile"},
      {"server: {insecure: true}", "server.insecure"},
      {"server: {allowedHosts: [a]}", "server.allowedHosts"},
      {"server: {maxStreams: 1}", "server.max*"},
      {"embeddedCloud: {maxConnections: 1}", "embeddedCloud.maxConnections"},
      {"transport: {proxy: 'http://127.0.0.1:1'}", "transport"},
      {"tracing: {endpoint: 'https://collector.example'}", "tracing"},
      {"embeddedCloud: {listen: '127.0.0.1:1'}", "embeddedCloud.listen"},
      {"embeddedCloud: {store: other.db}", "embeddedCloud.store"},
      {"embeddedCloud: {seed: other.yaml}", "embeddedCloud.seed"},
      {"hardening: {seccomp: false}", "hardening"},
      {"reconcile: {concurrency: 33}", "reconcile.concurrency"},
  };
  const config::Config defaults = Parsed("{}");
  for (const auto& [text, key] : cases) {
    EXPECT_THAT(FixedSettingsThatDiffer(defaults, Parsed(text)), ElementsAre(key)) << text;
  }
}

TEST(FixedSettings, WhatAReloadAppliesIsNotAmongThem) {
  const config::Config defaults = Parsed("{}");
  EXPECT_THAT(FixedSettingsThatDiffer(defaults, defaults), IsEmpty());
  for (const char* text : {"manifests: {rescanInterval: 7s, debounce: 1s}",
                           "reconcile: {interval: 7s, concurrency: 3}", "transport: {timeout: 7s}",
                           "tracing: {sampleRatio: 0.5}", "logging: {level: debug}"}) {
    EXPECT_THAT(FixedSettingsThatDiffer(defaults, Parsed(text)), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace bindery::app
