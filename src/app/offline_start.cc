#include "app/offline_start.h"

#include <memory>
#include <utility>

#include "app/known_catalog.h"
#include "app/offline_scan.h"
#include "app/stored_state.h"
#include "core/clock.h"
#include "store/open_store.h"

namespace bindery {
namespace {

/// What the last run left, or nothing where there was none.
Expected<StoredState> LoadStore(const Config& config, const Now& now, Catalog& catalog) {
  const SystemClock clock;
  const Expected<std::unique_ptr<Store>> store =
      OpenStore(config.store, StoreAccess::kReadOnly, clock);
  if (!store) {
    if (store.error().code == Code::kNotFound) return StoredState{};
    return Fail(store.error());
  }
  if (auto loaded = LoadCatalog(**store, catalog, /*by_same_rules=*/false); !loaded) {
    return Fail(loaded.error());
  }
  return ReadStoredState(**store, now.wall);
}

}  // namespace

Expected<void> StartOffline(const Config& config, const Kinds& kinds, KnownBefore known,
                            DryRun& run) {
  Engine& engine = run.engine();
  StoredState stored;
  if (known == KnownBefore::kFromStore) {
    Expected<StoredState> left = LoadStore(config, run.now(), engine.catalog());
    if (!left) return Fail(left.error());
    stored = std::move(*left);
  }
  // A preview may be of another directory than the daemon's, and needs no confirmation of that.
  engine.catalog().evidence().TakeAnyGround();
  engine.Start(stored, run.now());
  Expected<ScanInput> scan = ReadOnce(config.manifests, kinds);
  if (!scan) return Fail(scan.error());
  if (auto refused = engine.catalog().directory().WouldEmpty(*scan))
    return Fail(*std::move(refused));
  run.Scan(*scan);
  return {};
}

}  // namespace bindery
