#include "controller/manifest_source.h"

namespace bindery {

void ListManifests(const DirectoryScan& scan, ScanInput& input) {
  input.problems = scan.problems;
  input.broken_files = scan.broken;
  input.manifests.clear();
  for (const SharedFile& content : scan.files) {
    input.manifests.insert(input.manifests.end(), content->manifests.begin(),
                           content->manifests.end());
    input.problems.insert(input.problems.end(), content->problems.begin(), content->problems.end());
  }
}

}  // namespace bindery
