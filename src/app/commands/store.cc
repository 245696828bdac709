// Upkeep of the store's file. None of it needs the daemon; some of it needs it to be stopped.

#include <csignal>

#include "app/command_line.h"
#include "app/commands/common.h"
#include "report/store_report.h"

namespace bindery {
namespace {

/// Defers signals that end the program while it lives: a copy takes seconds, and an interrupted
/// one would be left behind.
class SignalsWait {
 public:
  SignalsWait() {
    ::sigset_t ending;
    ::sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  ::sigset_t before_{};
};

Expected<StoreCopy> BackUp(const Config& config, const std::string& file) {
  const SignalsWait wait;
  return BackUpStore(config.store, file);
}

Expected<RestoredStore> Restore(const Config& config, const std::string& file) {
  const SignalsWait wait;
  const SystemClock clock;
  return RestoreStore(config.store, file, clock);
}

/// The configuration of a store that is there.
Expected<Config> ConfigOfStore(const CommandContext& context) {
  Expected<Config> config = ReadConfig(context);
  std::error_code ignored;
  if (!config || std::filesystem::exists(config->store, ignored)) return config;
  return Fail(Code::kNotFound,
              "there is no store \"" + config->store.string() + "\" yet: bindery run makes it");
}

int StoreBackupCommand(const CommandContext& context, const std::string& file) {
  const Expected<Config> config = ConfigOfStore(context);
  if (!config) return PrintError(config.error());
  const Expected<StoreCopy> copy = BackUp(*config, file);
  if (!copy) return PrintError(copy.error());
  Print(context,
        {{"store", config->store.string()},
         {"file", file},
         {"bytes", copy->bytes},
         {"schemaVersion", copy->schema_version}},
        [](const Json& report, const TextStyle& /*style*/) {
          return "backed up " + StringMember(report, "store") + " to " +
                 StringMember(report, "file") + ": " +
                 SizeText(report.at("bytes").get<std::int64_t>()) + ", schema version " +
                 report.at("schemaVersion").dump() + ", checked\n";
        });
  return kExitOk;
}

int StoreRestoreCommand(const CommandContext& context, const std::string& file) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<RestoredStore> restored = Restore(*config, file);
  if (!restored) return PrintError(restored.error());
  const bool replaced = !restored->set_aside.empty();
  Print(context,
        {{"store", config->store.string()},
         {"file", file},
         {"bytes", restored->copy.bytes},
         {"schemaVersion", restored->copy.schema_version},
         {"setAside", replaced ? Json(restored->set_aside) : Json(nullptr)}},
        [&](const Json& report, const TextStyle& /*style*/) {
          std::string text = "restored " + StringMember(report, "store") + " from " +
                             StringMember(report, "file") + ": " + SizeText(restored->copy.bytes) +
                             ", checked\n";
          if (replaced) text += "the store before is " + restored->set_aside + "\n";
          if (restored->copy.schema_version < StoreSchemaVersion()) {
            text += "upgraded from schema version " + report.at("schemaVersion").dump() + "\n";
          }
          return text;
        });
  return kExitOk;
}

/// `file`: a backup; empty: the store.
int StoreCheckCommand(const CommandContext& context, const std::string& file) {
  std::filesystem::path store = file;
  if (file.empty()) {
    const Expected<Config> config = ConfigOfStore(context);
    if (!config) return PrintError(config.error());
    store = config->store;
  }
  const Expected<StoreCheck> check = CheckStore(store);
  if (!check) return PrintError(check.error());
  Print(context, StoreCheckReport(store.string(), *check), StoreCheckText);
  return check->findings.empty() ? kExitOk : kExitDiffers;
}

int StoreCompactCommand(const CommandContext& context) {
  const Expected<Config> config = ConfigOfStore(context);
  if (!config) return PrintError(config.error());
  const Expected<StoreCompaction> done = CompactStore(config->store);
  if (!done) return PrintError(done.error());
  Print(context,
        {{"store", config->store.string()},
         {"bytesBefore", done->bytes_before},
         {"bytesAfter", done->bytes_after}},
        [&](const Json& report, const TextStyle& /*style*/) {
          return "compacted " + StringMember(report, "store") + ": " +
                 SizeText(done->bytes_before) + " before, " + SizeText(done->bytes_after) +
                 " now\n";
        });
  return kExitOk;
}

void DefineBackup(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command backup(line, "store backup", "Copy it into a new file, also while the daemon runs");
  backup->add_option("file", file, "A new file; never overwritten")->required();
  backup.Output({"text", "json", "yaml"});
  backup.Examples("bindery store backup /backup/bindery-$(date +%F).db");
  backup.Runs([&file](const CommandContext& context) { return StoreBackupCommand(context, file); });
}

void DefineRestore(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command restore(line, "store restore",
                        "Put a backup in its place, while no daemon runs on it");
  restore.Notes(
      "The backup is checked first. The store before is kept as STORE.replaced-TIME; delete it\n"
      "when you are done.");
  restore.Examples("bindery store restore /backup/bindery-2026-11-21.db");
  restore->add_option("file", file, "A backup")->required();
  restore.Output({"text", "json", "yaml"});
  restore.Runs(
      [&file](const CommandContext& context) { return StoreRestoreCommand(context, file); });
}

void DefineStoreCheck(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command check(line, "store check",
                      "Read all of it and say what is wrong, and how large it is");
  check.Notes("Exit codes: 0 it is sound, 1 it is not, 2 it cannot be looked at.");
  check.Examples("bindery store check\nbindery store check /backup/bindery.db");
  check->add_option("file", file, "A backup; the store of the configuration if none");
  check.Output({"text", "json", "yaml"});
  check.Runs([&file](const CommandContext& context) { return StoreCheckCommand(context, file); });
}

void DefineCompact(CommandLine& line) {
  const Command compact(line, "store compact",
                        "Compact it: rewrite it without free pages, while no daemon runs on it");
  compact.Notes(
      "Rarely worth it: free pages are used again. Takes room for a second store on its disk and\n"
      "in $SQLITE_TMPDIR, /var/tmp or /tmp.");
  compact.Examples("systemctl stop bindery && bindery store compact && systemctl start bindery");
  compact.Output({"text", "json", "yaml"});
  compact.Runs(StoreCompactCommand);
}

}  // namespace

void DefineStore(CommandLine& line) {
  const Command store(line, "store", "Back up, restore, check or compact the store");
  store->require_subcommand(1);
  store.Examples(
      "bindery store backup /backup/bindery-$(date +%F).db\n"
      "bindery store check /backup/bindery-2026-11-21.db\n"
      "systemctl stop bindery && bindery store restore /backup/bindery-2026-11-21.db\n"
      "systemctl stop bindery && bindery store compact && systemctl start bindery");
  DefineBackup(line);
  DefineRestore(line);
  DefineStoreCheck(line);
  DefineCompact(line);
}

}  // namespace bindery
