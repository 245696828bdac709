#include "harness/bench.h"

#include <cstdio>
#include <stdexcept>

namespace bindery::bench {

void Bench::Add(Figure figure) {
  figure.workload = workload_;
  Say(figure.what + ": " + Digits(figure.value.median) + " " + figure.unit +
      (figure.ratio ? ", " + Digits(figure.ratio->median) + " × the floor" : ""));
  results_.figures.push_back(std::move(figure));
}

void Bench::Add(Growth growth) { results_.growths.push_back(std::move(growth)); }

void Bench::Add(Slope slope) {
  slope.workload = workload_;
  Say(slope.what + ": slope " + Digits(slope.value()));
  results_.slopes.push_back(std::move(slope));
}

void Bench::Add(PeerRun run) {
  Say(run.tool + ", " + run.work + ": " + Digits(run.wall_seconds) + " s");
  results_.peers.push_back(std::move(run));
}

void Bench::Say(const std::string& text) const {
  std::fprintf(stderr, "%s: %s\n", workload_.c_str(), text.c_str());
}

Json Bench::Floor(const std::string& name, std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), options_.floors + "/" + name);
  const Finished finished = RunToEnd(arguments);
  Expected<Json> result = ParseJson(finished.out);
  if (finished.exit_code != 0 || !result) {
    throw std::runtime_error("floor " + name + ": " + finished.err);
  }
  return std::move(*result);
}

Json Bench::BareReads(const Cloud& cloud, std::size_t count, std::size_t concurrency) const {
  std::string name = TargetName(0);
  name.pop_back();
  Json result =
      Floor("bare_client",
            {cloud.url() + "/v1/" + name + "{}:getIamPolicy?options.requestedPolicyVersion=3",
             "--count", std::to_string(count), "--concurrency", std::to_string(concurrency)});
  if (result.at("failures") != 0) throw std::runtime_error("the bare client got no policies");
  return result;
}

void Bench::InTurns(const std::function<void()>& measured,
                    const std::function<void()>& floor) const {
  for (std::size_t run = 0; run < options_.runs; ++run) {
    floor();
    measured();
  }
}

Scene::Scene(const Bench& bench, const Shape& shape, DaemonSettings wanted)
    : cloud(bench.options().emulator, folder / "", MakeSeed(shape)),
      daemon(bench.options().bindery, folder / "", bench.options().profiles),
      settings(std::move(wanted)),
      one_of_each(OneBindingEach(shape)) {
  WriteManifests(manifests(), shape);
  settings.cloud_url = cloud.url();
  daemon.Configure(settings);
}

}  // namespace bindery::bench
