#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/commands.h"

namespace bindery::app {

inline constexpr const char* kDefaultConfig = "/etc/bindery/bindery.yaml";

// The types of options and positionals, as their `type_name`: completion depends on the type.
inline constexpr const char* kResourceType = "RESOURCE";  ///< The name of a resource.
inline constexpr const char* kResourceOrKindType = "RESOURCE|KIND";
inline constexpr const char* kTokenType = "TOKEN";    ///< The type token of a kind.
inline constexpr const char* kTargetType = "TARGET";  ///< The name of a target, or a resource.
inline constexpr const char* kRoleType = "ROLE";      ///< A role or relation.
inline constexpr const char* kPrincipalType = "PRINCIPAL";
inline constexpr const char* kDigestType = "DIGEST";      ///< Of what the guard holds or denied.
inline constexpr const char* kItemType = "ID";            ///< Of an open difference.
inline constexpr const char* kRevisionType = "REVISION";  ///< Of a resource that is named before.
inline constexpr const char* kFileType = "FILE";
inline constexpr const char* kFolderType = "FOLDER";
inline constexpr const char* kCommandType = "COMMAND";  ///< The names of a command.

/// A check of values that are numbers of at least 1; `what`, such as "the ID of a difference", says
/// what the message asks for.
[[nodiscard]] CLI::Validator RequireNumber(const char* what);

/// The help of --provider.
inline constexpr const char* kProviderHelp =
    "A provider of the configuration; the kind's default if none";

/// The grammar of the command line, the place of its options, and the chosen command.
class CommandLine {
 public:
  /// Runs a command with the common context; returns the exit code.
  using Run = std::function<int(const CommandContext& context)>;

  /// `app` gets the commands of commands/table.cc, and must outlive this.
  explicit CommandLine(CLI::App& app);

  [[nodiscard]] CLI::App& app() const { return app_; }

  /// Memory for the arguments of a command, as long as the command line exists.
  template <typename Arguments>
  Arguments& Keep() {
    const auto kept = std::make_shared<Arguments>();
    kept_.push_back(kept);
    return *kept;
  }

  /// Runs the parsed command.
  [[nodiscard]] int RunChosen();

  /// The parsed command's style of reporting failed output, if
  /// separate.
  [[nodiscard]] std::optional<ExitStyle> failure_style() const { return failure_style_; }

 private:
  friend class Command;

  CLI::App& app_;
  CommandContext context_;
  std::string config_;
  std::string own_config_;  ///< Given after the command, not before it.
  std::string output_ = "text";
  bool detailed_ = false;
  std::optional<ExitStyle> failure_style_;
  std::vector<std::shared_ptr<void>> kept_;
  Run chosen_;
  const CLI::App* chosen_app_ = nullptr;
  std::set<const CLI::App*> waiting_;  ///< Commands with a line while they are silent.
};

/// A command during its declaration. Its help, its manual page and its completion follow from the
/// declaration; `->` adds options of CLI11.
class Command {
 public:
  /// `name` is "plan", or "store backup" below "store". Requires: the parent was declared before.
  Command(CommandLine& line, const std::string& name, const std::string& description);

  CLI::App* operator->() const { return app_; }

  /// Text below the options of the help.
  void Notes(const std::string& text) const;
  /// Command lines, one per line; below the notes.
  void Examples(const std::string& lines) const;

  /// -o with the forms, the first of which is "text".
  void Output(std::vector<std::string> forms) const;
  void NoHeaders() const;
  /// -q: CommandContext::quiet. For every command that shows progress.
  void Quiet(const std::string& description = "No progress on standard error") const;
  /// The same, for a command that may be silent for seconds before its first output: a line on
  /// standard error says so. EndWaiting() comes before whatever the command writes.
  void Waits(const std::string& description = "No progress on standard error") const;
  /// --detailed-exitcode: CommandContext::exit_style.
  void DetailedExit() const;
  /// -l: label selectors.
  void Labels(std::vector<std::string>& labels) const;
  /// --severity. Its value once the command line is parsed.
  [[nodiscard]] std::function<Severity()> LeastSeverity(const std::string& description) const;

  /// The action of the command. If a subcommand was given too, the subcommand runs instead.
  void Runs(CommandLine::Run run, std::optional<ExitStyle> failure_style = std::nullopt) const;

 private:
  CommandLine& line_;
  CLI::App* app_;
};

/// Declares every command. Defined by commands/table.cc.
void DefineCommands(CommandLine& line);

}  // namespace bindery::app
