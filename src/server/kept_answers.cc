#include "server/kept_answers.h"

#include <chrono>
#include <utility>

namespace bindery::server {
namespace {

/// What the time decides, such as the end of a condition, is told so late at most.
constexpr std::chrono::seconds kLongest{1};
constexpr std::size_t kMostBytes = std::size_t{2} << 20U;
constexpr std::size_t kLongestBody = kMostBytes / 8;

}  // namespace

std::optional<KeptAnswers::Version> KeptAnswers::VersionNow() const {
  const auto content = store_.ContentVersion();
  if (!content) return std::nullopt;
  return Version(records_, *content);
}

std::optional<httpd::Response> KeptAnswers::Find(const std::string& question,
                                                 const Version& version, MonoTime now) {
  const MutexLock lock(mutex_);
  const auto found = answers_.find(question);
  if (found == answers_.end()) return std::nullopt;
  const Kept& kept = found->second;
  if (kept.version != version || now - kept.made > kLongest) return std::nullopt;
  return kept.answer;
}

httpd::Response KeptAnswers::Get(const std::string& question,
                                 const std::function<httpd::Response()>& make) {
  // Before the answer is made: a record that comes meanwhile makes the answer outdated at most.
  const auto version = VersionNow();
  if (!version) return make();
  const MonoTime now = clock_.Mono();
  if (auto kept = Find(question, *version, now)) return *std::move(kept);
  httpd::Response answer = make();
  const bool keeps =
      answer.status == 200 && answer.packed == nullptr && answer.body.size() <= kLongestBody;
  if (keeps) Keep(question, {*version, now, answer});
  return answer;
}

void KeptAnswers::Keep(const std::string& question, Kept kept) {
  const std::size_t size = kept.answer.body.size();
  const MutexLock lock(mutex_);
  if (const auto before = answers_.find(question); before != answers_.end()) {
    bytes_ -= before->second.answer.body.size();
    answers_.erase(before);
  }
  bytes_ += size;
  if (bytes_ > kMostBytes) {  // Most of the others are outdated.
    answers_.clear();
    bytes_ = size;
  }
  answers_.emplace(question, std::move(kept));
}

std::string MakeQuestion(const ApiParts& parts, const httpd::Request& request) {
  return (parts.control.ReportSettings().attribution ? "attributed " : "") + request.raw_target;
}

}  // namespace bindery::server
