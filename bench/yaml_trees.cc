// Text to checked tree, as the floor libyaml_events does it: the same files, on one thread.

#include <stdexcept>
#include <string>

#include "floors/file_bytes.h"
#include "floors/floor.h"
#include "yaml/reader.h"

namespace {

constexpr const char* kUsage =
    "usage: yaml_trees FOLDER\n"
    "Reads all files of a tree and makes checked trees of their documents, on one thread.\n"
    "Prints {items, wallSeconds, cpuSeconds, documents}.\n";

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one folder");
  const floors::Stopwatch watch;
  const std::vector<std::string> files = floors::ListFiles(arguments.plain().front());
  std::string content;
  std::size_t documents = 0;
  for (const std::string& file : files) {
    floors::ReadFile(file, content);
    const bindery::yaml::ReadResult read = bindery::yaml::ReadYaml(content);
    if (!read.faults.empty()) throw std::runtime_error(file + ": " + read.faults.front().message);
    documents += read.documents.size();
  }
  nlohmann::ordered_json result = floors::Result(files.size(), watch);
  result["documents"] = documents;
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
