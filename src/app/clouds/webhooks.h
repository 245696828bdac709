#pragma once

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "notify/notifier.h"

namespace bindery::app {

/// The notifications of a configuration.
[[nodiscard]] inline notify::NotifierSettings MakeNotifierSettings(const config::Config& config) {
  return {config.notifications, MakeTransportOptions(config)};
}

}  // namespace bindery::app
