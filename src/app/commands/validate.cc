#include <algorithm>

#include "app/clouds.h"
#include "app/commands/common.h"
#include "app/offline_scan.h"
#include "report/text.h"
#include "report/validate_report.h"

namespace bindery {

int ValidateCommand(const CommandContext& context, const std::vector<std::string>& paths) {
  const Expected<Config> config = ReadConfigOrDefaults(context);
  if (!config) return Complain(config.error());
  const Kinds kinds;
  Expected<ScanInput> scan = ReadOnce(config->manifests, kinds, paths);
  if (!scan) return Complain(scan.error());

  Catalog catalog(kinds);
  catalog.SetSettings(EngineSettingsOf(*config, {}).catalog);
  const AdmissionInput input{
      scan->Manifests(), scan->problems, scan->broken_files, {}, [&kinds](const TypeToken& token) {
        const Kind* kind = kinds.Find(token);
        return kind == nullptr ? nullptr : &kind->schema();
      }};
  using Placed = tl::expected<Resolved, Unplaced>;
  const AdmissionResult admitted =
      Admit(input, [&catalog](const std::shared_ptr<const Manifest>& manifest) -> Placed {
        Expected<Placement> placement = catalog.Place(*manifest);
        // What references stand for is not known here, but mostly what they are for.
        if (const auto told = catalog.PlaceOf(*manifest); !placement && told) {
          return Resolved{manifest, *told};
        }
        if (!placement) return tl::unexpected(Unplaced{std::move(placement.error())});
        return Resolved{manifest, std::move(*placement)};
      });
  std::vector<Problem> problems = scan->problems;
  problems.insert(problems.end(), admitted.problems.begin(), admitted.problems.end());
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  if (context.output == Output::kSarif) {
    Print(context, ValidateSarif(problems), ValidateText);
  } else {
    Print(context, ValidateReport(scan->files.size(), scan->manifests, problems), ValidateText);
  }
  const bool invalid = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == ProblemSeverity::kError;
  });
  return invalid ? kExitDiffers : kExitOk;
}

}  // namespace bindery
