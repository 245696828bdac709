// The floor of reading manifests: read every file and let libyaml say what is in it, on one thread.

#include <yaml.h>

#include <stdexcept>
#include <string>

#include "file_bytes.h"
#include "floor.h"

namespace {

constexpr const char* kUsage =
    "usage: libyaml_events FOLDER\n"
    "Reads all files of a tree and parses their YAML events (libyaml), on one thread.\n"
    "Prints {items, wallSeconds, cpuSeconds, documents}.\n";

/// The documents of a text.
std::size_t CountDocuments(const std::string& text) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) throw std::runtime_error("no memory");
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
  std::size_t documents = 0;
  for (bool more = true; more;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) throw std::runtime_error(parser.problem);
    if (event.type == YAML_DOCUMENT_START_EVENT) ++documents;
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return documents;
}

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one folder");
  const floors::Stopwatch watch;
  const std::vector<std::string> files = floors::ListFiles(arguments.plain().front());
  std::string content;
  std::size_t documents = 0;
  for (const std::string& file : files) {
    floors::ReadFile(file, content);
    documents += CountDocuments(content);
  }
  nlohmann::ordered_json result = floors::Result(files.size(), watch);
  result["documents"] = documents;
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
