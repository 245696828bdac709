#include "notify/outbox.h"

#include <algorithm>
#include <utility>

#include "notify/filter.h"

namespace bindery::notify {
namespace {

/// How far back is looked for what was told already.
constexpr std::int64_t kLookBack = 2'000;
/// Number of events read at once: each event comes with its whole subject, which is large.
constexpr std::size_t kPage = 20;

}  // namespace

std::string AboutWebhook(const std::string& name) { return "webhook \"" + name + "\": "; }

bool Outbox::Wanted(const store::JournalEntry& entry) const {
  // Otherwise a receiver that was away would get messages about its own absence.
  return Passes(webhook_.filter, entry) &&
         !entry.event.message.starts_with(AboutWebhook(webhook_.name));
}

Expected<std::optional<store::WebhookRecord>> Outbox::ReadRecord() const {
  auto records = journal_.Webhooks();
  if (!records) return Fail(records.error());
  const auto found = std::ranges::find(*records, webhook_.name, &store::WebhookRecord::name);
  if (found == records->end()) return std::optional<store::WebhookRecord>();
  return std::optional<store::WebhookRecord>(std::move(*found));
}

/// Goes once more through what the webhook was told lately.
Expected<void> Outbox::Load(const store::WebhookRecord& record) {
  std::int64_t at = std::max(record.first, record.cursor - kLookBack);
  if (webhook_.repeat_interval.count() == 0) at = record.cursor;
  while (at < record.cursor) {
    const auto told = journal_.Journal({at, kPage});
    if (!told) return Fail(told.error());
    if (told->empty()) break;
    at = told->back().id;
    for (const store::JournalEntry& entry : *told) {
      if (entry.id <= record.cursor && Wanted(entry))
        std::ignore = repetitions_.Repeats(entry.event);
    }
  }
  record_ = record;
  read_ = record.cursor;
  loaded_ = true;
  return {};
}

/// The retention deletes the oldest: as long as something older is there, ids that are missing were
/// never given.
Expected<std::int64_t> Outbox::DeletedBefore(std::int64_t id) const {
  if (id <= read_ + 1) return 0;
  const auto oldest = journal_.Journal({0, 1});
  if (!oldest) return Fail(oldest.error());
  if (!oldest->empty() && oldest->front().id <= read_) return 0;
  return id - read_ - 1;
}

Expected<void> Outbox::Take(store::JournalEntry entry, Found& found) {
  const auto deleted = DeletedBefore(entry.id);
  if (!deleted) return Fail(deleted.error());
  found.deleted += *deleted;
  read_ = entry.id;
  if (!Wanted(entry)) return {};
  if (repetitions_.Repeats(entry.event)) {
    ++found.repeated;
  } else {
    waiting_.push_back(MakeNotice(std::move(entry)));
  }
  return {};
}

Expected<Outbox::Found> Outbox::Fill() {
  Found found;
  // Before the journal: what is added in between must not look as if it had been deleted.
  auto record = ReadRecord();
  if (!record) return Fail(record.error());
  if (!*record) return found;
  if (!loaded_) {
    if (auto loaded = Load(**record); !loaded) return Fail(loaded.error());
  }
  last_event_ = (*record)->last_event;
  while (waiting_.size() < kMostJoined) {
    const std::size_t room = std::min(kMostJoined - waiting_.size(), kPage);
    auto page = journal_.Journal({read_, room});
    if (!page) return Fail(page.error());
    for (store::JournalEntry& entry : *page) {
      if (auto taken = Take(std::move(entry), found); !taken) return Fail(taken.error());
    }
    if (page->size() == room) continue;
    const auto deleted = DeletedBefore(last_event_ + 1);
    if (!deleted) return Fail(deleted.error());
    found.deleted += *deleted;
    read_ = std::max(read_, last_event_);
    break;
  }
  last_event_ = std::max(last_event_, read_);
  return found;
}

std::int64_t Outbox::pending() const {
  return static_cast<std::int64_t>(waiting_.size()) + last_event_ - read_;
}

void Outbox::Done(std::size_t count) {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

std::int64_t Outbox::cursor() const { return waiting_.empty() ? read_ : waiting_.front().id - 1; }

Expected<std::size_t> CountWaiting(const config::WebhookConfig& webhook,
                                   const store::JournalReader& journal) {
  Outbox outbox(webhook, journal);
  std::size_t waiting = 0;
  for (bool more = true; more;) {
    if (auto filled = outbox.Fill(); !filled) return Fail(filled.error());
    const std::size_t count = outbox.waiting().size();
    more = count == kMostJoined;
    waiting += count;
    outbox.Done(count);
  }
  return waiting;
}

}  // namespace bindery::notify
