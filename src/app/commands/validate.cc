#include <algorithm>

#include "app/commands/common.h"
#include "app/offline_check.h"
#include "app/offline_scan.h"
#include "report/text.h"
#include "report/validate_report.h"

namespace bindery {

int ValidateCommand(const CommandContext& context, const std::vector<std::string>& paths) {
  const Expected<Config> config = ReadConfigOrDefaults(context);
  if (!config) return Complain(config.error());
  const Kinds kinds;
  const Expected<ScanInput> scan = ReadOnce(config->manifests, kinds, paths);
  if (!scan) return Complain(scan.error());
  const std::vector<Problem> problems = CheckOffline(*config, kinds, *scan);
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
