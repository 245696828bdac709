#include "app/directory/known_catalog.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <utility>

namespace bindery::app {
namespace {

/// Targets and resources; returns what knows the resources that were loaded.
Expected<controller::CatalogLoader> LoadCatalog(const store::StartupReader& store,
                                                controller::Catalog& catalog, bool by_same_rules) {
  const Expected<store::EvidenceRecord> evidence = store.Evidence();
  if (!evidence) return Fail(evidence.error());
  controller::CatalogLoader loader = catalog.BeginLoad(by_same_rules, *evidence);
  const Expected<void> read =
      store.ReadCatalog([&](store::TargetRecord&& record) { loader.LoadTarget(record); },
                        [&](store::ResourceRecord&& record) { loader.LoadResource(record); });
  if (!read) return Fail(read.error());
  return loader;
}

}  // namespace

/// Each from a thread of its own: a start should take no longer than it must.
Expected<std::optional<KnownManifests>> LoadKnown(const store::StartupReader& store,
                                                  controller::Catalog& catalog,
                                                  OtherWriter writer) {
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  const bool same_rules = *generation && (*generation)->rules == catalog.settings().rules;
  std::vector<controller::StoredFile> files;
  manifests::DigestSum sum;
  std::future<Expected<void>> reader = std::async(std::launch::async, [&] {
    return store.ReadFiles([&](store::FileRecord&& record) {
      files.push_back(controller::StoredFile::Of(std::move(record)));
      sum.Add(manifests::MakeDigest(*files.back().content));
    });
  });
  if (writer == OtherWriter::kPossible) reader.wait();
  Expected<controller::CatalogLoader> loaded = LoadCatalog(store, catalog, same_rules);
  Expected<void> files_read = reader.get();
  if (!loaded) return Fail(loaded.error());
  if (!files_read) return Fail(files_read.error());
  auto known = loaded->KnownFiles(std::move(files));
  if (!known) return std::nullopt;
  // With fewer resources than the scan found manifests the files have to be read again.
  std::size_t manifests = 0;
  for (const manifests::KnownFile& file : *known) manifests += file.content->manifests.size();
  if (static_cast<std::int64_t>(manifests) != (*generation)->manifests) return std::nullopt;
  return KnownManifests{std::move(*known), sum};
}

}  // namespace bindery::app
