#pragma once

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "notify/notifier.h"

namespace bindery {

/// The notifications of a configuration.
[[nodiscard]] inline notify::NotifierSettings NotifierSettingsOf(const Config& config) {
  return {config.notifications, TransportOptionsOf(config)};
}

}  // namespace bindery
