// What one thing costs to be asked for, by how many there are.

#include <stdexcept>

#include "harness/http_call.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kCalls = 300;
constexpr double kMicros = 1e6;

/// A daemon that has found everything as declared.
struct Served {
  Served(const Bench& bench, const Shape& shape) : scene(bench, shape) {
    std::ignore = scene.daemon.RunOnce();
    scene.daemon.Start();
    scene.daemon.AwaitLog("first pass done");
  }
  ~Served() { scene.daemon.Kill(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// The daemon's CPU of a call, in microseconds.
  [[nodiscard]] double CpuOf(const std::string& path) const {
    const double before = scene.daemon.process().CpuSeconds();
    for (std::size_t call = 0; call < kCalls; ++call) {
      const HttpAnswer answer =
          Send({"GET", "http://bindery/api/v1" + path, "", scene.daemon.Socket()});
      if (answer.status != 200) throw std::runtime_error(path + ": " + answer.body);
    }
    return (scene.daemon.process().CpuSeconds() - before) / kCalls * kMicros;
  }

  Scene scene;
};

}  // namespace

/// The floor is the same daemon's answer to a question whose answer is a few bytes.
void OneThing(Bench& bench) {
  constexpr double kMostOfSmall = 1.5;
  Shape shape;
  shape.bindings_per_file = 100;
  const std::size_t many = bench.options().full ? 100'000 : 10'000;
  Shape large = shape;
  large.targets = many;
  const Served few_served(bench, shape);
  const Served many_served(bench, large);
  const std::string label = Digits(static_cast<double>(many)) + " beside 1,000 resources";
  const std::string name = few_served.scene.one_of_each.at(500);
  const std::vector<std::pair<std::string, std::string>> routes = {
      {"one resource", "/resources/" + name},
      {"one target", "/targets/AuthorizationPolicyIamBinding/" + TargetName(500)},
      {"the overview", ""},
      {"100 resources", "/resources?limit=100"},
      {"100 differences", "/drift?limit=100"}};
  for (const auto& [what, path] : routes) {
    std::vector<double> of_many, of_few, floor;
    bench.InTurns([&] { of_many.push_back(many_served.CpuOf(path)); },
                  [&] {
                    of_few.push_back(few_served.CpuOf(path));
                    floor.push_back(few_served.CpuOf("/guard"));
                  });
    bench.Add(AtMostTimes(Against(what + ", " + label, "µs", of_many, of_few), kMostOfSmall));
    bench.Add(Against(what + ", beside the shortest answer", "µs", of_few, floor));
  }
}

}  // namespace bindery::bench
