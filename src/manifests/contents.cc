#include "manifests/contents.h"

#include <algorithm>
#include <utility>

#include "core/digest.h"

namespace bindery {
namespace {

/// Little-endian, whatever the machine.
std::array<std::uint64_t, 4> WordsOf(const Sha256Digest& digest) {
  std::array<std::uint64_t, 4> words = {};
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    words[i / 8] |= std::uint64_t{digest.bytes[i]} << (8 * (i % 8));
  }
  return words;
}

/// Paths hold no NUL.
Sha256Digest DigestOf(const FileContent& file) {
  std::string text;
  text.reserve(file.path.size() + 1 + file.digest.size());
  text.append(file.path).append(1, '\0').append(file.digest);
  return Sha256Digest::Of(text);
}

bool IsUndecodable(const FileContent& content) {
  return content.manifests.empty() &&
         std::any_of(content.problems.begin(), content.problems.end(), [](const Problem& problem) {
           return problem.severity == ProblemSeverity::kError && problem.code == "InvalidText";
         });
}

}  // namespace

void DigestSum::Add(const Sha256Digest& digest) {
  const std::array<std::uint64_t, 4> other = WordsOf(digest);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t partial = words_[i] + other[i];
    const std::uint64_t sum = partial + carry;
    carry = (partial < other[i] || sum < partial) ? 1 : 0;
    words_[i] = sum;
  }
}

void DigestSum::Subtract(const Sha256Digest& digest) {
  const std::array<std::uint64_t, 4> other = WordsOf(digest);
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t partial = words_[i] - other[i];
    const std::uint64_t difference = partial - borrow;
    borrow = (words_[i] < other[i] || partial < borrow) ? 1 : 0;
    words_[i] = difference;
  }
}

std::string DigestSum::Bytes() const {
  std::string bytes;
  for (const std::uint64_t word : words_) {
    for (unsigned int i = 0; i < 8; ++i) bytes += static_cast<char>((word >> (8 * i)) & 0xFFU);
  }
  return bytes;
}

void Contents::Become(FileList files) {
  FileList::Compare(files_, files, [this](const SharedFile& before, const SharedFile& after) {
    Exchange(before, after);
  });
  files_ = std::move(files);
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
    sum_.Subtract(DigestOf(*before));
    manifest_count_ -= before->manifests.size();
    if (!before->problems.empty()) {
      troubled_.erase(before->path);
      undecodable_.erase(before->path);
    }
  }
  if (after == nullptr) return;
  sum_.Add(DigestOf(*after));
  manifest_count_ += after->manifests.size();
  if (after->problems.empty()) return;
  troubled_[after->path] = after;
  if (IsUndecodable(*after)) undecodable_.insert(after->path);
}

std::vector<Problem> Contents::Problems() const {
  std::vector<Problem> problems;
  for (const auto& [path, file] : troubled_) {
    problems.insert(problems.end(), file->problems.begin(), file->problems.end());
  }
  return problems;
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

}  // namespace bindery
