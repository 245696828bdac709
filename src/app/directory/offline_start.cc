#include "app/directory/offline_start.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/directory/offline_scan.h"
#include "app/directory/preview.h"
#include "app/directory/stored_state.h"
#include "core/base/clock.h"
#include "store/open_store.h"

namespace bindery::app {
namespace {

Expected<bool> HasFinishedScan(const store::InventoryStore& store) {
  const Expected<std::vector<InventoryRecord>> scans = store.Inventories();
  if (!scans) return Fail(scans.error());
  return std::ranges::any_of(*scans,
                             [](const InventoryRecord& scan) { return scan.finished.has_value(); });
}

/// The state of the last run; `known.has_store` stays false if none existed.
Expected<controller::StoredState> LoadStore(const config::Config& config,
                                            const controller::Now& now,
                                            controller::Catalog& catalog, KnownState& known) {
  const SystemClock clock;
  const Expected<std::unique_ptr<store::Store>> store =
      store::OpenStore(config.store, store::StoreAccess::kReadOnly, clock);
  if (!store) {
    if (store.error().code == Code::kNotFound) return controller::StoredState{};
    return Fail(store.error());
  }
  known.has_store = true;
  const Expected<bool> scanned = HasFinishedScan((*store)->inventory());
  if (!scanned) return Fail(scanned.error());
  known.has_scan = *scanned;
  auto manifests = LoadKnown(**store, catalog, OtherWriter::kPossible);
  if (!manifests) return Fail(manifests.error());
  known.manifests = std::move(*manifests);
  return ReadStoredState(**store, now.wall);
}

}  // namespace

Expected<KnownState> LoadOffline(const config::Config& config, KnownBefore known,
                                 controller::DryRun& run) {
  controller::Engine& engine = run.engine();
  KnownState state;
  controller::StoredState stored;
  if (known == KnownBefore::kFromStore) {
    Expected<controller::StoredState> left = LoadStore(config, run.now(), engine.catalog(), state);
    if (!left) return Fail(left.error());
    stored = std::move(*left);
  }
  state.has_manifests = HasManifestsInForce(engine.catalog());
  // A preview may use a different directory than the daemon's, and needs no confirmation of the
  // change.
  engine.catalog().evidence().TakeAnyGround();
  engine.Start(stored, run.now());
  return state;
}

Expected<KnownState> StartOffline(const config::Config& config, const providers::Kinds& kinds,
                                  KnownBefore known, controller::DryRun& run) {
  Expected<KnownState> state = LoadOffline(config, known, run);
  if (!state) return state;
  Expected<controller::ScanInput> scan =
      ReadOnce(config.manifests, kinds, std::exchange(state->manifests, std::nullopt));
  if (!scan) return Fail(scan.error());
  if (auto refused = run.engine().catalog().directory().WouldEmpty(*scan))
    return Fail(*std::move(refused));
  run.Scan(*scan);
  return state;
}

}  // namespace bindery::app
