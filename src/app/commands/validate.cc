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

namespace bindery::app {
namespace {

/// Without paths the configured directory.
Expected<GivenFiles> Read(const config::ManifestsConfig& config, const providers::Kinds& kinds,
                          const std::vector<std::string>& paths) {
  if (!paths.empty()) return ReadGiven(config, kinds, paths);
  Expected<controller::ScanInput> scan = ReadOnce(config, kinds);
  if (!scan) return Fail(scan.error());
  GivenFiles all;
  all.files = scan->files.size();
  all.manifests = scan->manifests;
  all.scan = std::move(*scan);
  return all;
}

/// The text about manifests whose conditions have ended, by file and line.
std::vector<manifests::Problem> ExpiredAmong(const controller::ScanInput& scan) {
  const WallTime now = std::chrono::system_clock::now();
  std::vector<manifests::Problem> expired;
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
  const Expected<config::Config> config = ReadConfigForChecks(context);
  if (!config) return PrintError(config.error());
  const providers::Kinds kinds;
  const Expected<GivenFiles> given = Read(config->manifests, kinds, paths);
  if (!given) return PrintError(given.error());
  std::vector<manifests::Problem> problems = CheckOffline(*config, kinds, given->scan);
  AddEmptiedFiles(given->scan, problems);
  std::vector<manifests::Problem> expired = ExpiredAmong(given->scan);
  // Files that were only read for context are not reported.
  for (std::vector<manifests::Problem>* found : {&problems, &expired}) {
    std::erase_if(*found, [&given](const manifests::Problem& problem) {
      return !given->named.empty() && !given->named.contains(problem.file);
    });
  }
  if (context.output == Output::kSarif) {
    // Each has a separate place in code scanning.
    problems.insert(problems.end(), expired.begin(), expired.end());
    Print(context, report::ValidateSarif(problems, kVersion, arguments.path_prefix), nullptr);
  } else {
    report::Validation report = report::ValidateReport(given->files, given->manifests, problems);
    std::ranges::transform(expired, std::back_inserter(report.expired), MakeExpiredManifest);
    report::AddExcerpts(report.problems, paths.empty() ? config->manifests.directory : "");
    Print(context, report, report::ValidateText);
  }
  const bool invalid =
      std::any_of(problems.begin(), problems.end(), [](const manifests::Problem& problem) {
        return problem.severity == manifests::ProblemSeverity::kError;
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
  validate.Waits();
  validate.Output({"text", "json", "yaml", "sarif"});
  validate.Examples(
      "bindery validate\nbindery validate payments.yaml\n"
      "envsubst < payments.yaml | bindery validate -\n"
      "bindery validate manifests -o sarif --path-prefix deploy/manifests > bindery.sarif");
  validate.Runs(
      [&arguments](const CommandContext& context) { return ValidateCommand(context, arguments); });
}

}  // namespace bindery::app
