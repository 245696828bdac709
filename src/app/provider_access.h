#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/clouds.h"
#include "config/config.h"
#include "core/expected.h"
#include "core/json.h"
#include "reconcilers/kind.h"

namespace bindery {

/// One provider, opened by a command that looks at its cloud itself. Of the embedded cloud it is a
/// copy: looking changes nothing.
struct OpenedProvider {
  std::string name;
  bool is_default = true;  ///< The one that manifests get that name none.
  Clouds clouds;
  std::shared_ptr<const Connection> connection;
  std::chrono::milliseconds timeout{30'000};
};

/// Opens the provider of the name; empty: the one that kind uses by default. kInvalidArgument if
/// none exists, or when it is of another type than the kind needs.
[[nodiscard]] Expected<OpenedProvider> OpenProvider(const Config& config, const Kind& kind,
                                                    const std::string& name);

/// What is there now.
struct Sighting {
  Observation seen;
  Json outputs;
};
enum class Secrets { kHidden, kShown };

/// Reads the target. Blocks.
[[nodiscard]] Expected<Sighting> LookAt(const OpenedProvider& provider, const Kind& kind,
                                        const std::string& target, Secrets secrets);

}  // namespace bindery
