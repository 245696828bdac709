#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"

namespace bindery {

inline constexpr const char* kDefaultConfig = "/etc/bindery/bindery.yaml";

// What options and positionals take, as their `type_name`: completion goes by it.
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

/// The help of --provider.
inline constexpr const char* kProviderHelp =
    "A provider of the configuration; the kind's default if none";

/// The grammar of the command line, where its options go, and the command they choose.
class CommandLine {
 public:
  /// Runs a command with what all commands are told; returns its exit code.
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

  /// Runs the command that was parsed.
  [[nodiscard]] int RunChosen();

  /// How the parsed command says that its output could not be written, if it has a separate
  /// style.
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
};

/// A command while it is declared. Its help, its manual page and its completion follow from what is
/// declared here; `->` adds options of CLI11.
class Command {
 public:
  /// `name` is "plan", or "store backup" below "store", which is declared before it.
  Command(CommandLine& line, const std::string& name, const std::string& description);

  CLI::App* operator->() const { return app_; }

  /// Text below the options of the help.
  void Notes(const std::string& text) const;
  /// Command lines, one a line; below the notes.
  void Examples(const std::string& lines) const;

  /// -o with the forms, the first of which is "text".
  void Output(std::vector<std::string> forms) const;
  void NoHeaders() const;
  /// --detailed-exitcode: CommandContext::exit_style.
  void DetailedExit() const;
  /// -l: label selectors.
  void Labels(std::vector<std::string>& labels) const;
  /// --severity. Its value once the command line is parsed.
  [[nodiscard]] std::function<Severity()> LeastSeverity(const std::string& description) const;

  /// What the command does. A command below this one that was given too runs instead.
  void Runs(CommandLine::Run run, std::optional<ExitStyle> failure_style = std::nullopt) const;

 private:
  CommandLine& line_;
  CLI::App* app_;
};

/// Declares every command. Defined by commands/table.cc.
void DefineCommands(CommandLine& line);

}  // namespace bindery
