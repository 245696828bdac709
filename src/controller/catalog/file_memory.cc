#include "controller/catalog/file_memory.h"

#include <algorithm>
#include <utility>

#include "core/base/parallel_for.h"

namespace bindery::controller {
namespace {

store::ManifestProblemRecord MakeProblemRecord(const manifests::Problem& problem) {
  return {problem.file,
          problem.line,
          problem.column,
          problem.path,
          problem.severity == manifests::ProblemSeverity::kError ? "error" : "warning",
          problem.code,
          problem.message,
          problem.resource};
}

}  // namespace

void FileMemory::Remember(const ScanInput& scan, store::StoreChange& change) const {
  change.forget_files.insert(change.forget_files.end(), scan.unremember.begin(),
                             scan.unremember.end());
  if (!trusted_) return;
  std::vector<char> in_force(scan.remember.size());
  ParallelFor(in_force.size(), [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      in_force[i] = IsInForce(*scan.remember[i].content) ? 1 : 0;
  });
  std::vector<const manifests::DirectoryScan::Remembered*> kept;
  kept.reserve(in_force.size());
  for (std::size_t i = 0; i < in_force.size(); ++i) {
    const manifests::DirectoryScan::Remembered& file = scan.remember[i];
    if (in_force[i] != 0) {
      kept.push_back(&file);
    } else {
      change.forget_files.push_back(file.content->path);
    }
  }
  const auto record = [&kept](std::size_t i) {
    return store::FileRecord{kept[i]->content->path, kept[i]->stamp, kept[i]->content->digest};
  };
  AppendInShares(kept.size(), record, change.upsert_files);
}

bool FileMemory::IsInForce(const manifests::FileContent& file) const {
  // That a file is blank has to be seen again.
  if (!file.problems.empty() || file.blank) return false;
  return std::all_of(file.manifests.begin(), file.manifests.end(), [this](const auto& manifest) {
    const ResourceEntry* entry = claims_.FindResource(manifest->name);
    return entry != nullptr && entry->manifest == manifest && entry->accepted &&
           !entry->standing.rejected;
  });
}

void FileMemory::RecordScan(const ScanInput& scan, const Now& now, ScanOutcome& outcome) {
  std::vector<store::ManifestProblemRecord> problems;
  for (const manifests::Problem& problem : scan.problems)
    problems.push_back(MakeProblemRecord(problem));
  for (const manifests::Problem& problem : outcome.conflicts)
    problems.push_back(MakeProblemRecord(problem));
  generation_ = {};
  generation_.time = now.wall;
  generation_.digest = scan.digest;
  generation_.files = static_cast<std::int64_t>(scan.files.size());
  generation_.manifests = static_cast<std::int64_t>(scan.manifests);
  generation_.problems = static_cast<std::int64_t>(problems.size());
  outcome.change.generation = LastGeneration();
  outcome.change.problems = std::move(problems);
}

store::GenerationRecord FileMemory::LastGeneration() const {
  store::GenerationRecord generation = generation_;
  // Without rules no start matches the record, and a start reads everything, as without a store.
  generation.rules = trusted_ ? settings_.rules : std::string();
  return generation;
}

}  // namespace bindery::controller
