// The memory that readers cost is bounded, whatever they ask for and however much is on record.
// BINDERY_READING_TARGETS=100000 asks for another number of targets.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "integration/world.h"

namespace bindery::testing {
namespace {

/// Sanitizers need memory of their own.
#ifdef BINDERY_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

constexpr std::size_t kReaders = 8;

constexpr std::size_t kFewTargets = 4'000;

std::size_t TargetsToRead() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  const char* wanted = std::getenv("BINDERY_READING_TARGETS");
  return wanted == nullptr ? kFewTargets : std::stoull(wanted);
}

/// By so much the readers may raise the resident memory, in MiB. At the few targets, lists that
/// were held as a whole raised it by twice as much.
std::size_t MostMib(std::size_t targets) { return targets <= kFewTargets ? 40 : 100; }

/// The memory of the machine that the daemon is held to, in MiB. Without readers it holds 180 of
/// it at 100,000 targets.
std::size_t MachineMib(std::size_t targets) { return targets <= kFewTargets ? 256 : 320; }

std::string TargetToRead(std::size_t number) {
  return "projects/acme/locations/global/authorizationPolicies/p" + std::to_string(number);
}

std::string SeedToRead(std::size_t targets) {
  std::string seed = "authorizationPolicies:\n";
  for (std::size_t i = 0; i < targets; ++i) seed += "  - " + TargetToRead(i) + "\n";
  return seed;
}

std::string ManifestToRead(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "---\napiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
         "metadata: {name: b" +
         digits + "}\nspec:\n  name: " + TargetToRead(number) +
         "\n  role: roles/viewer\n  members: [\"user:ana" + digits + "@example.com\", \"user:bob" +
         digits + "@example.com\"]\n";
}

/// The paths that the description of the API has a GET for.
std::set<std::string> DescribedPaths() {
  std::ifstream lines(BINDERY_SOURCE "/docs/openapi.yaml");
  std::set<std::string> paths;
  std::string path;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  /") && line.ends_with(":")) path = line.substr(2, line.size() - 3);
    if (line.starts_with("    get:") && !path.empty()) paths.insert(path);
  }
  return paths;
}

/// What is asked of a described path: the ends of addresses.
using Ends = std::vector<std::string>;

/// What is asked of each path. Of a list: the usual part, the longest, the last, each order, a
/// search, and all of it, as JSON and as a table.
std::map<std::string, Ends> EndsByPath(std::size_t targets) {
  const std::string last = "?limit=100&offset=" + std::to_string(targets - 100);
  const Ends parts = {"",   "?limit=100", "?limit=1000", "?limit=10000",
                      last, "?q=p17",     "?format=csv"};
  const auto with = [&](Ends more) {
    more.insert(more.end(), parts.begin(), parts.end());
    return more;
  };
  const std::string who = "?principal=user:ana17@example.com";
  const std::string target = "AuthorizationPolicyIamBinding/" + TargetToRead(17);
  std::map<std::string, Ends> ends;
  ends["/resources"] = with({"?sort=-changed", "?sort=target&limit=10000"});
  ends["/targets"] = with({"?sort=-grants", "?sort=-grants&limit=10000"});
  ends["/drift"] = with({"?sort=principal", "?sort=-firstSeen&limit=10000"});
  ends["/access"] =
      with({who, "?principal=ana17", "?principal=user:nobody@example.com", "?target=p17",
            "?target=nowhere", "?role=roles/viewer", "?role=roles/viewer&limit=10000"});
  ends["/events"] = with({"?q=ana&limit=10000", "?limit=10000&oldest=true"});
  ends["/problems"] = parts;
  for (const char* list : {"/resources", "/targets", "/drift", "/access", "/events", "/problems"}) {
    ends["/api/v1" + std::string(list)] = ends[list];
  }
  ends["/api/v1/resources"].push_back("?sort=state&format=csv");
  ends["/api/v1/access/diff"] = {"?since=1h", "?since=1s", "?since=1h&target=p17"};
  ends["/api/v1/plan"] = {"?name=b17"};
  // A plan of all of very many targets is held as a whole: it is no part of the bound.
  if (targets <= kFewTargets) ends["/api/v1/plan"].emplace_back("");
  for (const std::string& start : {std::string(), std::string("/api/v1")}) {
    ends[start + "/resources/{name}"] = {"b17"};
    ends[start + "/resources/{name}/revisions/{revision}"] = {"b17/revisions/1"};
    ends[start + "/targets/{kind}/{name}"] = {target};
    for (const char* path : {"/", "/guard", "/replicas", "/coverage", "/history"})
      ends[start + path] = {""};
  }
  ends["/api/v1/history/{name}"] = {"b17"};
  ends["/assets/{file}"] = {"style.css"};
  for (const char* check : {"/livez", "/readyz", "/healthz"}) {
    ends[check] = {"?verbose"};
    ends[std::string(check) + "/{check}"] = {"store"};
  }
  for (const char* path : {"/account", "/metrics", "/api/v1", "/api/v1/scans"}) ends[path] = {""};
  return ends;
}

/// A path without its parameters, to put an end behind it.
std::string GetStart(const std::string& path) { return path.substr(0, path.find('{')); }

/// A figure of the daemon's memory.
std::size_t MibOf(const World& world, const char* field) {
  return std::stoull(world.StatusField(field)) / 1024;
}

/// By how many MiB the memory of the daemon rose at the most since it was reset.
class PeakOfMemory {
 public:
  explicit PeakOfMemory(const World& world) : world_(world) {
    std::ofstream("/proc/" + std::to_string(world.DaemonId()) + "/clear_refs") << 5;
    // After the reset: the peak since then is never below.
    idle_ = MibOf(world, "VmRSS");
  }
  [[nodiscard]] std::size_t Rise() const { return MibOf(world_, "VmHWM") - idle_; }

 private:
  const World& world_;
  std::size_t idle_ = 0;
};

/// From now on the daemon gets no more memory than a machine of so many MiB has for it: what it
/// asks for beyond fails. The limit is of writable memory, in which stacks of threads count in
/// full, however little of them is used.
void LimitMemory(const World& world, std::size_t most) {
  constexpr std::size_t kStacks = kReaders * 8;
  const std::size_t resident = MibOf(world, "VmRSS");
  ASSERT_LT(resident, most);
  const rlim_t bytes = (MibOf(world, "VmData") + most - resident + kStacks) << 20U;
  const rlimit limit{bytes, bytes};
  ASSERT_EQ(::prlimit(world.DaemonId(), RLIMIT_DATA, &limit, nullptr), 0);
}

class Reading : public ::testing::Test {
 protected:
  void Begin() {
    std::string manifests;
    constexpr std::size_t kInAFile = 1'000;
    for (std::size_t i = 0; i < targets_; ++i) {
      manifests += ManifestToRead(i);
      if ((i + 1) % kInAFile > 0 && i + 1 < targets_) continue;
      world.dir().Write("manifests/m" + std::to_string(i) + ".yaml", manifests);
      manifests.clear();
    }
    world.StartDaemon();
    AwaitFirstPass();
    // Readers come to a daemon that has come to rest: after a restart nothing is left to do.
    ASSERT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
    world.StartDaemon();
    AwaitFirstPass();
  }

  /// Longer than others wait: of many targets it takes minutes.
  void AwaitFirstPass() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(30);
    while (world.Ask("GET", "/readyz").status != 200) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << world.DaemonLog();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  /// The readers share the addresses. All answers are given, or refused for want of room.
  void ReadAll(const std::vector<std::string>& addresses) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> readers;
    for (std::size_t reader = 0; reader < kReaders; ++reader) {
      readers.emplace_back([&] {
        for (std::size_t i = next++; i < addresses.size(); i = next++) {
          const int status = world.Ask("GET", addresses[i]).status;
          const bool expected = status == 200 || status == 404 || status == 503 || status == 429;
          EXPECT_TRUE(expected) << addresses[i] << " " << status;
        }
      });
    }
    for (std::thread& reader : readers) reader.join();
  }

  const std::size_t targets_ = TargetsToRead();
  World world{SeedToRead(targets_), "reports: {minimumInterval: 24h}\n"};
};

TEST(ReadingOfRoutes, AsksForEveryDescribedPath) {
  const auto ends = EndsByPath(1'000);
  for (const std::string& path : DescribedPaths()) {
    const bool is_stream = path == "/api/v1/events/stream";  // Its answer does not end.
    EXPECT_TRUE(is_stream || ends.contains(path)) << path;
  }
}

TEST_F(Reading, RaisesTheMemoryByABoundedAmount) {
  if (kIsSanitized) GTEST_SKIP() << "not for sanitizers";
  Begin();
  std::vector<std::string> addresses;
  for (const auto& [path, ends] : EndsByPath(targets_)) {
    for (const std::string& end : ends) addresses.push_back(GetStart(path) + end);
  }
  LimitMemory(world, MachineMib(targets_));
  const PeakOfMemory peak(world);
  ReadAll(addresses);
  EXPECT_LE(peak.Rise(), MostMib(targets_));
  EXPECT_EQ(world.Ask("GET", "/livez").status, 200) << world.DaemonLog();
  EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
}

}  // namespace
}  // namespace bindery::testing
