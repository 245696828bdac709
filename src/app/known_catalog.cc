#include "app/known_catalog.h"

#include <future>
#include <utility>
#include <vector>

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

/// Each from a thread of its own: a start should take no longer than it must.
Expected<void> LoadKnown(const StartupReader& store, Catalog& catalog, DirectoryManifests& source) {
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  const bool same_rules = *generation && (*generation)->rules == catalog.settings().rules;
  std::vector<StoredFile> files;
  DigestSum sum;
  std::future<Expected<void>> reader = std::async(std::launch::async, [&] {
    return store.ReadFiles([&](FileRecord&& record) {
      files.push_back(StoredFile::Of(std::move(record)));
      sum.Add(DigestOf(*files.back().content));
    });
  });
  Expected<CatalogLoader> loaded = LoadCatalog(store, catalog, same_rules);
  Expected<void> files_read = reader.get();
  if (!loaded) return Fail(loaded.error());
  if (!files_read) return files_read;
  if (auto known = loaded->KnownFiles(std::move(files))) source.Seed(std::move(*known), sum);
  return {};
}

}  // namespace bindery
