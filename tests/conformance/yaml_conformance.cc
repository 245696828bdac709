// Reads all texts of a folder with the reader of the subset and with yaml-cpp alone:
// yaml_conformance FOLDER. Ends with 1 if the two make different trees or faults of a text.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/yaml_readings.h"

namespace {

std::string ContentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

int Compare(const char* folder) {
  using namespace bindery::yaml;
  int texts = 0;
  int different = 0;
  SubsetShare share;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = ContentOf(entry.path());
    ++texts;
    CountSubset(text, share);
    const std::string subset = Describe(ReadYamlBy(Readers::kSubsetFirst, text));
    const std::string library = Describe(ReadYamlBy(Readers::kLibraryAlone, text));
    if (subset == library) continue;
    ++different;
    std::printf("%s\nwith the subset:\n%syaml-cpp alone:\n%s\n", entry.path().c_str(),
                subset.c_str(), library.c_str());
  }
  std::printf("%d texts: %d of %d documents are of the subset, %d texts are read differently\n",
              texts, share.read, share.all, different);
  return different > 0 || share.read == 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: yaml_conformance FOLDER\n");
    return 2;
  }
  try {
    return Compare(words[1]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "yaml_conformance: %s\n", failure.what());
    return 2;
  }
}
