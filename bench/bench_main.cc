// bindery_bench: runs workloads against the real program and prints what they cost.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/child_process.h"
#include "harness/document.h"
#include "harness/files.h"
#include "harness/verdict.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitFault = 1;
constexpr int kExitError = 2;

struct Arguments {
  std::vector<std::string> names;
  std::string output = "text";
  bool check = false;
  bool strict = false;
  bool write_docs = false;
  bool plots = false;
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

/// The workloads by these names, all for none; nothing when a name is unknown, which it says.
std::vector<const Workload*> Choose(const std::vector<std::string>& names) {
  std::vector<const Workload*> chosen;
  for (const std::string& name : names) {
    const Workload* workload = Find(name);
    if (workload == nullptr) {
      std::fprintf(stderr, "bench: no workload \"%s\"\n%s", name.c_str(), WorkloadList().c_str());
      return {};
    }
    chosen.push_back(workload);
  }
  if (!chosen.empty()) return chosen;
  for (const Workload& workload : AllWorkloads()) chosen.push_back(&workload);
  return chosen;
}

void Print(const Results& results, const std::string& form) {
  if (form == "json") {
    std::printf("%s\n", ToJson(results).dump(2).c_str());
    return;
  }
  if (!results.figures.empty()) std::printf("%s", FigureTable(results).c_str());
  if (!results.growths.empty()) std::printf("\n%s", GrowthTable(results.growths).c_str());
  if (!results.slopes.empty()) std::printf("\n%s", SlopeTable(results.slopes).c_str());
  if (!results.peers.empty()) std::printf("\n%s", PeerTable(results.peers).c_str());
}

/// Tells what was found; the exit code it calls for. `subject`: what had to be judged.
int Report(const Verdict& verdict, const char* subject) {
  if (!verdict.judged) {
    std::fprintf(stderr, "bench: nothing to judge: no %s was measured\n", subject);
    return kExitError;
  }
  for (const std::string& fault : verdict.faults) {
    std::fprintf(stderr, "bench: %s\n", fault.c_str());
  }
  return verdict.faults.empty() ? kExitOk : kExitFault;
}

/// The exit code that the results call for.
int Judge(const Results& results, const Arguments& arguments) {
  int code = kExitOk;
  if (arguments.check) code = Report(JudgeGrowth(results), "growth");
  if (arguments.strict) {
    code = std::max(code, Report(JudgeTargets(results), "figure that has a target"));
  }
  return code;
}

/// Whether what --check judges is going to be measured; said now, not after minutes of measuring.
bool CanCheck(const std::vector<const Workload*>& chosen) {
  const bool can = std::any_of(chosen.begin(), chosen.end(), [](const Workload* workload) {
    const std::string name = workload->name;
    return name == "growth" || name == "people";
  });
  if (!can) {
    std::fprintf(stderr, "bench: --check judges the workloads growth and people: name one\n");
  }
  return can;
}

void WarnOfMemoryFolder() {
  const std::string folder = std::filesystem::temp_directory_path().string();
  if (!IsInMemory(folder)) return;
  std::fprintf(stderr,
               "bench: %s is kept in memory: writes to disk count as 0 and cost nothing; set "
               "TMPDIR to a folder on a disk\n",
               folder.c_str());
}

int Run(const Arguments& arguments) {
  const std::vector<const Workload*> chosen = Choose(arguments.names);
  if (chosen.empty()) return kExitError;
  if (arguments.check && !CanCheck(chosen)) return kExitError;
  WarnOfMemoryFolder();
  Bench bench(arguments.options);
  bench.results().date = Today();
  bench.results().machine = Machine();
  for (const Workload* workload : chosen) {
    bench.BeginWorkload(workload->name);
    workload->run(bench);
  }
  const Results& results = bench.results();
  Print(results, arguments.output);
  Expected<void> written;
  if (arguments.write_docs) written = WriteTables(BINDERY_SOURCE "/docs/performance.md", results);
  if (written && arguments.plots) {
    written = WritePlots(BINDERY_SOURCE "/docs/performance", results);
  }
  if (!written) {
    std::fprintf(stderr, "bench: %s\n", ToString(written.error()).c_str());
    return kExitError;
  }
  return Judge(results, arguments);
}

int Main(int count, char** words) {
  Arguments arguments;
  CLI::App app("Measures bindery against floors measured in the same run.");
  app.footer(WorkloadList() +
             "Exit codes: 0, also when a figure misses its target (met: NO) unless --strict is "
             "given;\n  1 when --check or --strict finds a fault; 2 when the run fails or there is "
             "nothing to judge\n");
  app.add_option("NAME", arguments.names, "Workloads; all of them unless given");
  app.add_option("-o,--output", arguments.output, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_option("--runs", arguments.options.runs, "Measurements of each figure")
      ->check(CLI::Range(1, 1000));
  app.add_option("--targets", arguments.options.targets, "Targets of the workload database")
      ->check(CLI::Range(100, 10'000'000));
  app.add_flag("--full", arguments.options.full, "The sizes that take minutes too");
  app.add_flag(
      "--check", arguments.check,
      "Exit with 1 when a cost grows faster than it may; needs the workload growth or people");
  app.add_flag("--strict", arguments.strict, "Exit with 1 when a figure misses its target");
  app.add_flag("--write-docs", arguments.write_docs, "Put the tables into docs/performance.md");
  app.add_flag("--plots", arguments.plots, "Draw the growth into docs/performance/");
  app.add_option("--perf", arguments.options.profiles,
                 "Have perf record each daemon into this folder (see ./dev profile)");
  app.add_option("--bindery", arguments.options.bindery, "The program under test");
  app.add_option("--emulator", arguments.options.emulator, "The program that serves as the cloud");
  arguments.options.bindery = BINDERY_PROGRAM;
  arguments.options.emulator = BINDERY_PROGRAM;
  arguments.options.floors = BINDERY_FLOORS;
  arguments.options.peers = BINDERY_SOURCE "/bench/peers";
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& failure) {
    return app.exit(failure) == 0 ? kExitOk : kExitError;
  }
  try {
    HandleInterrupts();
    return Run(arguments);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench: %s\n", failure.what());
    return kExitError;
  }
}

}  // namespace
}  // namespace bindery::bench

int main(int count, char** words) { return bindery::bench::Main(count, words); }
