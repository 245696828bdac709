#include "inventory/inventory_scan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/text/digest.h"

namespace bindery::inventory {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A call that fails is tried so often: the pauses add up to four minutes.
constexpr int kMostTries = 12;
constexpr milliseconds kFirstPause{1'000};
constexpr milliseconds kLongestPause{32'000};

bool PassesByItself(Code code) {
  return code == Code::kResourceExhausted || code == Code::kUnavailable ||
         code == Code::kDeadlineExceeded || code == Code::kInternal;
}

/// To ask again is of no use. A service may lack a list, or have the list in another form.
bool IsRefusal(Code code) {
  return code == Code::kPermissionDenied || code == Code::kNotFound ||
         code == Code::kInvalidArgument || code == Code::kUnimplemented;
}

std::string MakeDigest(const InventoryPage& page) {
  if (!page.digest.empty()) return page.digest;
  Json content = Json::array();
  for (const InventoryPolicy& policy : page.policies) {
    content.push_back(Json::array(
        {policy.resource, policy.type, policy.kind, policy.target, policy.place, policy.bindings}));
  }
  content.push_back(page.others);
  for (const InventoryContainer& container : page.containers) {
    content.push_back(Json::array(
        {container.name, container.number, container.parent, container.shown, container.state}));
  }
  return Sha256Hex(CompactJson(content));
}

class Scan {
 public:
  Scan(const ScanParts& parts, InventoryRecord scan) : parts_(parts), scan_(std::move(scan)) {}

  Expected<InventoryRecord> Run() {
    const auto same = IsAsBefore();
    if (!same) return Fail(same.error());
    if (!*same) {
      if (auto read = ReadAll(); !read) return Fail(read.error());
    }
    scan_.finished = parts_.clock.Wall();
    if (auto finished = parts_.store.FinishInventory(scan_); !finished) {
      return Fail(finished.error());
    }
    if (parts_.memory != nullptr) Remember(*same);
    return scan_;
  }

 private:
  /// Compares the pages with those of the scan before, until one differs. If all are the same, the
  /// record of that scan is this scan's.
  Expected<bool> IsAsBefore() {
    if (parts_.memory == nullptr || parts_.memory->scan == 0) return false;
    const auto known = parts_.store.Inventories();
    if (!known) return Fail(known.error());
    const auto before = std::ranges::find(*known, parts_.memory->scan, &InventoryRecord::id);
    const bool to_carry_on = std::ranges::any_of(*known, [&](const InventoryRecord& other) {
      return !other.finished && other.provider == scan_.provider && other.scope == scan_.scope;
    });
    if (before == known->end() || !before->finished || to_carry_on) return false;
    const InventoryRecord asked = std::exchange(scan_, *before);
    scan_.started = parts_.clock.Wall();
    scan_.finished.reset();
    scan_.step = 0;
    scan_.pages = 0;
    comparing_ = true;
    auto same = ComparePages(parts_.memory->pages);
    comparing_ = false;
    if (!same || !*same) {
      scan_ = asked;
      pages_read_.clear();
    }
    return same;
  }

  Expected<bool> ComparePages(const std::vector<std::string>& before) {
    const auto steps = parts_.source.Steps().size();
    while (static_cast<std::size_t>(scan_.step) < steps) {
      const auto page = Read();
      // A refusal is for the whole scan to note.
      if (!page && IsRefusal(page.error().code)) return false;
      if (!page) return Fail(page.error());
      const auto number = static_cast<std::size_t>(scan_.pages);
      if (number >= before.size() || MakeDigest(*page) != before[number]) return false;
      if (!CheckNext(*page)) return false;
      ++scan_.pages;
      scan_.token = page->next;
      if (page->next.empty()) ++scan_.step;
      if (parts_.progress) parts_.progress(scan_);
    }
    return static_cast<std::size_t>(scan_.pages) == before.size();
  }

  void Remember(bool same) {
    ScanMemory& memory = *parts_.memory;
    memory.same = same;
    if (same) return;
    memory.scan = carried_on_ ? 0 : scan_.id;
    memory.pages = carried_on_ ? std::vector<std::string>() : std::move(digests_);
  }

  Expected<void> ReadAll() {
    if (auto begun = Begin(); !begun) return Fail(begun.error());
    const auto steps = parts_.source.Steps();
    while (static_cast<std::size_t>(scan_.step) < steps.size()) {
      const providers::InventoryStep& step = steps[static_cast<std::size_t>(scan_.step)];
      auto page = Read();
      if (!page && IsRefusal(page.error().code) && !step.needed) {
        scan_.unread.push_back(std::string(step.words) + ": " + page.error().message);
        page = InventoryPage{};
      }
      if (!page) return Fail(page.error().Wrap(step.words));
      if (auto going_on = CheckNext(*page); !going_on) {
        return Fail(going_on.error().Wrap(step.words));
      }
      if (auto kept = Keep(*page); !kept) return Fail(kept.error());
    }
    // As with keys that are no longer good: the scan before says more than nothing at all.
    if (!scan_.unread.empty() && scan_.unread.size() == steps.size()) {
      return Fail(Code::kPermissionDenied,
                  "the service refuses every list: " + scan_.unread.front());
    }
    return {};
  }

  /// Finds the scan that is to be carried on, or puts a new one on record.
  Expected<void> Begin() {
    auto known = parts_.store.Inventories();
    if (!known) return Fail(known.error());
    const WallTime now = parts_.clock.Wall();
    const auto steps = static_cast<std::int64_t>(parts_.source.Steps().size());
    const auto cut = std::ranges::find_if(*known, [&](const InventoryRecord& other) {
      return !other.finished && other.provider == scan_.provider && other.scope == scan_.scope &&
             other.step < steps && other.started <= now && now - other.started < kScanResumable;
    });
    if (cut == known->end()) return BeginAnew();
    scan_ = *cut;
    resumed_ = true;
    carried_on_ = true;
    return {};
  }

  Expected<void> BeginAnew() {
    InventoryRecord anew;
    anew.provider = scan_.provider;
    anew.scope = scan_.scope;
    anew.started = parts_.clock.Wall();
    const auto id = parts_.store.BeginInventory(anew);
    if (!id) return Fail(id.error());
    scan_ = std::move(anew);
    scan_.id = *id;
    resumed_ = false;
    carried_on_ = false;
    digests_.clear();
    pages_read_.clear();
    return {};
  }

  /// The next page.
  Expected<InventoryPage> Read() {
    milliseconds pause = kFirstPause;
    for (int tries = 1;; ++tries) {
      providers::InventoryQuestion question{scan_.scope, static_cast<std::size_t>(scan_.step),
                                            scan_.token};
      question.compare = comparing_;
      question.digest = parts_.memory != nullptr;
      auto page = parts_.source.Read(parts_.connection, question);
      if (page) {
        resumed_ = false;
        return page;
      }
      if (resumed_ && page.error().code == Code::kInvalidArgument) {
        // The service forgot what the token stands for.
        if (auto begun = BeginAnew(); !begun) return Fail(begun.error());
        continue;
      }
      if (!PassesByItself(page.error().code) || tries == kMostTries) return page;
      const milliseconds asked = page.error().retry_after.value_or(milliseconds{0});
      if (!parts_.wait(std::max(pause, std::min(asked, milliseconds(seconds(300)))))) {
        return Fail(Code::kCancelled, "the scan was ended");
      }
      pause = std::min(pause * 2, kLongestPause);
    }
  }

  /// A list whose pages name each other in a circle would be read without end.
  Expected<void> CheckNext(const InventoryPage& page) {
    if (page.next.empty()) {
      pages_read_.clear();
      return {};
    }
    pages_read_.insert(scan_.token);
    if (!pages_read_.contains(page.next)) return {};
    return Fail(Code::kInternal, "the service names a page as the next page that was read before");
  }

  Expected<void> Keep(const InventoryPage& page) {
    ++scan_.pages;
    scan_.policies += static_cast<std::int64_t>(page.policies.size());
    scan_.containers += static_cast<std::int64_t>(page.containers.size());
    for (const auto& [type, count] : page.others) scan_.others[type] += count;
    scan_.token = page.next;
    if (page.next.empty()) ++scan_.step;
    if (parts_.memory != nullptr) digests_.push_back(MakeDigest(page));
    if (auto kept = parts_.store.AddInventoryPage(scan_, page); !kept) return kept;
    if (parts_.progress) parts_.progress(scan_);
    return {};
  }

  const ScanParts& parts_;
  InventoryRecord scan_;
  bool comparing_ = false;
  bool carried_on_ = false;           ///< Some pages were read by a scan that was cut off.
  bool resumed_ = false;              ///< It was carried on, and nothing was read since.
  std::vector<std::string> digests_;  ///< Of the pages read, if there is a memory.
  std::set<std::string> pages_read_;  ///< The tokens of the list under way.
};

}  // namespace

Expected<InventoryRecord> ScanInventory(const ScanParts& parts, const std::string& scope) {
  auto read = parts.source.ReadScope(scope);
  if (!read) return Fail(read.error());
  InventoryRecord scan;
  scan.provider = parts.connection.provider;
  scan.scope = *std::move(read);
  return Scan(parts, std::move(scan)).Run();
}

}  // namespace bindery::inventory
