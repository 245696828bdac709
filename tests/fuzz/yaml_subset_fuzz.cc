// The reader of the subset and yaml-cpp make the same of every text.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/yaml_readings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bindery::yaml;
  const std::string text(data, data + size);
  Limits limits;
  // Small enough to be met.
  limits.max_depth = 8;
  limits.max_nodes = 200;
  limits.max_bytes = 4'000;
  const std::string subset = Describe(ReadYamlBy(Readers::kSubsetFirst, text, limits));
  const std::string library = Describe(ReadYamlBy(Readers::kLibraryAlone, text, limits));
  if (subset == library) return 0;
  std::fprintf(stderr, "with the subset:\n%syaml-cpp alone:\n%s", subset.c_str(), library.c_str());
  std::abort();
}
