// The commands that look after the configuration, the store and notifications.

#include "app/command_line.h"

namespace bindery {
namespace {

void AddConfigCommands(CLI::App& app, CommandLine& line) {
  CLI::App* config = app.add_subcommand("config", "Check or show the configuration");
  config->require_subcommand(1);
  config->footer(
      "Examples:\n  bindery config check -c new.yaml && mv new.yaml /etc/bindery/bindery.yaml\n"
      "  bindery config show\n"
      "  bindery config show -o json | jq '.sources | map_values(select(.from != \"default\"))'");

  CLI::App* check = AddCommand(*config, line, "check", "Say all that is wrong with it, offline",
                               [&line] { return ConfigCheckCommand(line.context); });
  check->footer(
      "Looks at the file and the BINDERY_... variables alone: bindery check tries what they name.\n"
      "Exit codes: 0 it can be used, 1 it has faults, 2 it cannot be read.");
  AddOutput(check, line, {"text", "json", "yaml"});

  CLI::App* show =
      AddCommand(*config, line, "show", "Show every setting in force and where it comes from",
                 [&line] { return ConfigShowCommand(line.context); });
  show->footer("Secrets are shown as ********.");
  AddOutput(show, line, {"text", "json", "yaml"});

  CLI::App* schema = AddCommand(*config, line, "schema", "Print its JSON Schema, for editors",
                                [&line] { return ConfigSchemaCommand(line.context); });
  AddOutput(schema, line, {"text", "json", "yaml"});
}

void AddStoreCommands(CLI::App& app, CommandLine& line) {
  CLI::App* store = app.add_subcommand("store", "Back up, restore, check or compact the store");
  store->require_subcommand(1);
  store->footer(
      "Examples:\n  bindery store backup /backup/bindery-$(date +%F).db\n"
      "  bindery store check /backup/bindery-2026-11-21.db\n"
      "  systemctl stop bindery && bindery store restore /backup/bindery-2026-11-21.db\n"
      "  systemctl stop bindery && bindery store compact && systemctl start bindery");

  CLI::App* backup =
      AddCommand(*store, line, "backup", "Copy it into a new file, also while the daemon runs",
                 [&line] { return StoreBackupCommand(line.context, line.name); });
  backup->add_option("file", line.name, "A new file; never overwritten")->required();
  AddOutput(backup, line, {"text", "json", "yaml"});

  CLI::App* restore =
      AddCommand(*store, line, "restore", "Put a backup in its place, while no daemon runs on it",
                 [&line] { return StoreRestoreCommand(line.context, line.name); });
  restore->footer(
      "The backup is checked first. The store before is kept as STORE.replaced-TIME; delete it\n"
      "when you are done.");
  restore->add_option("file", line.name, "A backup")->required();
  AddOutput(restore, line, {"text", "json", "yaml"});

  CLI::App* check =
      AddCommand(*store, line, "check", "Read all of it and say what is wrong, and how large it is",
                 [&line] { return StoreCheckCommand(line.context, line.name); });
  check->footer("Exit codes: 0 it is sound, 1 it is not, 2 it cannot be looked at.");
  check->add_option("file", line.name, "A backup; the store of the configuration if none");
  AddOutput(check, line, {"text", "json", "yaml"});

  CLI::App* compact = AddCommand(*store, line, "compact",
                                 "Write it anew without free pages, while no daemon runs on it",
                                 [&line] { return StoreCompactCommand(line.context); });
  compact->footer(
      "Rarely worth it: free pages are used again. Takes room for a second store on its disk and\n"
      "in $SQLITE_TMPDIR, /var/tmp or /tmp.");
  AddOutput(compact, line, {"text", "json", "yaml"});
}

void AddNotifyCommands(CLI::App& app, CommandLine& line) {
  CLI::App* notify = app.add_subcommand("notify", "Try out the webhooks, or see how far they are");
  notify->require_subcommand(1);
  notify->footer(
      "Examples:\n  bindery notify test\n  bindery notify test payments-channel\n"
      "  bindery notify status");

  CLI::App* test =
      AddCommand(*notify, line, "test", "Send one test message by each webhook, or by that one",
                 [&line] { return NotifyTestCommand(line.context, line.name); });
  test->footer(
      "By the configuration alone: needs no daemon, and tells a running one nothing.\n"
      "Exit codes: 0 all were accepted, 2 some were not.");
  test->add_option("name", line.name, "A webhook of the configuration; all if none");
  AddOutput(test, line, {"text", "json", "yaml"});

  CLI::App* status =
      AddCommand(*notify, line, "status", "Show how far each webhook is, from the store",
                 [&line] { return NotifyStatusCommand(line.context); });
  AddOutput(status, line, {"text", "json", "yaml"});
}

}  // namespace

void AddUpkeepCommands(CLI::App& app, CommandLine& line) {
  AddConfigCommands(app, line);
  AddStoreCommands(app, line);
  AddNotifyCommands(app, line);
}

}  // namespace bindery
