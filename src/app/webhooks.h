#pragma once

#include "app/clouds.h"
#include "config/config.h"
#include "notify/notifier.h"

namespace bindery {

/// What a configuration says of notifications.
[[nodiscard]] inline notify::NotifierSettings NotifierSettingsOf(const Config& config) {
  return {config.notifications, TransportOptionsOf(config)};
}

}  // namespace bindery
