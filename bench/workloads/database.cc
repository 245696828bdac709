// A store in PostgreSQL, near and 20 ms away, beside one in a file: a first pass, idle passes, what
// a daemon asks that has nothing to do, a restart and a take-over.

#include "harness/database.h"

#include <stdexcept>
#include <tuple>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMicros = 1e6;
constexpr double kMiB = 1 << 20;
/// A daemon may have much to record between two calls.
constexpr double kPatienceSeconds = 3600;
/// Of a call to the cloud, in first passes and starts.
constexpr std::chrono::milliseconds kCloudLatency(20);
constexpr double kMostStatementsACheck = 0.01;
constexpr double kMostTimesAFile = 8;

/// What the same work costs with either store.
struct Costs {
  std::vector<double> first_wall, first_cpu, idle_cpu, restart, peak;
};

/// What only a database is asked about.
struct DatabaseCosts {
  std::vector<double> statements, round_trips, wal, bytes;
  std::vector<double> idle_statements, idle_round_trips, idle_wal, page_images;
  std::vector<double> at_work, standing_by, take_over;
};

/// A daemon, its cloud, and where it keeps its store.
class Subject {
 public:
  /// `database`: null for a store in a file.
  Subject(const Bench& bench, const Shape& shape, Database* database)
      : shape_(shape),
        database_(database),
        scene_(bench, shape),
        second_(bench.options().bindery, second_folder_ / "", "") {}

  /// All of it, on a store that is made for it.
  void Measure(Costs& costs, DatabaseCosts* more) {
    Empty();
    FirstPass(costs, more);
    IdlePasses(costs, more);
    Restart(costs);
    if (more != nullptr) Rest(*more);
    scene_.daemon.Stop();
    if (more != nullptr) TakeOver(*more);
  }

 private:
  [[nodiscard]] double targets() const { return static_cast<double>(shape_.targets); }
  [[nodiscard]] DatabaseWork Work() const {
    return database_ == nullptr ? DatabaseWork{} : database_->Work();
  }

  void Empty() {
    scene_.daemon.RemoveState();
    scene_.cloud.Replace(MakeSeed(shape_));
    if (database_ == nullptr) return;
    database_->Begin();
    scene_.settings.store_url = database_->Url();
  }

  void Configure(const std::string& interval) {
    scene_.settings.interval = interval;
    scene_.daemon.Configure(scene_.settings);
  }

  void FirstPass(Costs& costs, DatabaseCosts* more) {
    Configure("24h");
    scene_.cloud.SetLatency(kCloudLatency);
    scene_.cloud.ResetCounts();
    const DatabaseWork before = Work();
    scene_.daemon.Start();
    scene_.cloud.AwaitCalls({1, 0}, kPatienceSeconds);
    const double begun = scene_.daemon.SinceStart();
    const double cpu = scene_.daemon.process().CpuSeconds();
    scene_.cloud.AwaitCalls({shape_.targets, shape_.targets}, kPatienceSeconds);
    costs.first_wall.push_back(scene_.daemon.SinceStart() - begun);
    scene_.daemon.Stop();
    costs.first_cpu.push_back((scene_.daemon.process().CpuSeconds() - cpu) / targets() * kMicros);
    if (more == nullptr) return;
    const DatabaseWork work = Work() - before;
    more->statements.push_back(work.statements / targets());
    more->round_trips.push_back(work.round_trips / targets());
    more->wal.push_back(work.wal_bytes / targets());
    more->bytes.push_back(database_->Bytes() / targets());
  }

  void IdlePasses(Costs& costs, DatabaseCosts* more) {
    Configure("1s");
    scene_.cloud.SetLatency(std::chrono::milliseconds(0));
    scene_.cloud.ResetCounts();
    scene_.daemon.Start();
    scene_.cloud.AwaitCalls({2 * shape_.targets, 0}, kPatienceSeconds);
    if (more != nullptr) database_->Checkpoint();
    const IdleTime fresh = Idle();
    const IdleTime idle = Idle();
    scene_.daemon.Stop();
    costs.idle_cpu.push_back(idle.cpu / idle.checks * kMicros);
    if (more == nullptr) return;
    more->idle_statements.push_back(idle.work.statements / idle.checks);
    more->idle_round_trips.push_back(idle.work.round_trips / idle.checks);
    const double wal = idle.work.wal_bytes / idle.checks;
    more->idle_wal.push_back(wal);
    more->page_images.push_back((fresh.work.wal_bytes - wal * fresh.checks) / targets());
  }

  struct IdleTime {
    double checks = 0;
    double cpu = 0;
    DatabaseWork work;
  };

  /// At least a pass, and long beside the second for which times of readings are gathered.
  [[nodiscard]] IdleTime Idle() {
    constexpr double kSeconds = 8;
    scene_.cloud.ResetCounts();
    const DatabaseWork before = Work();
    const double cpu = scene_.daemon.process().CpuSeconds();
    Pause(kSeconds);
    scene_.cloud.AwaitCalls({shape_.targets, 0});
    const Calls calls = scene_.cloud.Counted();
    const double spent = scene_.daemon.process().CpuSeconds() - cpu;
    if (calls.writes != 0) throw std::runtime_error("an idle pass wrote");
    return {static_cast<double>(calls.reads), spent, Work() - before};
  }

  /// Leaves the daemon running, after its pass.
  void Restart(Costs& costs) {
    Configure("24h");
    scene_.cloud.ResetCounts();
    scene_.daemon.Start();
    scene_.cloud.AwaitCalls({1, 0}, kPatienceSeconds);
    costs.restart.push_back(scene_.daemon.SinceStart());
    scene_.daemon.AwaitLog("first pass done");
    costs.peak.push_back(scene_.daemon.process().PeakResidentBytes() / kMiB);
  }

  /// Statements a second of a daemon at work that has nothing to do, and of one that stands by.
  void Rest(DatabaseCosts& more) {
    constexpr double kSeconds = 12;  // A multiple of the heartbeat.
    const auto measure = [&] {
      const DatabaseWork before = Work();
      Pause(kSeconds);
      return (Work() - before).statements / kSeconds;
    };
    // What a start records comes first.
    constexpr double kHardlyAny = 20;
    while (measure() > kHardlyAny) continue;
    more.at_work.push_back(measure());
    StartSecond();
    more.standing_by.push_back(measure() - more.at_work.back());
    second_.Stop();
  }

  void StartSecond() {
    DaemonSettings settings = scene_.settings;
    settings.manifests = scene_.manifests();
    second_.Configure(settings);
    second_.Start();
    second_.AwaitLog("standing by");
  }

  /// From the end of the daemon at work, which is asked to, until the other one checks.
  void TakeOver(DatabaseCosts& more) {
    scene_.daemon.Start();
    scene_.daemon.AwaitLog("first pass done");
    StartSecond();
    scene_.cloud.ResetCounts();
    const double begun = second_.SinceStart();
    scene_.daemon.Stop();
    scene_.cloud.AwaitCalls({1, 0}, kPatienceSeconds);
    more.take_over.push_back(second_.SinceStart() - begun);
    second_.Stop();
  }

  const Shape shape_;
  Database* const database_;
  Scene scene_;
  TempFolder second_folder_;
  Daemon second_;
};

void Report(Bench& bench, const std::string& where, const Costs& costs, const Costs& file,
            const DatabaseCosts& more) {
  const auto name = [&where](const std::string& what) { return what + ", " + where; };
  bench.Add(AtMostTimes(Against(name("a first pass"), "s", costs.first_wall, file.first_wall),
                        kMostTimesAFile));
  bench.Add(Against(name("its CPU"), "µs a target", costs.first_cpu, file.first_cpu));
  bench.Add(Plain(name("its statements"), "a target", more.statements));
  bench.Add(Plain(name("its WAL"), "bytes a target", more.wal));
  bench.Add(AtMost(Plain(name("statements of idle passes"), "a check", more.idle_statements),
                   kMostStatementsACheck));
  bench.Add(Plain(name("WAL of idle passes"), "bytes a check", more.idle_wal));
  bench.Add(Plain(name("page images after a checkpoint"), "bytes a target", more.page_images));
  bench.Add(Against(name("CPU of idle passes"), "µs a check", costs.idle_cpu, file.idle_cpu));
  bench.Add(Against(name("a restart, until its first check"), "s", costs.restart, file.restart));
  bench.Add(Against(name("its peak memory"), "MiB", costs.peak, file.peak));
  bench.Add(Plain(name("a take-over, until the first check"), "s", more.take_over));
}

/// What a binding takes where ten are on a target.
double BytesOfBindings(const Bench& bench, Database& database) {
  Shape shape;
  shape.bindings_per_target = 10;
  shape.targets = bench.options().targets / shape.bindings_per_target;
  shape.bindings_per_file = 10;
  database.Begin();
  DaemonSettings settings;
  settings.store_url = database.Url();
  const Scene scene(bench, shape, settings);
  std::ignore = scene.daemon.RunOnce();
  return database.Bytes() / static_cast<double>(shape.bindings());
}

void MeasureAt(Bench& bench, const Shape& shape, std::chrono::milliseconds latency) {
  Database database(latency);
  Subject near(bench, shape, &database);
  Subject local(bench, shape, nullptr);
  Costs costs, file;
  DatabaseCosts more;
  bench.InTurns([&] { near.Measure(costs, &more); }, [&] { local.Measure(file, nullptr); });
  const bool far = latency.count() > 0;
  const std::string where = far ? std::to_string(latency.count()) + " ms away" : "near";
  Report(bench, where, costs, file, more);
  if (far) {
    bench.Add(Plain("round trips of a first pass, " + where, "a target", more.round_trips));
    bench.Add(Plain("round trips of idle passes, " + where, "a check", more.idle_round_trips));
    return;
  }
  bench.Add(Plain("tables and indexes, a binding a target", "bytes a target", more.bytes));
  bench.Add(Plain("tables and indexes, ten bindings a target", "bytes a binding",
                  {BytesOfBindings(bench, database)}));
  bench.Add(Plain("a replica at work without any check", "statements/s", more.at_work));
  bench.Add(Plain("a replica that stands by", "statements/s", more.standing_by));
}

}  // namespace

void DatabaseStore(Bench& bench) {
  if (!Database::Installed()) {
    bench.Say(
        "no PostgreSQL server is installed here (package postgresql-15): nothing is measured");
    return;
  }
  Shape shape;
  shape.targets = bench.options().targets;
  shape.bindings_per_file = 10;
  for (const int latency : {0, 20}) {
    MeasureAt(bench, shape, std::chrono::milliseconds(latency));
  }
}

}  // namespace bindery::bench
