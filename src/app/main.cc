// The command line: options in, one command called.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <string_view>

#include "app/command_line.h"
#include "app/commands/common.h"
#include "app/completion.h"
#include "app/early_signals.h"
#include "app/examples.h"
#include "app/help_command.h"
#include "app/process_end.h"
#include "app/program_end.h"
#include "app/shell_commands.h"
#include "app/version.h"
#include "providers/kinds.h"
#include "report/moment.h"

namespace bindery {
namespace {

/// "--importDataFileId" of every lookup there is, each once.
void AddLookupFields(CLI::App* command, CommandLine& line) {
  for (const Kind* kind : KnownKinds().InUse()) {
    const KindSchema* schema = &kind->schema();
    if (!schema->read_only) continue;
    for (const Field& field : schema->inputs) {
      const std::string option = "--" + field.name;
      if (command->get_option_no_throw(option) != nullptr) continue;
      command
          ->add_option_function<std::string>(
              option,
              [&line, name = field.name](const std::string& value) {
                line.invoke.fields[name] = value;
              },
              schema->token.kind + ": " + field.description)
          ->type_name("VALUE");
    }
  }
}

void AddSeverity(CLI::App* command, CommandLine& line, const std::string& what) {
  command->add_option("--severity", line.severity, what)
      ->check(CLI::IsMember({"low", "medium", "high", "critical"}))
      ->capture_default_str();
}

void AddAccept(CLI::App* drift, CommandLine& line) {
  CLI::App* accept =
      drift->add_subcommand("accept", "Make the entry that lets a difference stay for some time");
  AcceptArguments& arguments = line.accept;
  accept->add_option("item", arguments.item, "Its ID, as bindery drift shows it")
      ->required()
      ->check(CLI::PositiveNumber);
  accept->add_option("--reason", arguments.reason, "Why it may stay")->required();
  accept->add_option("--owner", arguments.owner, "Who answers for it")->required();
  accept->add_option("--until", arguments.until,
                     "When it is drift again: a day, an RFC 3339 time, or how long from now on "
                     "(24h)");
  accept->add_flag("--write", arguments.write,
                   "Put the entry into the configuration file instead of only showing it");
}

void AddDrift(CLI::App& app, CommandLine& line) {
  CLI::App* drift = AddCommand(app, line, "drift", "Show the last known drift", [&line] {
    if (line.accept.item != 0) return AcceptCommand(line.context, line.accept);
    return DriftCommand(line.context, {line.since, line.all, line.least(), line.accepted},
                        line.style());
  });
  drift->require_subcommand(0, 1);
  drift
      ->add_option("--since", line.since,
                   std::string("Also count what was corrected since then: ") + kMomentForms)
      ->capture_default_str();
  drift->add_flag("--all", line.all, "Also list what was corrected (text output; others have all)");
  drift->add_flag("--accepted", line.accepted,
                  "List what is accepted, and nothing else (text output; others have all)");
  AddSeverity(drift, line, "Only differences that are at least so bad, in the exit code too");
  AddDetailedExit(drift, line);
  AddOutput(drift, line, {"text", "json", "yaml", "markdown", "html", "csv", "sarif"});
  AddAccept(drift, line);
  drift->footer("Example:\n  bindery drift --severity high\n  bindery drift -o html > drift.html");
}

void AddReadingCommands(CLI::App& app, CommandLine& line) {
  CLI::App* validate = AddCommand(app, line, "validate", "Check manifests, offline",
                                  [&line] { return ValidateCommand(line.context, line.names); });
  validate
      ->add_option("path", line.names,
                   "Files or directories, - for standard input; the configured directory if none")
      ->type_name(kFileType);
  AddOutput(validate, line, {"text", "json", "yaml", "sarif"});

  CLI::App* check = AddCommand(
      app, line, "check",
      "Look at all the daemon needs: configuration, credentials, network, permissions, store",
      [&line] { return CheckCommand(line.context); });
  AddOutput(check, line, {"text", "json", "yaml"});

  CLI::App* plan =
      AddCommand(app, line, "plan", "Say what the next pass would change; writes nothing", [&line] {
        return PlanCommand(line.context, {line.names, line.manifests, line.least()}, line.style());
      });
  plan->add_option("name", line.names, "Resources whose targets to plan; all if none")
      ->type_name(kResourceType);
  plan->add_option("--manifests", line.manifests,
                   "Plan this directory instead of the configured one, such as a branch")
      ->type_name("DIR");
  AddSeverity(plan, line, "Only targets that differ at least so badly, in the exit code too");
  AddDetailedExit(plan, line);
  AddOutput(plan, line, {"text", "json", "yaml"});

  AddDrift(app, line);

  CLI::App* explain =
      AddCommand(app, line, "explain", "Say why a resource is as it is, and what comes next",
                 [&line] { return ExplainCommand(line.context, line.name, !line.from_store); });
  explain->add_option("name", line.name, "A resource")->required()->type_name(kResourceType);
  explain->add_flag("--no-plan", line.from_store,
                    "From the store alone: read no cloud for what the next pass would do");
  AddOutput(explain, line, {"text", "json", "yaml"});
}

void AddAdoptingCommands(CLI::App& app, CommandLine& line) {
  constexpr const char* kProvider = "A provider of the configuration; the kind's default if none";
  CLI::App* invoke =
      AddCommand(app, line, "invoke", "Look something up now: invoke TOKEN --FIELD VALUE ...",
                 [&line] { return InvokeCommand(line.context, line.invoke); });
  invoke->footer(
      "Example:\n  bindery invoke cloudnative:migrationcenter/v1:getImportDataFile"
      " --importDataFileId hosts\n    --importJobId inventory --location europe-west1\n"
      "  bindery invoke monitoring:getCurrentUser -o json");
  invoke->add_option("token", line.invoke.token, "A lookup, such as monitoring:getCurrentUser")
      ->required()
      ->type_name(kTokenType);
  invoke->add_option("--provider", line.invoke.provider, kProvider);
  invoke->add_flag("--show-secrets", line.invoke.show_secrets, "Show secrets as they are");
  AddLookupFields(invoke, line);
  // What is no field of any lookup is explained by the command, not by the parser.
  invoke->allow_extras()->fallthrough(false);
  AddOutput(invoke, line, {"text", "json", "yaml"});

  CLI::App* lookup = AddCommand(app, line, "lookup",
                                "Show a resource that exists, by its provider's id, unmanaged",
                                [&line] { return LookupCommand(line.context, line.lookup); });
  lookup->footer(
      "Example:\n  bindery lookup monitoring:RestrictionPolicy dashboard:abc-def-ghi\n"
      "  bindery lookup cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding\n"
      "    \"locations/global/authorizationPolicies/payments roles/viewer\" --state project=acme");
  lookup->add_option("token", line.lookup.token, "A kind")->required()->type_name(kTokenType);
  lookup->add_option("id", line.lookup.id, "As the provider writes it")->required();
  lookup->add_option("--state", line.lookup.state,
                     "field=value that it must have, or that completes the id (repeatable)");
  lookup->add_option("--provider", line.lookup.provider, kProvider);
  lookup->add_flag("--show-secrets", line.lookup.show_secrets, "Show secrets as they are");
  AddOutput(lookup, line, {"text", "json", "yaml"});

  CLI::App* import =
      AddCommand(app, line, "import", "Write the manifest that declares what exists, as it is",
                 [&line] { return ImportCommand(line.context, line.import); });
  import->footer(
      "Example:\n  bindery import monitoring:index/restrictionPolicy:RestrictionPolicy my-policy"
      " \"dashboard:abc-def-ghi\"\n"
      "  bindery import cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding payments\n"
      "    projects/acme/locations/global/authorizationPolicies/payments");
  import->add_option("token", line.import.token, "A kind")->required()->type_name(kTokenType);
  import->add_option("name", line.import.name, "Of the manifest; of several, how they begin")
      ->required();
  import->add_option("id", line.import.id,
                     "As the provider writes it: \"TARGET ROLE\", or TARGET for all its roles");
  import
      ->add_option("--all", line.import.all, "A file with an id a line instead; -: standard input")
      ->type_name(kFileType);
  import->add_option("--file", line.import.file, "In the manifests directory; default: NAME.yaml");
  import->add_option("--provider", line.import.provider, kProvider);
  import->add_flag("--stdout", line.import.to_stdout, "Print it, write no file");
  import->add_flag("--protect", line.import.protect, "With options.protect");
  import->add_flag("--keep-going", line.import.keep_going,
                   "Import what can be, whatever of the list fails; then the exit code is 2");
  AddOutput(import, line, {"text", "json", "yaml"});
}

void AddConvert(CLI::App& app, CommandLine& line) {
  CLI::App* convert = AddCommand(app, line, "convert",
                                 "Turn a Pulumi YAML program or Terraform JSON into manifests",
                                 [&line] { return ConvertCommand(line.context, line.convert); });
  convert->footer(
      "What could not be carried over is told on standard error. Exit codes: 0 all was carried\n"
      "over, 1 something was left out, 2 the file cannot be used.");
  convert->add_option("file", line.convert.file, "The program; -: standard input")
      ->required()
      ->type_name(kFileType);
  convert->add_option("--from", line.convert.form, "What it is; told by its contents if absent")
      ->check(CLI::IsMember({"pulumi", "terraform"}));
  convert
      ->add_option("-d,--directory", line.convert.directory,
                   "Where NAME.yaml of each manifest goes; standard output if absent")
      ->type_name(kFolderType);
  AddOutput(convert, line, {"text", "json", "yaml"});
}

void AddGuard(CLI::App& app, CommandLine& line) {
  CLI::App* guard = AddCommand(app, line, "guard", "Show what the guard holds", [&line] {
    if (line.digest.empty()) return GuardCommand(line.context);
    return line.denies ? DenyCommand(line.context, line.digest)
                       : ApproveCommand(line.context, line.digest);
  });
  guard->require_subcommand(0, 1);
  AddOutput(guard, line, {"text", "json", "yaml"});
  CLI::App* approve = guard->add_subcommand("approve", "Let removals through");
  approve->add_option("digest", line.digest, "As bindery guard shows it")->required();
  AddOutput(approve, line, {"text", "json", "yaml"});
  CLI::App* deny = guard->add_subcommand("deny", "Keep what removals would take away");
  deny->add_option("digest", line.digest, "As bindery guard shows it")->required();
  deny->parse_complete_callback([&line] { line.denies = true; });
  AddOutput(deny, line, {"text", "json", "yaml"});
}

void AddOtherCommands(CLI::App& app, CommandLine& line) {
  CLI::App* run = AddCommand(app, line, "run", "Run the daemon",
                             [&line] { return RunCommand(line.context, line.once, line.least()); });
  run->add_flag("--once", line.once,
                "One full pass, then exit: 0 converged, 1 drift left, 2 errors");
  AddSeverity(run, line, "With --once: drift that is less bad may be left");

  CLI::App* health =
      AddCommand(app, line, "health", "Ask the running daemon whether it is ready: 0 yes, 1 no",
                 [&line] { return HealthCommand(line.context, line.liveness, line.timeout); });
  health->add_flag("--liveness", line.liveness, "Only whether it lives: /livez, not /readyz");
  health->add_option("--timeout", line.timeout, "How long to wait for its answer")
      ->capture_default_str();
  AddOutput(health, line, {"text", "json", "yaml"});

  CLI::App* kinds =
      AddCommand(app, line, "kinds", "List the kinds of manifests and their resource names",
                 [&line] { return KindsCommand(line.context, line.name); });
  kinds->add_option("pattern", line.name, "Only kinds with this text, such as bucket or pubsub*");
  AddOutput(kinds, line, {"text", "json", "yaml"});

  CLI::App* schema = AddCommand(
      app, line, "schema", "Print the JSON Schema of a kind, of any manifest, or of drift reports",
      [&line] { return SchemaCommand(line.context, line.name, line.fields); });
  schema
      ->add_option("token", line.name,
                   "A kind, such as monitoring:RestrictionPolicy, or drift-report")
      ->type_name(kTokenType);
  schema->add_flag("--fields", line.fields, "A Markdown table of the fields instead");
  AddOutput(schema, line, {"text", "json", "yaml"});

  CLI::App* emulator = AddCommand(app, line, "emulator", "Serve the embedded cloud by itself",
                                  [&line] { return EmulatorCommand(line.emulator); });
  emulator->add_option("--listen", line.emulator.listen, "Address to listen on")
      ->default_val("127.0.0.1:9818");
  emulator->add_option("--store", line.emulator.store, "SQLite file that keeps its state")
      ->required()
      ->type_name(kFileType);
  emulator->add_option("--seed", line.emulator.seed, "YAML file with what exists at first")
      ->type_name(kFileType);

  CLI::App* version = AddCommand(app, line, "version", "Print the version",
                                 [&line] { return VersionCommand(line.context); });
  AddOutput(version, line, {"text", "json", "yaml"});
}

Output OutputOf(const std::string& text) {
  if (text == "json") return Output::kJson;
  if (text == "yaml") return Output::kYaml;
  if (text == "sarif") return Output::kSarif;
  if (text == "markdown") return Output::kMarkdown;
  if (text == "html") return Output::kHtml;
  if (text == "wide") return Output::kWide;
  if (text == "name") return Output::kName;
  return text == "csv" ? Output::kCsv : Output::kText;
}

int Main(int argc, char** argv, const std::vector<std::string>& words) {
  CLI::App app{"bindery keeps cloud access bindings the way a folder of manifests declares them"};
  app.set_version_flag("--version", "bindery " + VersionText());
  app.require_subcommand(1);
  app.fallthrough();
  CommandLine line;
  AddConfig(&app, line);
  AddOtherCommands(app, line);
  AddReadingCommands(app, line);
  AddListCommands(app, line);
  AddAccessCommands(app, line);
  AddAdoptingCommands(app, line);
  AddConvert(app, line);
  AddChangeCommands(app, line);
  AddGuard(app, line);
  AddUpkeepCommands(app, line);
  AddCompletion(app, line);
  AddHelpCommand(app, line);
  AddConfigToAll(app, line);
  AddExamples(app);
  const ExitStyle style = StyleOfWords(words);
  if (const auto done = RunForShell(app, words)) return WithOutputWritten(*done, style);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    return WithOutputWritten(EndOfParsing(app, failure, style), style);
  }
  if (!line.own_config.empty()) line.config = line.own_config;
  line.invoke.extras = app.get_subcommand("invoke")->remaining();
  line.context.config_given = !line.config.empty();
  line.context.config_file = line.context.config_given ? line.config : kDefaultConfig;
  line.context.output = OutputOf(line.output);
  const int code = line.chosen();
  // Of health an error is 1: it has no other code.
  return WithOutputWritten(code, app.got_subcommand("health") ? ExitStyle::kTerraform : style);
}

}  // namespace
}  // namespace bindery

#ifndef BINDERY_SANITIZED  // Their library has to be initialized first.
// The loader calls this before it initializes any library, which takes milliseconds.
__attribute__((section(".preinit_array"),
               used)) void (*const before_libraries)(int,
                                                     char**) = bindery::IgnoreSignalsWhileLoading;
#endif

int main(int argc, char** argv) {
  // First of all: a signal may come at any moment.
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "run" || word == "emulator") bindery::HoldSignals(/*reloads=*/word == "run");
  }
  bindery::EndOnUncaughtExceptions();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  try {
    return bindery::Main(argc, argv, words);
  } catch (...) {
    return bindery::ExitCodeOf(bindery::Complain(bindery::FailureText(std::current_exception())),
                               bindery::StyleOfWords(words));
  }
}
