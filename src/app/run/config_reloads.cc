#include "app/run/config_reloads.h"

#include <boost/asio/post.hpp>
#include <optional>
#include <utility>

#include "app/run/daemon_settings.h"

namespace bindery::app {

ConfigReloads::ConfigReloads(std::filesystem::path file, RunTelemetry& run, WorkPool& pool,
                             Calls calls)
    : file_(std::move(file)), run_(run), pool_(pool), calls_(std::move(calls)), watch_(file_) {}

void ConfigReloads::LoadIfChanged() {
  const ConfigWatch::News news = watch_.Look();
  if (news == ConfigWatch::News::kChanged) return Load();
  if (news != ConfigWatch::News::kGone) return;
  run_.log.Error("the configuration file is gone; what it said stays in force",
                 {{"file", file_.string()}});
  run_.observer.ConfigLoaded(false);
}

void ConfigReloads::Load() {
  run_.services.Reloading(run_.clock.Mono());
  watch_.NoteRead();
  std::optional<config::Config> loaded = LoadConfigAgain(file_, run_.log);
  if (!loaded) return End(false);
  boost::asio::post(pool_, [this, config = std::move(*loaded)]() mutable {
    Expected<ConnectedProviders> providers = calls_.connect(config);
    calls_.post([this, config = std::move(config), providers = std::move(providers)]() mutable {
      TakeOver(std::move(config), std::move(providers));
    });
  });
}

void ConfigReloads::TakeOver(config::Config config, Expected<ConnectedProviders> providers) {
  if (!providers) {
    run_.log.Error("the configuration cannot be used; the one before stays in force",
                   {{"reason", ToString(providers.error())}});
    return End(false);
  }
  calls_.take_over(std::move(config), std::move(*providers));
  End(true);
  run_.log.Info("configuration reloaded");
}

void ConfigReloads::End(bool successful) {
  run_.observer.ConfigLoaded(successful);
  run_.services.Ready();
}

}  // namespace bindery::app
