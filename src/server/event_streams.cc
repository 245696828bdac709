#include "server/event_streams.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/json_text.h"
#include "core/text/printable.h"
#include "report/reports/reports.h"
#include "server/requests/replies.h"
#include "server/routes.h"

namespace bindery::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPrompt{150};     ///< What is recorded together is told together.
constexpr milliseconds kBetween{1'000};  ///< At least, between two tellings.
constexpr milliseconds kHeartbeat{15'000};
/// Per notification; a reader that wants more events gets them with the next notification.
constexpr std::size_t kMostEvents = 200;
/// A reader that missed more events continues with the newest events.
constexpr std::size_t kFarthestBehind = 10'000;

std::optional<std::int64_t> ReadId(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  std::int64_t id = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failed] = std::from_chars(text->data(), end, id);
  if (failed != std::errc() || stop != end || id < 0) return std::nullopt;
  return id;
}

std::string ComposeMessage(std::int64_t id, const Event& event) {
  const std::string data = PrintableJson(CompactJson(report::ToJson(report::EventLine{event, id})));
  return "id: " + std::to_string(id) + "\nevent: journal\ndata: " + data + "\n\n";
}

httpd::Response Head(std::int64_t last_id) {
  httpd::Response head;
  head.headers = {{"Content-Type", "text/event-stream"},
                  {"Cache-Control", "no-store"},
                  {"X-Content-Type-Options", "nosniff"},
                  // A proxy in between is not to buffer what is to go out immediately.
                  {"X-Accel-Buffering", "no"}};
  head.body = "retry: 3000\nid: " + std::to_string(last_id) + "\nevent: hello\ndata: {}\n\n";
  return head;
}

httpd::Response TooManyStreams(int status, std::string_view code, std::string_view why) {
  httpd::Response busy = ErrorReply(status, code, why);
  busy.headers.Set("Retry-After", "10");
  return busy;
}

}  // namespace

std::int64_t EventStreams::NewestId() const {
  store::EventFilter filter;
  filter.limit = 1;
  const auto events = store_.Events(filter);
  return events && !events->empty() ? events->back().first : 0;
}

/// The oldest events after `id`.
EventStreams::Events EventStreams::EventsAfter(std::int64_t id) const {
  store::EventFilter filter;
  filter.after_id = id;
  filter.limit = kFarthestBehind;
  auto events = store_.Events(filter);
  if (!events) return {};
  if (events->size() > kMostEvents) events->resize(kMostEvents);
  return std::move(*events);
}

void EventStreams::Open(const httpd::Request& request, const httpd::Responder& responder) {
  const std::int64_t newest = NewestId();
  auto wanted = ReadId(request.headers.Find("Last-Event-ID"));
  if (!wanted) wanted = ReadId(request.FindQuery("after"));
  // A last id of a lost store would never be reached again.
  const std::int64_t last_id = std::min(wanted.value_or(newest), newest);
  const std::string* only = request.FindQuery("only");
  const bool with_events = only == nullptr || *only != "changed";

  const bool named = request.peer.is_unix || !request.peer.user.empty();
  const std::string who =
      request.peer.user.empty() ? GetNetwork(request.peer) : "user " + request.peer.user;

  const MutexLock lock(mutex_);
  ForgetTheGone();
  if (CountStreams(who) >= limits_.per_reader) {
    refused_();
    return responder.Send(
        TooManyStreams(429, "RESOURCE_EXHAUSTED", "this reader has too many streams open"));
  }
  if (readers_.size() >= limits_.all && !MakePlaceFor(who, named)) {
    refused_();
    return responder.Send(TooManyStreams(503, "UNAVAILABLE", "too many streams are open"));
  }
  Reader reader{responder, responder.Begin(Head(last_id)), who, named};
  reader.last_id = last_id;
  reader.with_events = with_events;
  reader.longest =
      request.peer.by_cookie ? std::min(limits_.longest, limits_.session_longest) : limits_.longest;
  readers_.push_back(std::move(reader));
  if (with_events && last_id < newest) Schedule(milliseconds(0));
  if (!std::exchange(beating_, true)) responder.After(kHeartbeat, [this] { Beat(); });
}

std::size_t EventStreams::CountStreams(const std::string& who) const {
  return static_cast<std::size_t>(std::ranges::count(readers_, who, &Reader::who));
}

bool EventStreams::MakePlaceFor(const std::string& who, bool named) {
  // Readers are in the order of arrival: the first of equally important readers is the oldest.
  auto leaves = readers_.end();
  std::pair<bool, std::size_t> worst{false, CountStreams(who) + 1};
  for (auto reader = readers_.begin(); reader != readers_.end(); ++reader) {
    if (reader->named && !named) continue;
    const std::pair<bool, std::size_t> rank{named && !reader->named, CountStreams(reader->who)};
    if (rank <= worst) continue;
    worst = rank;
    leaves = reader;
  }
  if (leaves == readers_.end()) return false;
  leaves->stream.Close();
  readers_.erase(leaves);
  return true;
}

void EventStreams::Changed() {
  const MutexLock lock(mutex_);
  if (readers_.empty()) return;
  const auto since = std::chrono::steady_clock::now() - last_told_;
  const auto wait = kBetween - std::chrono::duration_cast<milliseconds>(since);
  Schedule(std::max(kPrompt, wait));
}

void EventStreams::Schedule(milliseconds delay) {
  if (scheduled_ || readers_.empty()) return;
  scheduled_ = true;
  readers_.back().responder.After(delay, [this] { Tell(); });
}

void EventStreams::Tell() {
  std::optional<std::int64_t> oldest;
  {
    const MutexLock lock(mutex_);
    scheduled_ = false;
    last_told_ = std::chrono::steady_clock::now();
    ForgetTheGone();
    for (const Reader& reader : readers_) {
      if (reader.with_events) oldest = std::min(oldest.value_or(reader.last_id), reader.last_id);
    }
  }
  // Not under the lock, which the store's writer takes to tell of changes.
  const Events events = oldest ? EventsAfter(*oldest) : Events();
  const MutexLock lock(mutex_);
  for (Reader& reader : readers_) {
    std::string text;
    for (const auto& [id, event] : events) {
      if (!reader.with_events || id <= reader.last_id) continue;
      text += ComposeMessage(id, event);
      reader.last_id = id;
    }
    reader.stream.Write(text + "event: changed\ndata: {}\n\n");
  }
  if (events.size() == kMostEvents) Schedule(kPrompt);
}

void EventStreams::Beat() {
  const MutexLock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  for (const Reader& reader : readers_) {
    reader.stream.Write(": still there\n\n");
    if (now - reader.since >= reader.longest) reader.stream.Close();
  }
  ForgetTheGone();
  beating_ = !readers_.empty();
  if (beating_) readers_.back().responder.After(kHeartbeat, [this] { Beat(); });
}

void EventStreams::ForgetTheGone() {
  std::erase_if(readers_, [](const Reader& reader) { return !reader.stream.is_open(); });
}

void AddStreamRoute(httpd::Router& router, EventStreams& streams) {
  router.Add("GET", "/api/v1/events/stream",
             [&streams](const httpd::Request& request, const httpd::PathParams&,
                        const httpd::Responder& responder) { streams.Open(request, responder); });
}

}  // namespace bindery::server
