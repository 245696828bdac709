#include "identity/sessions.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/base/private_file.h"
#include "core/base/whole_file.h"
#include "core/text/random_text.h"
#include "core/text/time_text.h"
#include "identity/token.h"

namespace bindery::identity {
namespace {

/// Of a file of sessions; far more than all sessions with many groups.
constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

bool IsSame(const Person& a, const Person& b) {
  return a.issuer == b.issuer && a.subject == b.subject;
}

/// Of the entries that `counts` names, the oldest by `time` goes.
template <typename Map, typename Time, typename Counts>
void DropOldest(Map& map, Time time, Counts counts) {
  auto oldest = map.end();
  for (auto one = map.begin(); one != map.end(); ++one) {
    if (!counts(one->second)) continue;
    if (oldest == map.end() || time(one->second) < time(oldest->second)) oldest = one;
  }
  if (oldest != map.end()) map.erase(oldest);
}

}  // namespace

std::string Sessions::Expect(PendingSignIn pending) {
  const WallTime now = clock_.Wall();
  std::string cookie = RandomText();
  const MutexLock lock(mutex_);
  std::erase_if(pending_, [now](const auto& one) { return now >= one.second.second + kPatience; });
  if (pending_.size() >= kMostPending) MakePlaceForSignIn();
  pending_[Sha256Digest::Of(cookie)] = {std::move(pending), now};
  return cookie;
}

std::optional<PendingSignIn> Sessions::Take(const std::string& cookie) {
  const MutexLock lock(mutex_);
  const auto found = pending_.find(Sha256Digest::Of(cookie));
  if (found == pending_.end()) return std::nullopt;
  const auto [pending, since] = std::move(found->second);
  pending_.erase(found);
  if (clock_.Wall() >= since + kPatience) return std::nullopt;
  return pending;
}

void Sessions::MakePlaceForSignIn() {
  // The origin that begins the most sign-ins gives way, so that nobody can push out all others.
  std::map<std::string, std::size_t> counts;
  for (const auto& [cookie, one] : pending_) ++counts[one.first.origin];
  const auto most = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  DropOldest(
      pending_, [](const auto& one) { return one.second; },
      [&](const auto& one) { return one.first.origin == most->first; });
}

void Sessions::MakePlaceFor(const Person& person) {
  const auto own = std::ranges::count_if(
      sessions_, [&](const auto& one) { return IsSame(one.second.person, person); });
  if (static_cast<std::size_t>(own) >= kMostOfOne) {
    DropOldest(
        sessions_, [](const Session& one) { return one.since; },
        [&](const Session& one) { return IsSame(one.person, person); });
  }
  if (sessions_.size() >= kMost) {
    DropOldest(
        sessions_, [](const Session& one) { return one.used; },
        [](const Session& /*one*/) { return true; });
  }
}

std::string Sessions::Begin(Person person) {
  const WallTime now = clock_.Wall();
  std::string cookie = RandomText();
  const MutexLock lock(mutex_);
  MakePlaceFor(person);
  sessions_[Sha256Digest::Of(cookie)] = {std::move(person), now, now};
  changed_ = true;
  return cookie;
}

std::optional<Person> Sessions::Find(const std::string& cookie, const Limits& limits, bool used) {
  const WallTime now = clock_.Wall();
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(Sha256Digest::Of(cookie));
  if (found == sessions_.end()) return std::nullopt;
  Session& session = found->second;
  // A clock that was put back is no longer life.
  const bool timely = now >= session.since && now < session.since + limits.lifetime &&
                      now < session.used + limits.idle;
  if (!timely) {
    sessions_.erase(found);
    changed_ = true;
    return std::nullopt;
  }
  // Worth a place in the file at the end, not a write for each request.
  constexpr std::chrono::minutes kNotable{1};
  if (used && now >= session.used + kNotable) changed_ = true;
  if (used) session.used = std::max(session.used, now);
  return session.person;
}

void Sessions::End(const std::string& cookie) {
  const MutexLock lock(mutex_);
  if (sessions_.erase(Sha256Digest::Of(cookie)) > 0) changed_ = true;
}

bool Sessions::changed() {
  const MutexLock lock(mutex_);
  return changed_;
}

std::string Sessions::TextToSave() {
  const MutexLock lock(mutex_);
  Json list = Json::array();
  for (const auto& [digest, session] : sessions_) {
    list.push_back({{"digest", digest.Hex()},
                    {"issuer", session.person.issuer},
                    {"subject", session.person.subject},
                    {"email", session.person.email},
                    {"groups", session.person.groups},
                    {"since", FormatRfc3339(session.since)},
                    {"used", FormatRfc3339(session.used)}});
  }
  // What cannot be written now is tried again with the next change.
  changed_ = false;
  return CompactJson(Json{{"sessions", std::move(list)}}) + "\n";
}

Expected<void> Sessions::Save(const std::filesystem::path& file) {
  // A slow disk holds up no request.
  const std::string text = TextToSave();
  if (ReplacePrivateFile(file.string(), text, /*to_disk=*/false)) return {};
  return Fail(Code::kInternal,
              "\"" + file.string() + "\" cannot be written: " + PrivateFileFailure(errno));
}

Expected<void> Sessions::Load(const std::filesystem::path& file) {
  const auto unusable = [&] {
    return Fail(Code::kInternal, "\"" + file.string() + "\" is no file of sessions");
  };
  // Never waits for a pipe in the place of the file, and follows no link.
  const int opened = OpenPrivateFile(file.string(), O_RDONLY);
  if (opened < 0 && errno == ENOENT) return {};
  if (opened < 0) return unusable();
  const auto text = ReadAll(opened, kLargestFile);
  ::close(opened);
  const auto document = ParseJson(text.value_or(""));
  const Json* const list = document ? FindMember(*document, "sessions") : nullptr;
  if (list == nullptr || !list->is_array()) return unusable();
  const MutexLock lock(mutex_);
  for (const Json& one : *list) {
    const Sha256Digest digest = Sha256Digest::FromHex(StringMember(one, "digest"));
    const auto since = ParseRfc3339(StringMember(one, "since"));
    const auto used = ParseRfc3339(StringMember(one, "used"));
    auto groups = GroupsIn(one, "groups");
    if (digest.empty() || !since || !used || !groups) return unusable();
    Person person{StringMember(one, "issuer"), StringMember(one, "subject"),
                  StringMember(one, "email"), groups->value_or(std::vector<std::string>())};
    if (sessions_.size() < kMost)
      sessions_.try_emplace(digest, Session{std::move(person), *since, *used});
  }
  return {};
}

}  // namespace bindery::identity
