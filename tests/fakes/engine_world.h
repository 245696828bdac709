#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "controller/claims/options_text.h"
#include "controller/engine/engine.h"
#include "core/text/digest.h"
#include "fakes/check_as_runner.h"
#include "fakes/engine_words.h"
#include "fakes/fake_cloud.h"
#include "fakes/fake_store.h"
#include "fakes/file_contents.h"
#include "manifests/documents/loader.h"
#include "support/begin_write.h"

namespace bindery::testing {

/// Remembers what the engine told.
class RecordingObserver final : public controller::EngineObserver {
 public:
  void Worked(const controller::TargetReport& report) override {
    reports.push_back(report);
    told_in.push_back(telemetry::CurrentTrace());
  }
  void PassJudged(const controller::PassReport& pass) override { passes.push_back(pass); }
  void Happened(const Event& event) override { events.push_back(event); }
  void DriftFound(const Target& /*target*/, const DriftItem& item) override {
    found.push_back(item);
  }
  void DriftCorrected(const Target& /*target*/, const DriftItem& item) override {
    corrected.push_back(item);
  }
  void WriteContested(const Target& /*target*/) override { ++contested; }
  void PolicyRead(const Target& /*target*/, bool etag_only) override {
    ++(etag_only ? etag_reads : full_reads);
  }
  void Queued(const Target& /*target*/, bool retry) override {
    ++queued;
    if (retry) ++retries;
  }

  std::vector<controller::TargetReport> reports;
  std::vector<telemetry::TraceContext> told_in;  ///< What the thread worked for at each of them.
  std::vector<controller::PassReport> passes;
  std::vector<Event> events;
  std::vector<DriftItem> found;
  std::vector<DriftItem> corrected;
  int queued = 0;
  int retries = 0;  ///< Of them.
  int contested = 0;
  int etag_reads = 0;
  int full_reads = 0;
};

/// The engine with everything around it but threads and time: a directory that is a map, a cloud
/// and a store in memory. Work() does what the engine asks for, one thing after the other.
class EngineWorld {
 public:
  EngineWorld() {
    settings.jitter = 0;
    // What a policy lost is believed at once, but where that is what is tested.
    settings.confirm_emptied = std::chrono::milliseconds(0);
    // Every check reads the policy, but where that is what is tested.
    settings.full_read_every = 1;
    settings.guard.hold_severity.reset();  // Only numbers count, but where a test says otherwise.
    settings.catalog.projects = {{"cloudnative", "acme"}};
    settings.catalog.provider_types = {{"cloudnative", "cloudnative"},
                                       {"monitoring", "monitoring"}};
    now = {MonoTime(std::chrono::hours(1)), WallTime(std::chrono::hours(500'000))};
    NewEngine();
  }

  static std::string TargetName(const std::string& id) {
    return "projects/acme/locations/global/authorizationPolicies/" + id;
  }

  // The directory -------------------------------------------------------------------------------

  /// Declares who holds a role; replaces what was declared under that name.
  manifests::Manifest& Declare(const std::string& name, const std::string& target,
                               const std::string& role, const std::vector<std::string>& members) {
    Json spec = {{"name", TargetName(target)}, {"role", role}, {"members", members}};
    return Put(name, {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"}, spec);
  }
  manifests::Manifest& DeclareRestriction(const std::string& name, const std::string& id,
                                          const std::string& relation,
                                          const std::vector<std::string>& principals) {
    Json spec = {{"resourceId", id},
                 {"bindings", {{{"relation", relation}, {"principals", principals}}}}};
    return Put(name, {"monitoring", "RestrictionPolicy"}, spec);
  }
  /// Declares what that spec does.
  manifests::Manifest& Put(const std::string& name, const TypeToken& token, const Json& spec) {
    manifests::Manifest& manifest = manifests[name];
    manifest.name = name;
    manifest.token = &kinds.Find(token)->schema().token;
    manifest.spec = CanonicalJson(spec);
    if (manifest.source.file.empty()) manifest.source = {name + ".yaml", 1};
    return manifest;
  }
  /// Declares what a document says: with references, it cannot be put together by hand.
  void DeclareYaml(const std::string& yaml) {
    const manifests::FileContent content = manifests::LoadFile(yaml, "read.yaml", kinds);
    for (const manifests::Problem& problem : content.problems) ADD_FAILURE() << problem.Text();
    for (const auto& manifest : content.manifests) {
      manifests[manifest->name] = *manifest;
      manifests[manifest->name].source = {manifest->name + ".yaml", 1};
    }
  }
  /// Looks up an import data file of the location "eu".
  manifests::Manifest& DeclareLookup(const std::string& name, const std::string& job,
                                     const std::string& file) {
    Json spec = {{"importDataFileId", file}, {"importJobId", job}, {"location", "eu"}};
    return Put(name, {"cloudnative:migrationcenter/v1", "getImportDataFile"}, spec);
  }
  void Remove(const std::string& name) { manifests.erase(name); }

  controller::Engine::Scanned Scan() { return engine->scans().Scan(Look(), now); }
  /// What a look at the directory finds.
  controller::ScanInput Look() {
    controller::ScanInput scan;
    const Content files = Files();
    scan.files = manifests::FileList(files);
    for (const auto& file : files) scan.manifests += file->manifests.size();
    if (edits && !last_files_.empty()) scan.edit = EditFrom(last_files_, files);
    last_files_ = files;
    scan.problems = problems;
    scan.broken_files = broken_files;
    for (const auto& file : files) scan.digest += file->path + file->digest + "\n";
    for (const std::string& path : broken_files) scan.digest += "broken " + path + "\n";
    scan.facts = facts;
    AddUnread(files, scan.facts.unread);
    return scan;
  }
  /// Scans as often as it takes for what is missing to count as gone, and works.
  void Pass() {
    if (Scan().confirm) Scan();
    Work();
  }

  // The engine ----------------------------------------------------------------------------------

  /// Does what there is to do at this moment.
  void Work() {
    for (int i = 0; i < 10'000; ++i) {
      controller::Engine::Actions actions = Step();
      if (actions.empty()) return;
      for (const auto& task : actions.checks) Check(task);
      for (const auto& task : actions.writes) Write(task);
    }
    ADD_FAILURE() << "the engine does not come to rest";
  }
  /// One step: the changes are stored, the replies given; the tasks are the caller's.
  controller::Engine::Actions Step() {
    controller::Engine::Actions actions = engine->Step(now);
    for (store::StoreChange& change : actions.changes) {
      const bool touches = OnlyTouches(change);
      if (!touches) ++changes_with_content;
      const Expected<void> stored = store.Apply(std::move(change));
      EXPECT_TRUE(stored.has_value()) << (stored ? "" : ToString(stored.error()));
    }
    for (auto& reply : actions.replies) reply();
    for (const auto& asked : actions.questions) {
      engine->scans().Identified(asked.question, controller::AskForProject(asked), now);
    }
    return actions;
  }
  void Check(const controller::Engine::CheckTask& task) {
    controller::CheckResult result = CheckAsRunner(*task.job, Policies());
    TellTime();
    engine->flow().Checked(task.key, std::move(result), now);
  }
  void Write(const controller::Engine::WriteTask& task) {
    controller::WriteResult result = RunWrite(task.job);
    TellTime();
    engine->flow().Written(task.key, std::move(result), now);
  }
  /// What a call to the cloud says of the time.
  void TellTime() const {
    if (cloud_tells_time) dates->Note("networksecurity", now.wall + cloud_ahead, now.mono);
  }
  /// Journals the intent, sends the request and compares, one step after the other.
  controller::WriteResult RunWrite(const controller::WriteJob& job) {
    const telemetry::TraceScope scope(job.check->trace);
    const Expected<cloud::PolicyCall> call = controller::MakeWriting(job);
    if (!call) return Refused(call.error());
    const store::IntentRecord record = controller::MakeIntent(job);
    const Expected<std::int64_t> intent = BeginWrite(store, record);
    if (!intent) return Refused(controller::NotJournaled(intent.error()));
    controller::WriteResult result = CarryOut(job, *call);
    result.intent = *intent;
    result.digest_desired = record.digest_desired;
    result.conditional = record.conditional;
    return result;
  }
  /// The readings and the write, as WriteRunner sends them.
  static controller::WriteResult CarryOut(const controller::WriteJob& job,
                                          const cloud::PolicyCall& write) {
    const cloud::Connection& connection = *job.check->connection;
    const auto send = [&connection](const cloud::PolicyCall& call) {
      return cloud::Send(call, *connection.transport, *connection.authorizer);
    };
    const cloud::PolicyCall reading = *controller::MakeReading(*job.check);
    if (controller::ReadsBefore(job)) {
      if (auto same = controller::StillAsRead(job, reading, send(reading)); !same)
        return Refused(same.error());
    }
    controller::WriteResult result = controller::FinishWrite(job, write, send(write));
    if (controller::ReadsAfter(job, result))
      controller::ReadBack(job, reading, send(reading), result);
    return result;
  }

  /// Checks the target of a resource now.
  void Reconcile(const std::string& name) {
    ASSERT_TRUE(engine->commands().Reconcile({name}, now, nullptr).has_value());
    Work();
  }
  /// Time passes, in steps at which the engine wants to be woken.
  void Advance(std::chrono::milliseconds time) {
    const MonoTime end = now.mono + time;
    Work();
    for (auto wake = engine->NextWake(); wake && *wake <= end; wake = engine->NextWake()) {
      MoveTo(std::max(*wake, now.mono + std::chrono::milliseconds(1)));
      Work();
    }
    MoveTo(std::max(end, now.mono));
    Work();
  }
  /// Somebody sets the local clock; the services keep theirs.
  void SetClock(std::chrono::milliseconds ahead) {
    now.wall += ahead;
    cloud_ahead -= ahead;
  }
  /// Time passes, and nobody works.
  void MoveOn(std::chrono::milliseconds time) { MoveTo(now.mono + time); }
  /// A re-check of everything, whenever it was due.
  void NextInterval() { Advance(settings.recheck.interval + std::chrono::seconds(1)); }

  /// The process ends and starts again on what the store holds. Nothing is scanned yet.
  void Restart() {
    NewEngine();
    Load(*engine);
  }
  /// An engine that knows nothing yet takes up what the store holds.
  void Load(controller::Engine& starting) {
    controller::CatalogLoader loader =
        starting.catalog().BeginLoad(by_same_rules, *store.Evidence());
    std::ignore =
        store.ReadCatalog([&](store::TargetRecord&& record) { loader.LoadTarget(record); },
                          [&](store::ResourceRecord&& record) { loader.LoadResource(record); });
    std::vector<controller::StoredState::Rollback> rollbacks;
    auto records = *store.Rollbacks();
    for (store::RollbackRecord& record : records) {
      const auto revision = store.Revision(record.revision);
      rollbacks.push_back({std::move(record), revision ? revision->policy : ""});
    }
    starting.Start({*store.Drift({true, std::nullopt, 1000}), *store.OpenIntents(), *store.Holds(),
                    std::move(rollbacks), *store.Removals(now.wall - std::chrono::hours(24))},
                   now);
  }
  /// What is on record of policies, as the loop and its workers ask.
  [[nodiscard]] controller::PolicyReader Policies() const {
    return [this](const std::string& digest) { return store.Policy(digest); };
  }

  // What can be seen ----------------------------------------------------------------------------

  [[nodiscard]] store::ResourceRecord Record(const std::string& name) const {
    const auto found = store.state.resources.find(name);
    return found == store.state.resources.end() ? store::ResourceRecord{} : found->second;
  }
  /// "Ready ReconciliationSucceeded", from the store; "gone" when there is no such resource.
  [[nodiscard]] std::string Status(const std::string& name) const {
    const auto found = store.state.resources.find(name);
    if (found == store.state.resources.end()) return "gone";
    const ResourceStatus& status = found->second.status;
    return std::string(ToString(status.state)) + " " + status.reason;
  }
  [[nodiscard]] std::string Message(const std::string& name) const {
    return Record(name).status.message;
  }
  [[nodiscard]] std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, record] : store.state.resources) names.push_back(name);
    return names;
  }
  [[nodiscard]] int Events(const std::string& reason) const {
    return static_cast<int>(
        std::count_if(store.state.events.begin(), store.state.events.end(),
                      [&](const auto& event) { return event.second.reason == reason; }));
  }
  [[nodiscard]] int Reads() const { return cloud->Calls("getIamPolicy"); }
  [[nodiscard]] int Writes() const { return cloud->Calls("setIamPolicy"); }
  [[nodiscard]] std::vector<std::string> Grants(const std::string& target) const {
    return cloud->Grants(TargetName(target));
  }
  [[nodiscard]] std::string HoldDigest() const {
    return engine->removals().guard().held().Digest();
  }

  providers::Kinds kinds;
  std::shared_ptr<FakeCloud> cloud = std::make_shared<FakeCloud>();
  FakeStore store;
  RecordingObserver observer;
  controller::EngineSettings settings;
  std::map<std::string, manifests::Manifest> manifests;
  std::vector<manifests::Problem> problems;
  std::set<std::string> broken_files;
  manifests::DirectoryFacts facts;    ///< Of the next scan.
  std::set<std::string> blank_files;  ///< Hold nothing at all.
  controller::Now now;
  std::unique_ptr<controller::Engine> engine;
  bool by_same_rules = true;  ///< A restart finds the settings of the run before.
  bool cloud_tells_time = true;
  std::chrono::milliseconds cloud_ahead{0};  ///< Of the local clock.
  std::shared_ptr<cloud::ServiceDates> dates = std::make_shared<cloud::ServiceDates>();
  int changes_with_content = 0;  ///< Other than touches of targets.
  bool edits = true;             ///< Scans say how they differ from the one before.

  /// Settings and connections again, as after a reload.
  void Configure() {
    engine->SetSettings(settings);
    engine->SetConnections(Connections());
    engine->SetDates({{"cloudnative", dates}});
  }
  /// Both providers, to the one cloud.
  [[nodiscard]] controller::Engine::Connections Connections() const {
    auto connection = std::make_shared<cloud::Connection>();
    connection->type = "cloudnative";
    connection->endpoints = {{"networksecurity", "http://cloud"},
                             {"backupdr", "http://cloud"},
                             {"migrationcenter", "http://cloud"},
                             {"cloudresourcemanager", "http://cloud"},
                             {"datadog", "http://cloud"}};
    connection->transport = cloud;
    connection->authorizer = cloud::NoCredentials();
    return {{"cloudnative", connection}, {"monitoring", connection}};
  }

 private:
  /// The directory as files, sorted by path.
  Content Files() {
    std::map<std::string, manifests::FileContent> by_path;
    for (auto& [name, manifest] : manifests) {
      manifest.digest = Sha256Digest::Of(manifest.name + manifest.spec +
                                         controller::OptionsText(manifest.options));
      manifests::FileContent& file = by_path[manifest.source.file];
      file.path = manifest.source.file;
      file.digest += manifest.digest.Hex() + std::to_string(manifest.source.line);
      file.manifests.push_back(std::make_shared<const manifests::Manifest>(manifest));
    }
    for (const manifests::Problem& problem : problems)
      by_path[problem.file].problems.push_back(problem);
    for (const std::string& path : blank_files) by_path[path].blank = true;
    Content files;
    for (auto& [path, file] : by_path) {
      file.path = path;
      files.push_back(std::make_shared<const manifests::FileContent>(std::move(file)));
    }
    return files;
  }
  /// As the source tells it of what is broken, in error or blank.
  void AddUnread(const Content& files, std::vector<manifests::UnreadItem>& unread) const {
    for (const std::string& path : broken_files)
      unread.push_back({path, "cannot be read", "stamp"});
    for (const auto& file : files) {
      const bool error = std::any_of(
          file->problems.begin(), file->problems.end(), [](const manifests::Problem& problem) {
            return problem.severity == manifests::ProblemSeverity::kError;
          });
      if (error || file->blank) unread.push_back({file->path, "holds errors", file->digest});
    }
  }
  static controller::WriteResult Refused(const Error& error) {
    controller::WriteResult refused;
    refused.written = Fail(error);
    return refused;
  }
  void NewEngine() {
    last_files_.clear();
    engine = std::make_unique<controller::Engine>(kinds, observer, 1);
    Configure();
  }
  Content last_files_;

  void MoveTo(MonoTime time) {
    now.wall += std::chrono::duration_cast<WallTime::duration>(time - now.mono);
    now.mono = time;
  }
};

}  // namespace bindery::testing
