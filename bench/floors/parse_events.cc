// The floor of a cold start: read every file and let yaml-cpp say what is in it, on all cores.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <atomic>
#include <sstream>

#include "file_bytes.h"
#include "floor.h"

namespace {

constexpr const char* kUsage =
    "usage: parse_events FOLDER\n"
    "Reads all files of a tree and parses their YAML events (yaml-cpp), on all cores.\n"
    "Prints {items, wallSeconds, cpuSeconds, documents}.\n";

/// Does nothing but count.
class Counter : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& /*mark*/) override { ++documents; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

  std::size_t documents = 0;
};

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one folder");
  const floors::Stopwatch watch;
  const std::vector<std::string> files = floors::ListFiles(arguments.plain().front());
  std::atomic<std::size_t> documents{0};
  floors::OnAllCores(files.size(), [&](unsigned /*thread*/, std::size_t item) {
    thread_local std::string content;
    floors::ReadFile(files[item], content);
    std::istringstream stream(content);
    YAML::Parser parser(stream);
    Counter counter;
    while (parser.HandleNextDocument(counter)) {
    }
    documents += counter.documents;
  });
  nlohmann::ordered_json result = floors::Result(files.size(), watch);
  result["documents"] = documents.load();
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
