#include "app/offline_catalog.h"

#include <utility>

#include "app/offline_scan.h"
#include "store/open_store.h"

namespace bindery {

Expected<CatalogLoader> LoadCatalog(const StartupReader& store, Catalog& catalog,
                                    bool by_same_rules) {
  const Expected<EvidenceRecord> evidence = store.Evidence();
  if (!evidence) return Fail(evidence.error());
  CatalogLoader loader = catalog.BeginLoad(by_same_rules, *evidence);
  const Expected<void> read =
      store.ReadCatalog([&](TargetRecord&& record) { loader.LoadTarget(record); },
                        [&](ResourceRecord&& record) { loader.LoadResource(record); });
  if (!read) return Fail(read.error());
  return loader;
}

namespace {

/// What the last run left, or nothing where there was none.
Expected<void> LoadStore(const Config& config, OfflineCatalog& offline) {
  Catalog& catalog = offline.catalog;
  const SystemClock clock;
  Expected<std::unique_ptr<Store>> store = OpenStore(config.store, StoreAccess::kReadOnly, clock);
  if (!store) {
    if (store.error().code == Code::kNotFound) return {};
    return Fail(store.error());
  }
  const auto loaded = LoadCatalog(**store, catalog, /*by_same_rules=*/false);
  if (!loaded) return Fail(loaded.error());
  catalog.EndLoad({}, {});
  auto holds = (*store)->Holds();
  if (!holds) return Fail(holds.error());
  auto removals = (*store)->Removals(clock.Wall() - kLongestGuardWindow);
  if (!removals) return Fail(removals.error());
  offline.holds = std::move(*holds);
  offline.removals = std::move(*removals);
  return {};
}

}  // namespace

Expected<std::unique_ptr<OfflineCatalog>> ReadCatalog(const Config& config,
                                                      const CatalogSettings& settings,
                                                      const Kinds& kinds, KnownBefore known) {
  auto offline = std::make_unique<OfflineCatalog>(kinds);
  offline->catalog.SetSettings(settings);
  if (known == KnownBefore::kFromStore) {
    if (auto loaded = LoadStore(config, *offline); !loaded) return Fail(loaded.error());
  }
  Expected<ScanInput> scan = ReadOnce(config.manifests, kinds);
  if (!scan) return Fail(scan.error());
  if (auto refused = offline->catalog.WouldEmpty(*scan)) return Fail(*std::move(refused));
  const Now now{std::chrono::steady_clock::now(), std::chrono::system_clock::now()};
  // A preview may be of another directory than the daemon's, and asks nobody about that.
  scan->facts.ground.reset();
  RemovalEvidence& evidence = offline->catalog.evidence();
  evidence.SetSettle(config.manifests.settle);
  evidence.Looked(scan->facts, scan->digest, now);
  ScanOutcome outcome = offline->catalog.ApplyScan(*scan, now);
  // A daemon looks twice before it takes a manifest for deleted.
  if (outcome.confirm) {
    outcome.conflicts = std::move(offline->catalog.ApplyScan(*scan, now).conflicts);
  }
  std::ignore = offline->catalog.claims().times().Advance(now.wall);
  offline->declared_before = outcome.declared_before;
  offline->problems = scan->problems;
  offline->problems.insert(offline->problems.end(), outcome.conflicts.begin(),
                           outcome.conflicts.end());
  offline->scan = std::move(*scan);
  return offline;
}

Guard GuardOf(const OfflineCatalog& offline, const GuardLimits& limits) {
  Guard guard;
  guard.SetLimits(limits);
  const SystemClock clock;
  guard.PassTime({clock.Mono(), clock.Wall()});
  for (const HoldRecord& hold : offline.holds) {
    for (HeldOnRecord& held : HeldOnRecordIn(hold)) guard.Restore(std::move(held), hold);
  }
  for (const RemovalRecord& removal : offline.removals) guard.RestoreRemoved(removal);
  guard.BeginRun(offline.declared_before);
  return guard;
}

}  // namespace bindery
