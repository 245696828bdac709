#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/inventory_source.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// One provider, opened by a command that reads the cloud itself. For the embedded cloud a copy:
/// reading changes nothing.
struct OpenedProvider {
  std::string name;
  bool is_default = true;  ///< The one that manifests get that name none.
  Clouds clouds;
  std::shared_ptr<const cloud::Connection> connection;
  std::chrono::milliseconds timeout{30'000};
};

/// Whether an index can do what is asked.
using InventoryTest = std::function<bool(const providers::InventorySource&)>;

/// As ProviderWithIndex(). kInvalidArgument: no such provider has an index.
[[nodiscard]] Expected<std::string> ScannableProvider(const config::Config& config,
                                                      const std::string& name,
                                                      const InventoryTest& serves);

/// Opens the provider of the name; empty: the default provider of the kind. kInvalidArgument if
/// none exists, or if the type differs from the type that the kind needs.
[[nodiscard]] Expected<OpenedProvider> OpenProvider(const config::Config& config,
                                                    const reconcilers::Kind& kind,
                                                    const std::string& name);

/// The present state.
struct Sighting {
  reconcilers::Observation seen;
  Json outputs;
};
enum class Secrets { kHidden, kShown };

/// Reads the target. Blocks.
[[nodiscard]] Expected<Sighting> LookAt(const OpenedProvider& provider,
                                        const reconcilers::Kind& kind, const std::string& target,
                                        Secrets secrets);

}  // namespace bindery::app
