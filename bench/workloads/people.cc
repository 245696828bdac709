// What people ask for: answers of a running daemon and commands, by how many resources there are,
// and beside nginx, which serves the same bytes from files.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/http_call.h"
#include "harness/static_server.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMicros = 1e6;
constexpr double kMilli = 1e3;
constexpr double kSlopeOfOne = 0.1;
constexpr double kSlopeOfList = 1.1;
constexpr std::size_t kReaders = 8;

/// A path of the daemon.
struct Question {
  std::string what;
  std::function<std::string(std::size_t)> path;  ///< Of the call with the number.
  double most_slope = kSlopeOfOne;
  std::optional<double> most_ratio = {};  ///< To nginx.
};

struct Command {
  std::string what;
  std::vector<std::string> words;
  double most_slope = kSlopeOfOne;
};

std::function<std::string(std::size_t)> Same(std::string path) {
  return [path = std::move(path)](std::size_t /*call*/) { return path; };
}

/// Things that every size has: their numbers are below 1,000.
std::vector<Question> Questions(const std::vector<std::string>& names) {
  constexpr double kOne = 5;
  constexpr double kHundred = 8;
  const std::string target = "targets/AuthorizationPolicyIamBinding/";
  const auto each = [](std::string before, std::vector<std::string> ends) {
    return [before = std::move(before), ends = std::move(ends)](std::size_t call) {
      return before + ends.at(call % ends.size());
    };
  };
  const std::vector<std::string> some(names.begin(), names.begin() + 1000);
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < some.size(); ++i) targets.push_back(TargetName(i));
  const std::string api = "/api/v1/";
  const auto parts = [](const std::string& list) {
    return [list](std::size_t call) { return list + std::to_string(call % 900); };
  };
  return {
      {"one resource", each(api + "resources/", some), kSlopeOfOne, kOne},
      {"one resource, the same again", Same(api + "resources/" + some[500]), kSlopeOfOne, kOne},
      {"its page", each("/resources/", some), kSlopeOfOne, kOne},
      {"one target", each(api + target, targets), kSlopeOfOne, kOne},
      {"its page of the target", each("/" + target, targets), kSlopeOfOne, kOne},
      {"100 resources", Same(api + "resources?limit=100"), kSlopeOfOne, kHundred},
      {"100 resources, another part", parts(api + "resources?limit=100&offset="), kSlopeOfOne,
       kHundred},
      {"the page of 100 resources", Same("/resources"), kSlopeOfOne, kHundred},
      {"the page of 100 resources, another part", parts("/resources?offset="), kSlopeOfOne,
       kHundred},
      {"100 differences", Same(api + "drift?limit=100"), kSlopeOfOne, kHundred},
      {"100 differences, another part", parts(api + "drift?limit=100&offset="), kSlopeOfOne,
       kHundred},
      {"the page of 100 differences", Same("/drift"), kSlopeOfOne, kHundred},
      {"the page of 100 differences, another part", parts("/drift?offset="), kSlopeOfOne, kHundred},
      {"the overview", Same(api.substr(0, api.size() - 1))},
      {"the first page", Same("/")},
      {"100 events", Same(api + "events?limit=100")},
      {"the guard", Same(api + "guard")},
      {"metrics", Same("/metrics")},
      {"all resources", Same(api + "resources"), kSlopeOfList},
      {"all targets", Same(api + "targets"), kSlopeOfList},
      {"all differences", Same(api + "drift"), kSlopeOfList},
      {"all access", Same(api + "access"), kSlopeOfList},
      {"the plan", Same(api + "plan"), kSlopeOfList}};
}

std::vector<Command> Commands(const std::string& name) {
  return {{"bindery get NAME", {"get", name}},
          {"bindery explain NAME", {"explain", name}},
          {"bindery plan NAME", {"plan", name}},
          {"bindery history NAME", {"history", name}},
          {"bindery get", {"get"}, kSlopeOfList},
          {"bindery plan", {"plan"}, kSlopeOfList},
          {"bindery check", {"check"}, kSlopeOfList},
          {"bindery validate", {"validate"}, kSlopeOfList},
          {"bindery drift", {"drift"}, kSlopeOfList},
          {"bindery access of USER", {"access", "of", "user:ana7@example.com"}, kSlopeOfList}};
}

/// A daemon that has found everything as declared.
struct Served {
  Served(const Bench& bench, const Shape& shape) : scene(bench, shape) {
    std::ignore = scene.daemon.RunOnce();
    scene.daemon.Start();
    scene.daemon.AwaitLog("first pass done");
    Pause(5);  // Until what the start left behind is cleared away.
  }
  ~Served() { scene.daemon.Kill(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  [[nodiscard]] std::string Get(const std::string& path) const {
    HttpAnswer answer = Send({"GET", "http://bindery" + path, "", scene.daemon.Socket()});
    if (answer.status != 200) throw std::runtime_error(path + ": " + answer.body);
    return std::move(answer.body);
  }

  Scene scene;
};

/// Calls until so much CPU of the process is spent, 200 times at most; CPU seconds a call.
double CpuPerCall(const ChildProcess& process, const std::function<void()>& call) {
  constexpr std::size_t kMost = 200;  // Five runs ask for each of 1,000 things once.
  constexpr double kEnough = 0.3;
  const double before = process.CpuSeconds();
  std::size_t calls = 0;
  double spent = 0;
  for (; calls < kMost && spent < kEnough; spent = process.CpuSeconds() - before) {
    call();
    ++calls;
  }
  return spent / static_cast<double>(calls);
}

/// What an answer cost, in turns with nginx.
struct Cost {
  std::vector<double> daemon;
  std::vector<double> nginx;  ///< Empty where it is not on this machine.
};

Cost CostOfAnswer(const Bench& bench, const Served& served, const StaticServer* nginx,
                  const Question& question) {
  Cost cost;
  if (nginx != nullptr) nginx->Put("answer", served.Get(question.path(0)));
  const HttpCall floor_call = {"GET", "http://nginx/answer", "",
                               nginx == nullptr ? "" : nginx->Socket()};
  std::size_t asked = 0;  // Of all runs: an answer that is kept for a second is another figure.
  bench.InTurns(
      [&] {
        cost.daemon.push_back(CpuPerCall(served.scene.daemon.process(), [&] {
          std::ignore = served.Get(question.path(asked++));
        }));
      },
      [&] {
        if (nginx == nullptr) return;
        cost.nginx.push_back(CpuPerCall(nginx->process(), [&] {
          if (Send(floor_call).status != 200) throw std::runtime_error("nginx has no answer");
        }));
      });
  return cost;
}

/// What the command costs beyond the start of the process.
double CostOfCommand(const Bench& bench, const Served& served, const Command& command) {
  std::vector<std::string> words = {bench.options().bindery};
  words.insert(words.end(), command.words.begin(), command.words.end());
  words.insert(words.end(), {"-c", served.scene.folder / "bindery.yaml"});
  std::vector<double> cpu;
  for (std::size_t run = 0; run < bench.options().runs; ++run) {
    const Finished bare = RunToEnd({bench.options().bindery, "--version"});
    const Finished finished = RunToEnd(words);
    // Differences end in one.
    if (finished.exit_code > 1) throw std::runtime_error(command.what + ": " + finished.err);
    cpu.push_back(std::max(finished.cpu_seconds - bare.cpu_seconds, 0.0));
  }
  return SpreadOf(std::move(cpu)).median;
}

/// How long each of several readers waited, in seconds.
std::vector<double> Latencies(const Served& served, const Question& question) {
  constexpr std::size_t kCalls = 40;
  const auto read = [&](std::size_t first) {
    std::vector<double> waited;
    for (std::size_t call = 0; call < kCalls; ++call) {
      const auto begun = std::chrono::steady_clock::now();
      std::ignore = served.Get(question.path(first + call));
      waited.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    }
    return waited;
  };
  std::vector<std::future<std::vector<double>>> readers;
  for (std::size_t reader = 0; reader < kReaders; ++reader) {
    readers.push_back(std::async(std::launch::async, read, reader * kCalls));
  }
  std::vector<double> all;
  for (auto& reader : readers) {
    const std::vector<double> waited = reader.get();
    all.insert(all.end(), waited.begin(), waited.end());
  }
  return all;
}

void AddFigures(Bench& bench, const Served& served, const Question& question, const Cost& cost,
                const std::string& label) {
  if (!question.most_ratio) return;
  constexpr double kMostMilliseconds = 20;
  const auto scaled = [](std::vector<double> values, double scale) {
    for (double& value : values) value *= scale;
    return values;
  };
  if (!cost.nginx.empty()) {
    bench.Add(AtMostTimes(Against(question.what + ", " + label, "µs", scaled(cost.daemon, kMicros),
                                  scaled(cost.nginx, kMicros)),
                          *question.most_ratio));
  }
  const std::vector<double> waited = scaled(Latencies(served, question), kMilli);
  bench.Add(
      AtMost(Plain(question.what + ", 95th percentile of " + std::to_string(kReaders) + " readers",
                   "ms", {PercentileOf(waited, 0.95)}),
             kMostMilliseconds));
}

}  // namespace

void People(Bench& bench) {
  std::vector<std::size_t> sizes = {1'000, 10'000};
  if (bench.options().full) sizes.push_back(100'000);
  const std::unique_ptr<StaticServer> nginx =
      StaticServer::Installed() ? std::make_unique<StaticServer>() : nullptr;
  if (nginx == nullptr) bench.Say("left out: nginx is not on this machine");
  std::vector<Slope> slopes;
  const auto note = [&slopes](std::size_t at, const std::string& what, const char* unit,
                              GrowthPoint point) -> Slope& {
    if (at == slopes.size()) slopes.push_back({"", what, unit, "resources", 0, 0, {}});
    slopes.at(at).points.push_back(point);
    return slopes.at(at);
  };
  for (const std::size_t size : sizes) {
    const auto number = static_cast<double>(size);
    const std::string label = "of " + Digits(number) + " resources";
    bench.Say(label);
    Shape shape;
    shape.bindings_per_file = 100;
    shape.targets = size;
    const Served served(bench, shape);
    std::size_t at = 0;
    for (const Question& question : Questions(served.scene.one_of_each)) {
      const Cost cost = CostOfAnswer(bench, served, nginx.get(), question);
      const double micros = SpreadOf(cost.daemon).median * kMicros;
      Slope& slope = note(at++, question.what, "µs", {number, micros});
      slope.most = question.most_slope;
      slope.noise = 100;  // The kernel's switches between threads alone.
      if (size == sizes.back()) AddFigures(bench, served, question, cost, label);
    }
    for (const Command& command : Commands(served.scene.one_of_each.at(500))) {
      const double millis = CostOfCommand(bench, served, command) * kMilli;
      Slope& slope = note(at++, command.what, "ms", {number, millis});
      slope.most = command.most_slope;
      slope.noise = 10;
    }
  }
  for (Slope& slope : slopes) bench.Add(std::move(slope));
}

}  // namespace bindery::bench
