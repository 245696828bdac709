// Upkeep of the store. No step needs the daemon; some steps need a stopped daemon.

#include <csignal>
#include <cstdio>

#include "app/command_line.h"
#include "app/process/version.h"
#include "app/process/waiting_line.h"
#include "app/shell/common.h"
#include "core/text/count.h"
#include "core/text/printable.h"
#include "report/checks/store_report.h"
#include "store/migration/migrate.h"
#include "telemetry/host_name.h"

namespace bindery::app {
namespace {

/// Defers signals to end the program during its lifetime: a copy takes seconds, and an interrupted
/// copy would be left behind.
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

  /// Whether none came since.
  [[nodiscard]] static bool None() {
    ::sigset_t pending;
    ::sigpending(&pending);
    return ::sigismember(&pending, SIGINT) == 0 && ::sigismember(&pending, SIGTERM) == 0 &&
           ::sigismember(&pending, SIGHUP) == 0;
  }

 private:
  ::sigset_t before_{};
};

Expected<store::StoreCopy> BackUp(const std::filesystem::path& store, const std::string& file) {
  const SignalsWait wait;
  return store::BackUpStore(store, file);
}

Expected<store::RestoredStore> Restore(const std::filesystem::path& store,
                                       const std::string& file) {
  const SignalsWait wait;
  const SystemClock clock;
  return store::RestoreStore(store, file, clock);
}

/// Where the file of the store is, or will be.
Expected<std::filesystem::path> FileOfStore(const CommandContext& context) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return Fail(config.error());
  if (!config->store.InDatabase()) return config->store.file;
  return Fail(Code::kFailedPrecondition,
              "the store is in the database " + config->store.Shown() +
                  ": keep it with the tools of PostgreSQL (pg_dump, pg_restore)");
}

Expected<std::filesystem::path> ExistingStore(const CommandContext& context) {
  Expected<std::filesystem::path> store = FileOfStore(context);
  std::error_code ignored;
  if (!store || std::filesystem::exists(*store, ignored)) return store;
  return Fail(Code::kNotFound,
              "there is no store \"" + store->string() + "\" yet: bindery run makes it");
}

int StoreBackupCommand(const CommandContext& context, const std::string& file) {
  const Expected<std::filesystem::path> store = ExistingStore(context);
  if (!store) return PrintError(store.error());
  const Expected<store::StoreCopy> copy = BackUp(*store, file);
  if (!copy) return PrintError(copy.error());
  Print(context,
        {{"store", store->string()},
         {"file", file},
         {"bytes", copy->bytes},
         {"schemaVersion", copy->schema_version}},
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return "backed up " + store->string() + " to " + file + ": " +
                 report::SizeText(copy->bytes) + ", schema version " +
                 std::to_string(copy->schema_version) + ", checked\n";
        });
  return kExitOk;
}

int StoreRestoreCommand(const CommandContext& context, const std::string& file) {
  const Expected<std::filesystem::path> store = FileOfStore(context);
  if (!store) return PrintError(store.error());
  const Expected<store::RestoredStore> restored = Restore(*store, file);
  if (!restored) return PrintError(restored.error());
  const bool replaced = !restored->set_aside.empty();
  Print(context,
        {{"store", store->string()},
         {"file", file},
         {"bytes", restored->copy.bytes},
         {"schemaVersion", restored->copy.schema_version},
         {"setAside", replaced ? Json(restored->set_aside) : Json(nullptr)}},
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          std::string text = "restored " + store->string() + " from " + file + ": " +
                             report::SizeText(restored->copy.bytes) + ", checked\n";
          if (replaced) text += "the store before is " + restored->set_aside + "\n";
          return text;
        });
  return kExitOk;
}

/// `file`: a backup; empty: the store.
int StoreCheckCommand(const CommandContext& context, const std::string& file) {
  std::filesystem::path store = file;
  if (file.empty()) {
    Expected<std::filesystem::path> existing = ExistingStore(context);
    if (!existing) return PrintError(existing.error());
    store = *std::move(existing);
  }
  const Expected<store::StoreCheck> check = store::CheckStore(store);
  if (!check) return PrintError(check.error());
  Print(context, report::StoreCheckReport(store.string(), *check), report::StoreCheckText);
  return check->findings.empty() ? kExitOk : kExitDiffers;
}

int StoreCompactCommand(const CommandContext& context) {
  const Expected<std::filesystem::path> store = ExistingStore(context);
  if (!store) return PrintError(store.error());
  const Expected<store::StoreCompaction> done = store::CompactStore(*store);
  if (!done) return PrintError(done.error());
  Print(context,
        {{"store", store->string()},
         {"bytesBefore", done->bytes_before},
         {"bytesAfter", done->bytes_after}},
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return "compacted " + store->string() + ": " + report::SizeText(done->bytes_before) +
                 " before, " + report::SizeText(done->bytes_after) + " now\n";
        });
  return kExitOk;
}

/// A lease that nobody gave back, as after a migration that was killed, is free after 16 s.
constexpr std::chrono::seconds kLongestWait(30);

store::StoreSharing SharingOfMigration() {
  store::StoreSharing sharing;
  sharing.identity = {telemetry::HostName(), kVersion};
  sharing.waiting = [since = std::optional<MonoTime>()](const store::LeaseHolder* holder,
                                                        const std::string& why) mutable {
    const MonoTime now = SystemClock().Mono();
    if (holder == nullptr || !SignalsWait::None()) return false;
    if (!since) {
      since = now;
      PauseWaiting();
      std::fprintf(stderr, "waiting up to 30 s: %s\n", PrintableOutput(why).c_str());
    }
    return now - *since < kLongestWait;
  };
  return sharing;
}

std::string MigrationText(const std::string& from, const std::string& to,
                          const store::StoreMigration& done) {
  std::string text = "migrated " + from + " to " + to + ": " + Count(done.rows, "row") + " in " +
                     Count(done.tables.size(), "table") + ", compared\n";
  if (done.resumed) text += "it went on where an interrupted migration ended\n";
  return text + "now set store.url to " + to + ", and start no daemon on the other store again\n";
}

int StoreMigrateCommand(const CommandContext& context, const std::string& from_url,
                        const std::string& to_url) {
  const Expected<StoreLocation> from = StoreLocation::Parse(from_url);
  if (!from) return PrintError(from.error().Wrap("FROM"));
  const Expected<StoreLocation> to = StoreLocation::Parse(to_url);
  if (!to) return PrintError(to.error().Wrap("TO"));
  // A signal stops the migration between two batches, so that the leases are given back.
  const SignalsWait wait;
  const Expected<store::StoreMigration> done =
      store::MigrateStore(*from, *to, SharingOfMigration(), &SignalsWait::None);
  if (!done) return PrintError(done.error());
  Json tables = Json::array();
  for (const store::MigratedTable& table : done->tables) {
    tables.push_back({{"name", table.name}, {"rows", table.rows}});
  }
  Print(context,
        {{"from", from->Url()},
         {"to", to->Url()},
         {"resumed", done->resumed},
         {"rows", done->rows},
         {"tables", std::move(tables)}},
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return MigrationText(from->Url(), to->Url(), *done);
        });
  return kExitOk;
}

void DefineBackup(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command backup(line, "store backup",
                       "Copy the store into a new file, also while the daemon runs");
  backup->add_option("file", file, "A new file; never overwritten")->required();
  backup.Waits();
  backup.Output({"text", "json", "yaml"});
  backup.Examples("bindery store backup /backup/bindery-$(date +%F).db");
  backup.Runs([&file](const CommandContext& context) { return StoreBackupCommand(context, file); });
}

void DefineRestore(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command restore(line, "store restore",
                        "Replace the store by a backup, while no daemon uses the store");
  restore.Notes(
      "The backup is checked first. The former store stays as STORE.replaced-TIME; delete it\n"
      "when the restored store works.");
  restore.Examples("bindery store restore /backup/bindery-2026-11-21.db");
  restore->add_option("file", file, "A backup")->required();
  restore.Waits();
  restore.Output({"text", "json", "yaml"});
  restore.Runs(
      [&file](const CommandContext& context) { return StoreRestoreCommand(context, file); });
}

void DefineStoreCheck(CommandLine& line) {
  auto& file = line.Keep<std::string>();
  const Command check(line, "store check", "Check the whole store and show its size");
  check.Notes("Exit codes: 0 sound, 1 damaged, 2 unreadable.");
  check.Examples("bindery store check\nbindery store check /backup/bindery.db");
  check->add_option("file", file, "A backup; the store of the configuration if none");
  check.Waits();
  check.Output({"text", "json", "yaml"});
  check.Runs([&file](const CommandContext& context) { return StoreCheckCommand(context, file); });
}

void DefineCompact(CommandLine& line) {
  const Command compact(line, "store compact",
                        "Rewrite the store without free pages, while no daemon uses the store");
  compact.Notes(
      "Rarely useful: free pages are used again. Needs space for a second store on the same disk\n"
      "and in $SQLITE_TMPDIR, /var/tmp or /tmp.");
  compact.Examples("systemctl stop bindery && bindery store compact && systemctl start bindery");
  compact.Waits();
  compact.Output({"text", "json", "yaml"});
  compact.Runs(StoreCompactCommand);
}

void DefineMigrate(CommandLine& line) {
  auto& from = line.Keep<std::string>();
  auto& to = line.Keep<std::string>();
  const Command migrate(
      line, "store migrate",
      "Copy a store from a file to PostgreSQL or back, while no daemon runs on it");
  migrate->add_option("from", from, "The store, as in store.url; only read")->required();
  migrate->add_option("to", to, "New store: a path without a file, or a database without a store")
      ->required();
  migrate.Notes(
      "All rows are compared afterwards. A migration that was interrupted goes on when the same\n"
      "command is run again; until then no daemon starts on the copy. The configuration\n"
      "is not read and not changed: set store.url yourself. Keep passwords out of the command\n"
      "line: passfile= in the URL, or PGPASSFILE.");
  migrate.Examples(
      "bindery store migrate sqlite:/var/lib/bindery/bindery.db "
      "postgresql://db.example.com/bindery\n"
      "bindery store migrate postgresql://db.example.com/bindery "
      "sqlite:/var/lib/bindery/bindery.db");
  migrate.Waits();
  migrate.Output({"text", "json", "yaml"});
  migrate.Runs([&from, &to](const CommandContext& context) {
    return StoreMigrateCommand(context, from, to);
  });
}

}  // namespace

void DefineStore(CommandLine& line) {
  const Command store(line, "store", "Back up, restore, check, compact or migrate the store");
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
  DefineMigrate(line);
}

}  // namespace bindery::app
