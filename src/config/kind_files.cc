#include "config/kind_files.h"

#include <string>
#include <utility>

#include "config/config_file.h"
#include "config/reading.h"
#include "providers/registry/providers.h"
#include "yaml/reader.h"

namespace bindery::config {
namespace {

/// The rows of one file.
struct OneKindFile {
  Reading reading;
  providers::KindRows rows;
};

OneKindFile ReadKindFile(const std::filesystem::path& file) {
  OneKindFile read;
  read.reading.file = file.string();
  const Expected<std::string> text = ReadConfigFile(file);
  if (!text) {
    read.reading.Add({}, "", text.error().message);
    return read;
  }
  const yaml::ReadResult documents = yaml::ReadYaml(*text);
  for (const yaml::Fault& fault : documents.faults) read.reading.Add(fault.at, "", fault.message);
  if (documents.documents.size() > 1) {
    read.reading.Add(documents.documents[1].at, "", "a file of kinds is one document");
  }
  if (documents.documents.empty() || !documents.faults.empty()) return read;
  ReadKindRows(read.reading, documents.documents.front().root, read.rows);
  return read;
}

}  // namespace

KindFiles ReadKindFiles(const std::vector<std::filesystem::path>& files) {
  std::vector<OneKindFile> read;
  KindFiles all;
  std::vector<std::pair<std::size_t, std::size_t>>
      places;  // Of each row: its file, and which there.
  for (const std::filesystem::path& file : files) {
    read.push_back(ReadKindFile(file));
    for (std::size_t i = 0; i < read.back().rows.size(); ++i) {
      places.emplace_back(read.size() - 1, i);
      all.rows.push_back(read.back().rows[i]);
    }
  }
  for (const providers::KindRowFault& fault : providers::KindsOfFiles().Check(all.rows)) {
    Reading& reading = read[places[fault.row].first].reading;
    const std::string row = "kinds[" + std::to_string(places[fault.row].second) + "]";
    const std::string key = fault.key.empty() ? row : row + "." + fault.key;
    if (!reading.Faulty(key)) reading.Add(reading.Where(key), key, fault.message);
  }
  for (OneKindFile& one : read) {
    auto ordered = MakeResult(std::move(one.reading));
    if (ordered) continue;
    for (ConfigProblem& problem : ordered.error()) all.problems.push_back(std::move(problem));
  }
  return all;
}

}  // namespace bindery::config
