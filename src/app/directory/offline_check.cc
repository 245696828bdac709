#include "app/directory/offline_check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/clouds/clouds.h"
#include "reconcilers/provider_choice.h"

namespace bindery::app {
namespace {

admission::AdmissionInput MakeInput(const controller::ScanInput& scan,
                                    const providers::Kinds& kinds) {
  admission::AdmissionInput input{
      scan.Manifests(), scan.problems, scan.broken_files, {}, [&kinds](const TypeToken& token) {
        const reconcilers::Kind* kind = kinds.Find(token);
        return kind == nullptr ? nullptr : &kind->schema();
      }};
  for (const auto& file : scan.files) {
    input.invalid.insert(input.invalid.end(), file->invalid.begin(), file->invalid.end());
  }
  return input;
}

}  // namespace

std::vector<manifests::Problem> CheckOffline(const config::Config& config,
                                             const providers::Kinds& kinds,
                                             const controller::ScanInput& scan) {
  controller::Catalog catalog(kinds);
  catalog.SetSettings(MakeEngineSettings(config, {}).catalog);
  using Placed = tl::expected<admission::Resolved, admission::Unplaced>;
  const admission::AdmissionResult admitted = admission::Admit(
      MakeInput(scan, kinds),
      [&](const std::shared_ptr<const manifests::Manifest>& manifest) -> Placed {
        const reconcilers::Kind& kind = *kinds.Find(*manifest->token);
        auto fault = reconcilers::ProviderFault(*manifest, kind, catalog.settings().provider_types);
        if (fault) return tl::unexpected(admission::Unplaced{std::move(*fault)});
        Expected<admission::Placement> placement = catalog.placer().Place(*manifest);
        if (placement) return admission::Resolved{manifest, std::move(*placement)};
        // The values of references are unknown here, but mostly not their places.
        if (auto told = catalog.placer().PlaceUnresolved(*manifest)) {
          return admission::Resolved{manifest, *std::move(told)};
        }
        return tl::unexpected(admission::Unplaced{std::move(placement.error())});
      });
  std::vector<manifests::Problem> problems = scan.problems;
  problems.insert(problems.end(), admitted.problems.begin(), admitted.problems.end());
  std::stable_sort(problems.begin(), problems.end(),
                   [](const manifests::Problem& a, const manifests::Problem& b) {
                     return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
                   });
  return problems;
}

void AddEmptiedFiles(const controller::ScanInput& scan, std::vector<manifests::Problem>& problems) {
  for (const auto& file : scan.files) {
    if (!file->blank) continue;
    manifests::Problem problem;
    problem.file = file->path;
    problem.code = "EmptyFile";
    problem.message =
        "holds no document, and counts as a file with an error: what it declared stays in force "
        "until the file itself is deleted";
    problems.push_back(std::move(problem));
  }
  std::ranges::stable_sort(problems, {}, &manifests::Problem::file);
}

}  // namespace bindery::app
