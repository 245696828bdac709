#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "app/command_line.h"
#include "app/directory/expired_conditions.h"
#include "app/directory/offline_check.h"
#include "app/directory/offline_scan.h"
#include "app/process/version.h"
#include "app/shell/common.h"
#include "report/checks/validate_report.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"

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

/// The text about manifests whose conditions have ended, by file and line.
std::vector<Problem> ExpiredAmong(const ScanInput& scan) {
  const WallTime now = std::chrono::system_clock::now();
  std::vector<Problem> expired;
  for (const auto& file : scan.files) {
    for (const auto& manifest : file->manifests) {
      if (auto found = ExpiredCondition(*manifest, now)) expired.push_back(*std::move(found));
    }
  }
  return expired;
}

struct ValidateArguments {
  std::vector<std::string> paths;
  std::string path_prefix;  ///< Of files in SARIF.
};

int ValidateCommand(const CommandContext& context, const ValidateArguments& arguments) {
  const std::vector<std::string>& paths = arguments.paths;
  const Expected<Config> config = ReadConfigForChecks(context);
  if (!config) return PrintError(config.error());
  const Kinds kinds;
  const Expected<GivenFiles> given = Read(config->manifests, kinds, paths);
  if (!given) return PrintError(given.error());
  std::vector<Problem> problems = CheckOffline(*config, kinds, given->scan);
  AddEmptiedFiles(given->scan, problems);
  std::vector<Problem> expired = ExpiredAmong(given->scan);
  // Files that were only read for context are not reported.
  for (std::vector<Problem>* found : {&problems, &expired}) {
    std::erase_if(*found, [&given](const Problem& problem) {
      return !given->named.empty() && !given->named.contains(problem.file);
    });
  }
  if (context.output == Output::kSarif) {
    // Each has a separate place in code scanning.
    problems.insert(problems.end(), expired.begin(), expired.end());
    Print(context, ValidateSarif(problems, kVersion, arguments.path_prefix), nullptr);
  } else {
    Validation report = ValidateReport(given->files, given->manifests, problems);
    std::ranges::transform(expired, std::back_inserter(report.expired), MakeExpiredManifest);
    report::AddExcerpts(report.problems, paths.empty() ? config->manifests.directory : "");
    Print(context, report, ValidateText);
  }
  const bool invalid = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == ProblemSeverity::kError;
  });
  return invalid ? kExitDiffers : kExitOk;
}

}  // namespace

void DefineValidate(CommandLine& line) {
  auto& arguments = line.Keep<ValidateArguments>();
  const Command validate(line, "validate", "Check manifests, offline");
  validate
      ->add_option("path", arguments.paths,
                   "Files or directories, - for standard input; the configured directory if none")
      ->type_name(kFileType);
  validate->add_option("--path-prefix", arguments.path_prefix, kPathPrefixHelp)
      ->type_name(kFolderType);
  validate.Output({"text", "json", "yaml", "sarif"});
  validate.Examples(
      "bindery validate\nbindery validate payments.yaml\n"
      "envsubst < payments.yaml | bindery validate -\n"
      "bindery validate manifests -o sarif --path-prefix deploy/manifests > bindery.sarif");
  validate.Runs(
      [&arguments](const CommandContext& context) { return ValidateCommand(context, arguments); });
}

}  // namespace bindery
