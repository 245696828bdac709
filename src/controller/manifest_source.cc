#include "controller/manifest_source.h"

namespace bindery {

void ListAll(const DirectoryScan& scan, ScanInput& input) {
  input.files = scan.files;
  input.manifests = scan.manifests;
  input.edit = ScanEdit{scan.changed, scan.former};
  input.remember = scan.remember;
  input.unremember = scan.unremember;
  input.broken_files = scan.broken;
  input.problems = scan.problems;
  input.problems.insert(input.problems.end(), scan.file_problems.begin(), scan.file_problems.end());
}

}  // namespace bindery
