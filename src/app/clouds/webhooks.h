#pragma once

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "notify/notifier.h"

namespace bindery {

/// The notifications of a configuration.
[[nodiscard]] inline notify::NotifierSettings MakeNotifierSettings(const Config& config) {
  return {config.notifications, MakeTransportOptions(config)};
}

}  // namespace bindery
