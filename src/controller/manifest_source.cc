#include "controller/manifest_source.h"

namespace bindery {

void ListAll(const DirectoryScan& scan, ScanInput& input) {
  input.files.assign(scan.files.begin(), scan.files.end());
  input.broken_files = scan.broken;
  input.problems = scan.problems;
  input.problems.insert(input.problems.end(), scan.file_problems.begin(), scan.file_problems.end());
}

}  // namespace bindery
