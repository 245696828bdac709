#include "controller/loop/manifest_source.h"

#include <exception>
#include <utility>

namespace bindery::controller {

void ListAll(manifests::DirectoryScan& scan, ScanInput& input) {
  input.files = scan.files;
  input.manifests = scan.manifests;
  input.edit = ScanEdit{std::move(scan.changed), std::move(scan.former)};
  input.remember = std::move(scan.remember);
  input.unremember = std::move(scan.unremember);
  input.broken_files = scan.broken;
  input.problems = scan.problems;
  input.problems.insert(input.problems.end(), scan.file_problems->begin(),
                        scan.file_problems->end());
}

Expected<ManifestSource::Scanned> ScanOrFail(ManifestSource& source, ScanMode how) {
  try {
    return source.Scan(how);
  } catch (const std::exception& failure) {
    return Fail(Code::kInternal, std::string("unexpected: ") + failure.what());
  }
}

}  // namespace bindery::controller
