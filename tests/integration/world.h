#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "emulator/emulator.h"
#include "support/http_client.h"
#include "support/secrets.h"
#include "support/temp_dir.h"

namespace bindery::testing {

/// What a finished program left.
struct Outcome {
  int exit_code = -1;  ///< -1: ended by a signal.
  std::string out;
  std::string err;
};

/// A user's world: the real program, a folder of manifests, and a cloud (the emulator, in this
/// process, so that the cloud outlives whatever happens to the program).
class World {
 public:
  explicit World(const std::string& seed, const std::string& settings = "") {
    dir_.Write("seed.yaml", seed);
    std::filesystem::create_directories(dir_.path() / "manifests");
    emulator::Options options;
    options.listen = "127.0.0.1:0";
    options.store = dir_ / "cloud.db";
    options.seed = dir_ / "seed.yaml";
    auto cloud = emulator::Emulator::Start(options);
    if (!cloud) throw std::runtime_error(ToString(cloud.error()));
    cloud_ = std::move(*cloud);
    WriteSecret("dd-key", "SECRET-datadog-key");
    Configure(settings);
  }

  /// Whatever a test did, nothing that was written down may hold a secret.
  ~World() {
    Kill(SIGKILL);
    for (const std::string& found : FilesWithSecrets(dir_.path(), secret_files_)) {
      ADD_FAILURE() << "a secret was written down: " << found;
    }
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// (Re)writes the configuration; `settings` are further top-level sections.
  void Configure(const std::string& settings) const {
    dir_.Write("bindery.yaml", R"(
manifests: {directory: manifests, rescanInterval: 1s, debounce: 50ms, settle: 0s}
store: {url: "STORE"}
server: {listen: "127.0.0.1:0", socket: bindery.sock}
providers:
  cloudnative:
    type: cloudnative
    project: acme
    endpoints:
      {networksecurity: "CLOUD", backupdr: "CLOUD", migrationcenter: "CLOUD", cloudresourcemanager: "CLOUD",
       privilegedaccessmanager: "CLOUD", cloudasset: "CLOUD",
       iam: "CLOUD/iam.googleapis.com", run: "CLOUD/run.googleapis.com"}
    credentials: )" + google_credentials_ +
                                   R"(
  monitoring: {type: monitoring, apiUrl: "CLOUD", apiKeyFile: dd-key, appKeyFile: dd-key}
)" + settings);
    std::string text = dir_.Read("bindery.yaml");
    for (auto at = text.find("CLOUD"); at != std::string::npos; at = text.find("CLOUD")) {
      text.replace(at, 5, cloud_->Url());
    }
    text.replace(text.find("STORE"), 5, store_);
    dir_.Write("bindery.yaml", text);
  }

  /// The store.url, from the next Configure on.
  void KeepStoreAt(const std::string& url) { store_ = url; }

  /// Writes a file in which secrets belong.
  void WriteSecret(const std::string& name, const std::string& text) {
    dir_.Write(name, text);
    std::filesystem::permissions(
        dir_ / name, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    secret_files_.insert(name);
  }

  /// The `credentials` of the Google provider, from the next Configure on.
  void SignInWith(const std::string& google_credentials) {
    google_credentials_ = google_credentials;
  }

  /// A variable of the program's environment, from its next start on.
  void SetEnvironment(const std::string& name, const std::string& value) {
    environment_[name] = value;
  }

  /// How this test itself signs in to the cloud.
  void SetOwnToken(const std::string& token) { own_token_ = token; }

  [[nodiscard]] const TempDir& dir() const { return dir_; }
  [[nodiscard]] std::string CloudUrl() const { return cloud_->Url(); }
  [[nodiscard]] std::string CloudAddress() const {
    return "127.0.0.1:" + std::to_string(cloud_->Port());
  }

  // The program
  // ------------------------------------------------------------------------------------

  /// Runs a command to its end.
  [[nodiscard]] Outcome Run(std::vector<std::string> arguments) const {
    const std::string out = dir_ / "out.txt";
    const std::string err = dir_ / "err.txt";
    const ::pid_t child = Spawn(std::move(arguments), out, err);
    int status = 0;
    ::waitpid(child, &status, 0);
    Outcome outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, dir_.Read("out.txt"),
                       dir_.Read("err.txt")};
    EXPECT_EQ(SecretIn(outcome.out + outcome.err), "");
    return outcome;
  }

  [[nodiscard]] Json RunJson(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"-o", "json"});
    const Outcome outcome = Run(std::move(arguments));
    Expected<Json> json = ParseJson(outcome.out);
    if (!json) throw std::runtime_error("no JSON: " + outcome.out + outcome.err);
    return *json;
  }

  /// Starts the daemon and waits until it answers on its socket.
  void StartDaemon() {
    LaunchDaemon();
    AwaitDaemon();
  }

  /// Its two halves.
  void LaunchDaemon() { daemon_ = Spawn({"run"}, dir_ / "daemon.out", dir_ / "daemon.err"); }
  void AwaitDaemon() const {
    Eventually("the daemon answers", [this] { return Ask("GET", "/livez").status == 200; });
  }

  /// Sends a signal, waits for the end, gives the exit code; -1 when a signal ended it.
  int Kill(int signal) {
    if (daemon_ <= 0) return -1;
    ::kill(daemon_, signal);
    int status = 0;
    ::waitpid(daemon_, &status, 0);
    daemon_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void Signal(int signal) const { ::kill(daemon_, signal); }

  /// Waits for an end nobody asked for; after some time, or the first sign of life of a daemon that
  /// lives, it is asked for by `signal`. The exit code; -1 when a signal ended it, -2 when it
  /// hangs.
  int WaitForEnd(std::chrono::seconds patience = std::chrono::seconds(100), int signal = 0) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int status = 0;
    while (::waitpid(daemon_, &status, WNOHANG) == 0) {
      if (signal != 0 && Ask("GET", "/livez").status == 200) {
        ::kill(daemon_, std::exchange(signal, 0));
      }
      if (std::chrono::steady_clock::now() > deadline) {
        Kill(SIGKILL);
        return -2;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    daemon_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] ::pid_t DaemonId() const { return daemon_; }

  /// Of /proc/PID/status, its first word; empty when there is none.
  [[nodiscard]] std::string StatusField(const std::string& name) const {
    std::ifstream lines("/proc/" + std::to_string(daemon_) + "/status");
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string key;
      std::string value;
      if (words >> key >> value && key == name + ":") return value;
    }
    return "";
  }

  /// A request to the daemon over its UNIX socket.
  [[nodiscard]] HttpResult Ask(const std::string& method, const std::string& path,
                               const std::string& body = "") const {
    return AskAt(dir_ / "bindery.sock", method, path, body);
  }

  /// The same to another daemon.
  [[nodiscard]] static HttpResult AskAt(const std::string& socket, const std::string& method,
                                        const std::string& path, const std::string& body = "") {
    if (!std::filesystem::exists(socket)) return {};
    HttpConnection connection(socket);
    if (!connection.connected()) return {};
    connection.SendRequest(method, path, {{"Content-Type", "application/json"}}, body);
    return connection.Read();
  }

  [[nodiscard]] std::string DaemonLog() const { return dir_.Read("daemon.err"); }

  /// Where the daemon listens, as its log says.
  [[nodiscard]] std::string Address() const {
    const std::string log = DaemonLog();
    const auto begin = log.find(" address=") + 9;
    return log.substr(begin, log.find(' ', begin) - begin);
  }

  // What is there
  // ----------------------------------------------------------------------------------

  [[nodiscard]] Json Status(const std::string& name) const {
    const HttpResult result = Ask("GET", "/api/v1/resources?name=" + name);
    Expected<Json> report = ParseJson(result.body);
    if (!report || report->at("resources").empty()) return Json::object();
    return report->at("resources").at(0).at("status");
  }

  [[nodiscard]] bool IsReady(const std::string& name) const {
    const Json status = Status(name);
    return status.contains("ready") && status.at("ready").get<bool>();
  }

  [[nodiscard]] std::string Reason(const std::string& name) const {
    return StringMember(Status(name), "reason");
  }

  // The cloud
  // --------------------------------------------------------------------------------------

  [[nodiscard]] HttpResult Cloud(const std::string& method, const std::string& path,
                                 const std::string& body = "") const {
    HttpConnection connection(CloudAddress());
    std::vector<std::pair<std::string, std::string>> headers = {
        {"Content-Type", "application/json"}};
    if (!own_token_.empty()) headers.emplace_back("Authorization", "Bearer " + own_token_);
    connection.SendRequest(method, path, headers, body);
    return connection.Read();
  }

  [[nodiscard]] Json Policy(const std::string& name) const {
    const HttpResult result =
        Cloud("GET", "/v1/" + name + ":getIamPolicy?options.requestedPolicyVersion=3");
    return ParseJson(result.body).value_or(Json::object());
  }

  void SetPolicy(const std::string& name, const Json& bindings) const {
    const Json body = {{"policy", {{"bindings", bindings}, {"version", 3}}}};
    const HttpResult result = Cloud("POST", "/v1/" + name + ":setIamPolicy", body.dump());
    if (result.status != 200) throw std::runtime_error(result.body);
  }

  /// The members of a role, sorted; empty when nobody holds it.
  [[nodiscard]] std::vector<std::string> Members(const std::string& name,
                                                 const std::string& role) const {
    std::vector<std::string> members;
    const Json policy = Policy(name);
    if (!policy.contains("bindings")) return members;
    for (const Json& binding : policy.at("bindings")) {
      if (binding.at("role") != role) continue;
      for (const Json& member : binding.at("members")) members.push_back(member);
    }
    std::sort(members.begin(), members.end());
    return members;
  }

  [[nodiscard]] Json Requests() const {
    return *ParseJson(Cloud("GET", "/_emulator/requests").body);
  }
  [[nodiscard]] std::int64_t Count(const std::string& operation) const {
    const Json requests = Requests();
    const Json* count = FindMember(requests.at("operations"), operation);
    return count == nullptr ? 0 : count->get<std::int64_t>();
  }
  void ResetRequests() const { std::ignore = Cloud("DELETE", "/_emulator/requests"); }
  void SetFaults(const Json& faults) const {
    const HttpResult result = Cloud("PUT", "/_emulator/faults", faults.dump());
    if (result.status >= 300) throw std::runtime_error(result.body);
  }

  // Waiting
  // ----------------------------------------------------------------------------------------

  /// Asks again until it is so. Another process offers nothing to wait on but its answers.
  void Eventually(const std::string& what, const std::function<bool()>& is_so) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > deadline) {
        ADD_FAILURE() << "never: " << what << "\n" << DaemonLog();
        throw std::runtime_error("never: " + what);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  /// Starts the program; the caller waits for its end.
  [[nodiscard]] ::pid_t Spawn(std::vector<std::string> arguments, const std::string& out,
                              const std::string& err) const {
    arguments.insert(arguments.begin(), BINDERY_PROGRAM);
    if (std::find(arguments.begin(), arguments.end(), "-c") == arguments.end()) {
      arguments.insert(arguments.end(), {"-c", dir_ / "bindery.yaml"});
    }
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child != 0) return child;
    const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    // The developer's own credentials are none of the tests' business.
    for (const char* name : {"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT",
                             "GCLOUD_PROJECT", "DD_API_KEY", "DD_APP_KEY", "DD_BEARER_TOKEN"}) {
      ::unsetenv(name);
    }
    // Nor is the developer's home the place for what the tests' daemons keep.
    ::unsetenv("STATE_DIRECTORY");
    ::setenv("XDG_STATE_HOME", (dir_ / "home").c_str(), 1);
    for (const auto& [name, value] : environment_) ::setenv(name.c_str(), value.c_str(), 1);
    ::dup2(out_file, STDOUT_FILENO);
    ::dup2(err_file, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }

 private:
  TempDir dir_;
  std::string store_ = "sqlite:state/bindery.db";
  std::set<std::string> secret_files_ = {"seed.yaml", "bindery.yaml", "cloud.db", "cloud.db-wal",
                                         "cloud.db-shm"};
  std::string google_credentials_ = "{type: none}";
  std::map<std::string, std::string> environment_;
  std::string own_token_;
  std::unique_ptr<emulator::Emulator> cloud_;
  ::pid_t daemon_ = 0;
};

}  // namespace bindery::testing
