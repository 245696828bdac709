#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/drift.h"

namespace bindery {

enum class Output { kText, kJson, kYaml, kSarif, kMarkdown, kHtml, kCsv, kWide, kName };

/// What every command is told.
struct CommandContext {
  std::filesystem::path config_file;
  bool config_given = false;  ///< On the command line or by $BINDERY_CONFIG.
  Output output = Output::kText;
  bool no_headers = false;  ///< Tables without titles.
};

/// How the exit code speaks: like diff (0 same, 1 differs, 2 error), or like
/// `terraform plan -detailed-exitcode` (0 same, 1 error, 2 differs).
enum class ExitStyle { kDiff, kTerraform };

// Each command prints its result to standard output and everything else to standard error, and
// returns the exit code.

/// With `once`, differences that are less bad than `least` do not make it fail.
int RunCommand(const CommandContext& context, bool once, Severity least);
/// Whether the daemon is well: 0 it is, 1 it is not or does not answer, never anything else.
int HealthCommand(const CommandContext& context, bool liveness, const std::string& timeout);
int CheckCommand(const CommandContext& context);
int ValidateCommand(const CommandContext& context, const std::vector<std::string>& paths);
struct PlanArguments {
  std::vector<std::string> names;  ///< Resources; none: all.
  std::string manifests;           ///< The directory to plan; empty: the configured one.
  Severity least = Severity::kLow;
};
int PlanCommand(const CommandContext& context, const PlanArguments& arguments, ExitStyle style);
struct DriftArguments {
  std::string since;  ///< What was corrected that recently is known of too.
  bool all = false;   ///< For a terminal: also lists what was corrected.
  Severity least = Severity::kLow;
  bool accepted = false;  ///< For a terminal: lists what is accepted, and nothing else.
};
int DriftCommand(const CommandContext& context, const DriftArguments& arguments, ExitStyle style);
struct AcceptArguments {
  std::int64_t item = 0;  ///< Its id in drift reports.
  std::string reason;
  std::string owner;
  std::string until;   ///< A day, a time, or how long from now on; empty: without an end.
  bool write = false;  ///< Into the configuration file; else only shown.
};
int AcceptCommand(const CommandContext& context, const AcceptArguments& arguments);

struct GetArguments {
  std::vector<std::string> what;    ///< [KIND] [NAME]
  std::vector<std::string> labels;  ///< As LabelSelector reads them.
  bool not_ready = false;
  bool watch = false;
  bool show_secrets = false;  ///< Of lookups: read now, and not kept.
};
int GetCommand(const CommandContext& context, const GetArguments& arguments);
/// `with_plan`: also what the next pass would do, for which the target is read.
int ExplainCommand(const CommandContext& context, const std::string& name, bool with_plan);
struct EventsArguments {
  std::string name;   ///< Of a resource; empty: all events.
  std::string since;  ///< As ParseMoment reads it; empty: any time.
  std::size_t limit = 1000;
  bool follow = false;
};
/// With `follow` it goes on with what happens, one event a line (of JSON, one document), until it
/// is interrupted.
int EventsCommand(const CommandContext& context, const EventsArguments& arguments);
/// With a revision that is not 0 what came and went with it.
int HistoryCommand(const CommandContext& context, const std::string& name, std::int64_t revision);
int GuardCommand(const CommandContext& context);

/// Of `bindery access …`; what is empty was not given.
struct AccessArguments {
  std::string role;
  std::string target;
  std::string principal;
  bool direct = false;  ///< Only what names the principal itself.
  std::string at;
  std::vector<std::string> attributes;  ///< name=value
  std::string since;
  std::string until;
};
int AccessCommand(const CommandContext& context, const AccessArguments& arguments);
int AccessDiffCommand(const CommandContext& context, const AccessArguments& arguments,
                      ExitStyle style);

/// Which resources a changing command is for, in one of three ways.
struct ChosenResources {
  std::vector<std::string> names;
  std::vector<std::string> labels;  ///< As LabelSelector reads them.
  bool all = false;
  bool now = false;  ///< Removals do not wait for the directory to settle.
};
int ReconcileCommand(const CommandContext& context, const ChosenResources& chosen);
int SuspendCommand(const CommandContext& context, const ChosenResources& chosen);
int ResumeCommand(const CommandContext& context, const ChosenResources& chosen);
int ApproveCommand(const CommandContext& context, const std::string& digest);
int DenyCommand(const CommandContext& context, const std::string& digest);

struct RollbackArguments {
  std::string name;
  std::int64_t revision = 0;
  bool yes = false;      ///< Does not ask.
  bool dry_run = false;  ///< Only shows what it would do.
};
int RollbackCommand(const CommandContext& context, const RollbackArguments& arguments);

int SchemaCommand(const CommandContext& context, const std::string& token, bool fields);
/// Lists the kinds whose token has `pattern` in it, or matches it where it has wildcards; all if
/// empty. 1 when there are none.
int KindsCommand(const CommandContext& context, const std::string& pattern);

struct InvokeArguments {
  std::string token;
  std::map<std::string, std::string> fields;  ///< As given: --FIELD VALUE.
  std::vector<std::string> extras;            ///< What no lookup has a field for.
  std::string provider;                       ///< Empty: the kind's default.
  bool show_secrets = false;
};
int InvokeCommand(const CommandContext& context, const InvokeArguments& arguments);

struct LookupArguments {
  std::string token;
  std::string id;                  ///< Of the provider.
  std::vector<std::string> state;  ///< field=value
  std::string provider;
  bool show_secrets = false;
};
int LookupCommand(const CommandContext& context, const LookupArguments& arguments);

struct ImportArguments {
  std::string token;
  std::string name;  ///< Of the manifest; what the names begin with where there are several.
  std::string id;
  std::string all;   ///< A file with an id a line, "-": standard input. Instead of `id`.
  std::string file;  ///< Within the manifests directory; empty: NAME.yaml.
  std::string provider;
  bool to_stdout = false;
  bool protect = false;
  bool keep_going = false;
};
int ImportCommand(const CommandContext& context, const ImportArguments& arguments);

struct ConvertArguments {
  std::string file;       ///< "-": standard input.
  std::string form;       ///< "pulumi" or "terraform"; empty: what it looks like.
  std::string directory;  ///< Where the manifests go; empty: standard output.
};
int ConvertCommand(const CommandContext& context, const ConvertArguments& arguments);

int ForgetCommand(const CommandContext& context, const std::vector<std::string>& names);

struct EmulatorArguments {
  std::string listen;
  std::string store;
  std::string seed;
};
int EmulatorCommand(const EmulatorArguments& arguments);

// Whether the configuration can be used, what it comes to, its JSON Schema.
int ConfigCheckCommand(const CommandContext& context);
int ConfigShowCommand(const CommandContext& context);
int ConfigSchemaCommand(const CommandContext& context);

/// One message by that webhook, or by each when `name` is empty: 0 they were accepted, 2 not.
int NotifyTestCommand(const CommandContext& context, const std::string& name);
/// How far each webhook is, from the store.
int NotifyStatusCommand(const CommandContext& context);

// Upkeep of the store's file.
int StoreBackupCommand(const CommandContext& context, const std::string& file);
int StoreRestoreCommand(const CommandContext& context, const std::string& file);
/// `file`: a backup; empty: the store.
int StoreCheckCommand(const CommandContext& context, const std::string& file);
int StoreCompactCommand(const CommandContext& context);

int VersionCommand(const CommandContext& context);

}  // namespace bindery
