#include <algorithm>
#include <iterator>
#include <utility>

#include "app/clouds.h"
#include "app/commands/common.h"
#include "app/offline_scan.h"
#include "reconcilers/provider_choice.h"
#include "report/text.h"
#include "report/validate_report.h"

namespace bindery {
namespace {

/// Without paths the configured directory.
Expected<GivenFiles> Read(const ManifestsConfig& config, const Kinds& kinds,
                          const std::vector<std::string>& paths) {
  if (!paths.empty()) return ReadGiven(config, kinds, paths);
  Expected<ScanInput> scan = ReadOnce(config, kinds);
  if (!scan) return Fail(scan.error());
  GivenFiles all;
  all.files = scan->files.size();
  all.manifests = scan->manifests;
  all.scan = std::move(*scan);
  return all;
}

AdmissionInput InputOf(const ScanInput& scan, const Kinds& kinds) {
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

AdmissionResult Judge(const ScanInput& scan, const Config& config, const Kinds& kinds) {
  Catalog catalog(kinds);
  catalog.SetSettings(EngineSettingsOf(config, {}).catalog);
  using Placed = tl::expected<Resolved, Unplaced>;
  return Admit(InputOf(scan, kinds),
               [&](const std::shared_ptr<const Manifest>& manifest) -> Placed {
                 const Kind& kind = *kinds.Find(*manifest->token);
                 auto fault = ProviderFault(*manifest, kind, catalog.settings().provider_types);
                 if (fault) return tl::unexpected(Unplaced{std::move(*fault)});
                 Expected<Placement> placement = catalog.Place(*manifest);
                 // What references stand for is not known here, but mostly what they are for.
                 if (const auto told = catalog.PlaceOf(*manifest); !placement && told) {
                   return Resolved{manifest, *told};
                 }
                 if (!placement) return tl::unexpected(Unplaced{std::move(placement.error())});
                 return Resolved{manifest, std::move(*placement)};
               });
}

/// In the order of the files. Of files that were only read beside others nothing.
std::vector<Problem> ProblemsOf(const GivenFiles& given, const AdmissionResult& admitted) {
  std::vector<Problem> problems;
  for (const auto* found : {&given.scan.problems, &admitted.problems}) {
    std::copy_if(found->begin(), found->end(), std::back_inserter(problems),
                 [&given](const Problem& problem) {
                   return given.named.empty() || given.named.contains(problem.file);
                 });
  }
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  return problems;
}

}  // namespace

int ValidateCommand(const CommandContext& context, const std::vector<std::string>& paths) {
  const Expected<Config> config = ReadConfigOrDefaults(context);
  if (!config) return Complain(config.error());
  const Kinds kinds;
  const Expected<GivenFiles> given = Read(config->manifests, kinds, paths);
  if (!given) return Complain(given.error());
  const std::vector<Problem> problems = ProblemsOf(*given, Judge(given->scan, *config, kinds));
  if (context.output == Output::kSarif) {
    Print(context, ValidateSarif(problems), ValidateText);
  } else {
    Print(context, ValidateReport(given->files, given->manifests, problems), ValidateText);
  }
  const bool invalid = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == ProblemSeverity::kError;
  });
  return invalid ? kExitDiffers : kExitOk;
}

}  // namespace bindery
