#include "harness/daemon.h"

#include <csignal>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "harness/files.h"
#include "harness/http_call.h"

namespace bindery::bench {
namespace {

constexpr double kPollSeconds = 0.001;
constexpr double kPatienceSeconds = 600;

}  // namespace

void Daemon::Configure(const DaemonSettings& settings) const {
  const std::string& probe = settings.probe_url.empty() ? settings.cloud_url : settings.probe_url;
  WriteText(folder_ + "/bindery.yaml",
            "manifests: {directory: \"" + settings.manifests +
                "\", maxFiles: 1000000, maxBytes: 2147483647, debounce: " + settings.debounce +
                ", settle: " + settings.settle + ", rescanInterval: " + settings.rescan_interval +
                "}\n"
                "store: {url: \"" +
                settings.store_url +
                "\"}\n"
                "reconcile: {interval: " +
                settings.interval + ", exactInterval: " + settings.exact_interval +
                ", jitter: 0.1, concurrency: " + std::to_string(settings.concurrency) +
                ", fullReadEvery: " + std::to_string(settings.full_read_every) +
                (settings.share_checks ? ", shareChecks: true" : "") +
                "}\n"
                "guard: {maxRemovedGrants: 1000000, maxRemovedFraction: 1}\n"
                "providers:\n"
                "  cloudnative:\n"
                "    type: cloudnative\n"
                "    credentials: {type: none}\n"
                "    endpoints:\n"
                "      networksecurity: \"" +
                settings.cloud_url + "\"\n      backupdr: \"" + probe +
                "\"\n      migrationcenter: \"" + settings.cloud_url + "\"\n" + settings.endpoints +
                "server: {listen: \"127.0.0.1:0\", socket: state/bindery.sock}\n" + settings.extra);
}

void Daemon::Start() {
  WriteText(folder_ + "/daemon.err", "");
  started_ = std::chrono::steady_clock::now();
  std::vector<std::string> command{program_, "run", "-c", folder_ + "/bindery.yaml"};
  if (!profiles_.empty()) {
    const std::string stopped_at_first = "kill -STOP $$; exec \"$0\" \"$@\"";
    command.insert(command.begin(), {"/bin/sh", "-c", stopped_at_first});
  }
  process_ =
      std::make_unique<ChildProcess>(command, folder_ + "/daemon.out", folder_ + "/daemon.err");
  if (!profiles_.empty()) Record();
}

/// The program waits until perf looks on: threads that begin while perf attaches would be missed.
void Daemon::Record() {
  constexpr double kAttachSeconds = 1;
  const std::string pid = std::to_string(process_->pid());
  recorder_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{"perf", "record", "-q", "-F", "499", "--call-graph", "dwarf,4096",
                               "-o", profiles_ + "/" + pid + ".data", "-p", pid},
      folder_ + "/perf.out", folder_ + "/perf.err");
  Pause(kAttachSeconds);
  kill(process_->pid(), SIGCONT);
}

std::string Daemon::Log() const { return ReadText(folder_ + "/daemon.err"); }

void Daemon::AwaitLog(const std::string& text) {
  const double begun = SinceStart();
  while (Log().find(text) == std::string::npos) {
    if (!Running() || SinceStart() - begun > kPatienceSeconds) {
      throw std::runtime_error("the daemon never said \"" + text + "\": " + Log());
    }
    Pause(kPollSeconds);
  }
}

double Daemon::SinceStart() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Daemon::Stop() {
  const int code = process_->End(SIGTERM);
  if (recorder_) recorder_->End(0);
  if (code != 0) throw std::runtime_error("the daemon ended with " + std::to_string(code));
}

void Daemon::Kill() {
  process_->End(SIGKILL);
  if (recorder_) recorder_->End(0);
}

Finished Daemon::RunOnce() const {
  Finished finished = RunToEnd({program_, "run", "--once", "-c", folder_ + "/bindery.yaml"});
  if (finished.exit_code != 0) {
    throw std::runtime_error("bindery run --once ended with " + std::to_string(finished.exit_code) +
                             ": " + finished.err.substr(0, 2000));
  }
  return finished;
}

double Daemon::StoreBytes() const { return FileBytes(Store()) + FileBytes(Store() + "-wal"); }

void Daemon::RemoveState() const { std::filesystem::remove_all(folder_ + "/state"); }

void Daemon::Check(const std::vector<std::string>& names) const {
  const Json body = {{"names", names}};
  std::ignore = SendForJson({"POST", "http://bindery/api/v1/reconcile", body.dump(), Socket()});
}

double Daemon::Metric(const std::string& name) const {
  const HttpAnswer answer = Send({"GET", "http://bindery/metrics", "", Socket()});
  if (answer.status != 200) throw std::runtime_error("/metrics answers no text");
  std::istringstream text(answer.body);
  double sum = 0;
  for (std::string line; std::getline(text, line);) {
    const bool same = line.rfind(name, 0) == 0 && line.size() > name.size() &&
                      (line[name.size()] == '{' || line[name.size()] == ' ');
    if (same) sum += std::stod(line.substr(line.rfind(' ')));
  }
  return sum;
}

}  // namespace bindery::bench
