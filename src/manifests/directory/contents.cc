#include "manifests/directory/contents.h"

#include <algorithm>
#include <utility>

#include "core/base/mutex.h"
#include "core/base/parallel_for.h"
#include "core/text/digest.h"

namespace bindery::manifests {
namespace {

bool IsUndecodable(const FileContent& content) {
  return content.manifests.empty() &&
         std::any_of(content.problems.begin(), content.problems.end(), [](const Problem& problem) {
           return problem.severity == ProblemSeverity::kError && problem.code == "InvalidText";
         });
}

bool IsTroubled(const FileContent& content) { return !content.problems.empty() || content.blank; }

/// On all cores: a start hashes a hundred thousand of them.
DigestSum SumUp(const FileList& files) {
  std::vector<const FileContent*> contents;
  contents.reserve(files.size());
  for (const SharedFile& file : files) contents.push_back(file.get());
  struct {
    Mutex mutex;
    DigestSum sum GUARDED_BY(mutex);
  } shared;
  ParallelFor(contents.size(), [&](std::size_t from, std::size_t to) {
    DigestSum share;
    for (std::size_t i = from; i < to; ++i) share.Add(MakeDigest(*contents[i]));
    const MutexLock lock(shared.mutex);
    shared.sum.Add(share);
  });
  const MutexLock lock(shared.mutex);
  return shared.sum;
}

}  // namespace

void Contents::Become(FileList files) {
  if (files_.empty()) {
    const DigestSum sum = SumUp(files);
    return Become(std::move(files), sum);
  }
  FileList::Compare(files_, files, [this](const SharedFile& before, const SharedFile& after) {
    Exchange(before, after);
  });
  files_ = std::move(files);
}

void Contents::Become(FileList files, const DigestSum& sum) {
  *this = {};
  for (const SharedFile& file : files) TakeUp(file);
  files_ = std::move(files);
  sum_ = sum;
}

void Contents::Put(SharedFile file) {
  Exchange(files_.Find(file->path), file);
  files_.Put(std::move(file));
}

void Contents::Remove(const std::string& path) {
  Exchange(files_.Find(path), nullptr);
  files_.Remove(path);
}

void Contents::Exchange(const SharedFile& before, const SharedFile& after) {
  if (before != nullptr) {
    sum_.Subtract(MakeDigest(*before));
    manifest_count_ -= before->manifests.size();
    if (IsTroubled(*before)) {
      troubled_.erase(before->path);
      undecodable_.erase(before->path);
    }
  }
  if (after == nullptr) return;
  sum_.Add(MakeDigest(*after));
  TakeUp(after);
}

void Contents::TakeUp(const SharedFile& file) {
  manifest_count_ += file->manifests.size();
  if (!IsTroubled(*file)) return;
  troubled_[file->path] = file;
  if (IsUndecodable(*file)) undecodable_.insert(file->path);
}

std::vector<Problem> Contents::Problems() const {
  std::vector<Problem> problems;
  for (const auto& [path, file] : troubled_) {
    problems.insert(problems.end(), file->problems.begin(), file->problems.end());
  }
  return problems;
}

std::vector<UnreadItem> Contents::Unread() const {
  std::vector<UnreadItem> unread;
  for (const auto& [path, file] : troubled_) {
    const auto error = std::find_if(
        file->problems.begin(), file->problems.end(),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::kError; });
    if (error != file->problems.end()) {
      unread.push_back(
          {path, "holds errors (line " + std::to_string(error->line) + ": " + error->message + ")",
           file->digest});
    } else if (file->blank) {
      unread.push_back({path, "holds no document", file->digest});
    }
  }
  return unread;
}

std::string Contents::Digest(const std::set<std::string>& broken,
                             const std::vector<Problem>& problems) const {
  std::string text = sum_.Bytes();
  for (const std::string& path : broken) text.append(path).append(1, '\0');
  text.append(1, '\0');
  for (const Problem& problem : problems) {
    text.append(problem.file).append(1, '\0').append(problem.code).append(1, '\0');
    text.append(problem.message).append(1, '\0');
  }
  return Sha256Hex(text);
}

}  // namespace bindery::manifests
