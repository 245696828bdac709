// cel_conformance DIRECTORY: runs the files *.textproto of the conformance suite of the Common
// Expression Language (tests/simple/testdata of its specification) and prints what agrees, file by
// file. Ends with 1 when anything disagrees or cannot be read.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "conformance/cel_suite.h"

namespace {

namespace fs = std::filesystem;
using bindery::conformance::ProtoField;
using bindery::conformance::Verdict;

using Counts = std::map<Verdict, int>;

void RunSection(const ProtoField& section, const std::string& file, Counts& counts) {
  for (const ProtoField& test : section.fields) {
    if (test.name != "test") continue;
    const auto outcome = bindery::conformance::RunTest(test);
    ++counts[outcome.verdict];
    if (outcome.verdict == Verdict::kAgreed || outcome.verdict == Verdict::kSkipped) continue;
    std::printf("%s/%s/%s: %s\n  expected %s\n", file.c_str(), section.Text("name").c_str(),
                test.Text("name").c_str(), test.Text("expr").c_str(), outcome.detail.c_str());
  }
}

void PrintCounts(const std::string& name, const Counts& counts) {
  const auto of = [&counts](Verdict verdict) {
    const auto found = counts.find(verdict);
    return found == counts.end() ? 0 : found->second;
  };
  std::printf("%-16s %6d %9d %10d %7d\n", name.c_str(), of(Verdict::kAgreed),
              of(Verdict::kDisagreed), of(Verdict::kNotParsed), of(Verdict::kSkipped));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: cel_conformance DIRECTORY\n");
    return 2;
  }
  std::set<fs::path> paths;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(arguments[1], failed)) {
    if (entry.path().extension() == ".textproto") paths.insert(entry.path());
  }
  if (paths.empty()) {
    std::fprintf(stderr, "no *.textproto in %s\n", arguments[1]);
    return 2;
  }
  std::map<std::string, Counts> files;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto document = bindery::conformance::ReadTextProto(text.str());
    if (!document) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), document.error().message.c_str());
      return 2;
    }
    Counts& counts = files[path.stem().string()];
    for (const ProtoField& section : document->fields) {
      if (section.name == "section") RunSection(section, path.stem().string(), counts);
    }
  }
  std::printf("%-16s %6s %9s %10s %7s\n", "file", "agreed", "disagreed", "not parsed", "skipped");
  Counts all;
  for (const auto& [name, counts] : files) {
    PrintCounts(name, counts);
    for (const auto& [verdict, number] : counts) all[verdict] += number;
  }
  PrintCounts("all", all);
  return all[Verdict::kDisagreed] + all[Verdict::kNotParsed] == 0 ? 0 : 1;
}
