#include "app/directory/offline_check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/clouds/clouds.h"
#include "reconcilers/provider_choice.h"

namespace bindery {
namespace {

AdmissionInput MakeInput(const ScanInput& scan, const Kinds& kinds) {
  AdmissionInput input{
      scan.Manifests(), scan.problems, scan.broken_files, {}, [&kinds](const TypeToken& token) {
        const Kind* kind = kinds.Find(token);
        return kind == nullptr ? nullptr : &kind->schema();
      }};
  for (const auto& file : scan.files) {
    input.invalid.insert(input.invalid.end(), file->invalid.begin(), file->invalid.end());
  }
  return input;
}

}  // namespace

std::vector<Problem> CheckOffline(const Config& config, const Kinds& kinds, const ScanInput& scan) {
  Catalog catalog(kinds);
  catalog.SetSettings(MakeEngineSettings(config, {}).catalog);
  using Placed = tl::expected<Resolved, Unplaced>;
  const AdmissionResult admitted =
      Admit(MakeInput(scan, kinds), [&](const std::shared_ptr<const Manifest>& manifest) -> Placed {
        const Kind& kind = *kinds.Find(*manifest->token);
        auto fault = ProviderFault(*manifest, kind, catalog.settings().provider_types);
        if (fault) return tl::unexpected(Unplaced{std::move(*fault)});
        Expected<Placement> placement = catalog.placer().Place(*manifest);
        if (placement) return Resolved{manifest, std::move(*placement)};
        // The values of references are unknown here, but mostly not their places.
        if (auto told = catalog.placer().PlaceUnresolved(*manifest)) {
          return Resolved{manifest, *std::move(told)};
        }
        return tl::unexpected(Unplaced{std::move(placement.error())});
      });
  std::vector<Problem> problems = scan.problems;
  problems.insert(problems.end(), admitted.problems.begin(), admitted.problems.end());
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  return problems;
}

void AddEmptiedFiles(const ScanInput& scan, std::vector<Problem>& problems) {
  for (const auto& file : scan.files) {
    if (!file->blank) continue;
    Problem problem;
    problem.file = file->path;
    problem.code = "EmptyFile";
    problem.message =
        "holds no document, and counts as a file with an error: what it declared stays in force "
        "until the file itself is deleted";
    problems.push_back(std::move(problem));
  }
  std::ranges::stable_sort(problems, {}, &Problem::file);
}

}  // namespace bindery
