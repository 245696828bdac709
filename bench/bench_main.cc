// bindery_bench: runs workloads against the real program and prints what they cost.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "harness/child_process.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

struct Arguments {
  std::vector<std::string> names;
  std::string output = "text";
  bool check = false;
  Bench::Options options;
};

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", &parts);
  return text;
}

std::string Machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "an unnamed processor";
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) model = line.substr(line.find(':') + 2);
  }
  return std::to_string(std::thread::hardware_concurrency()) + " cores of " + model;
}

std::string WorkloadList() {
  std::string text = "Workloads:\n";
  for (const Workload& workload : AllWorkloads()) {
    std::string name = workload.name;
    name.resize(std::max<std::size_t>(name.size(), 16), ' ');
    text += "  " + name + workload.summary + "\n";
  }
  return text;
}

const Workload* Find(const std::string& name) {
  for (const Workload& workload : AllWorkloads()) {
    if (name == workload.name) return &workload;
  }
  return nullptr;
}

int Run(const Arguments& arguments) {
  std::vector<const Workload*> chosen;
  for (const std::string& name : arguments.names) {
    const Workload* workload = Find(name);
    if (workload == nullptr) {
      std::fprintf(stderr, "no workload \"%s\"\n%s", name.c_str(), WorkloadList().c_str());
      return 2;
    }
    chosen.push_back(workload);
  }
  if (chosen.empty()) {
    for (const Workload& workload : AllWorkloads()) chosen.push_back(&workload);
  }
  Bench bench(arguments.options);
  bench.results().date = Today();
  bench.results().machine = Machine();
  for (const Workload* workload : chosen) {
    bench.BeginWorkload(workload->name);
    workload->run(bench);
  }
  const Results& results = bench.results();
  if (arguments.output == "json") {
    std::printf("%s\n", ToJson(results).dump(2).c_str());
  } else {
    if (!results.figures.empty()) std::printf("%s", FigureTable(results).c_str());
    if (!results.growths.empty()) std::printf("\n%s", GrowthTable(results.growths).c_str());
  }
  return 0;
}

int Main(int count, char** words) {
  Arguments arguments;
  CLI::App app("Measures bindery against floors measured in the same run.");
  app.footer(WorkloadList());
  app.add_option("NAME", arguments.names, "Workloads; all of them unless given");
  app.add_option("-o,--output", arguments.output, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_option("--runs", arguments.options.runs, "Measurements of each figure")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--full", arguments.options.full, "The sizes that take minutes too");
  app.add_option("--bindery", arguments.options.bindery, "The program under test");
  app.add_option("--emulator", arguments.options.emulator, "The program that serves as the cloud");
  arguments.options.bindery = BINDERY_PROGRAM;
  arguments.options.emulator = BINDERY_PROGRAM;
  arguments.options.floors = BINDERY_FLOORS;
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& failure) {
    return app.exit(failure) == 0 ? 0 : 2;
  }
  try {
    HandleInterrupts();
    return Run(arguments);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench: %s\n", failure.what());
    return 2;
  }
}

}  // namespace
}  // namespace bindery::bench

int main(int count, char** words) { return bindery::bench::Main(count, words); }
