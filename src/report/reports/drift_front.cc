#include "report/reports/drift_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/access/drift.h"

namespace bindery::report {
namespace {

std::int64_t Millis(std::chrono::system_clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

}  // namespace

bool DriftFront::IsSmall() const {
  constexpr std::size_t kMost = 10'000;
  return head.accepted.size() + head.notes.size() + head.failing.size() + head.expiring.size() <=
         kMost;
}

Expected<DriftFront> ReadDriftFront(const store::ReportReader& store, const DriftScope& scope) {
  constexpr std::size_t kFirst = 1'000;
  const auto document = ReadDriftDocument(store, scope);
  if (!document) return Fail(document.error());
  const DriftDocument::Entries& entries = (*document)->entries();
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(entries.size(), kFirst));
  DriftFront front{(*document)->head(), {entries.begin(), end}, entries.size()};
  front.head.unmanaged.reset();
  return front;
}

DriftListing MakeListing(const KeptAnswer<DriftFront>& front, const DriftScope& scope,
                         const ListSlice& slice) {
  DriftListing listing{{front->head, {}}, slice};
  listing.generated_at = front.as_of;
  if (scope.unmanaged != nullptr) listing.unmanaged = *scope.unmanaged;
  return listing;
}

std::string MakeQuestion(const DriftScope& scope) {
  // How far back a report goes is told from now on, so that the question is the same later.
  const auto back = scope.resolved_since ? std::optional(Millis(scope.now - *scope.resolved_since))
                                         : std::nullopt;
  const auto previous =
      scope.previous ? std::optional(Millis(scope.previous->time_since_epoch())) : std::nullopt;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", back ? fmt::to_string(*back) : "",
                     previous ? fmt::to_string(*previous) : "", static_cast<int>(scope.least),
                     static_cast<int>(scope.mode), scope.expiring_within.count(), scope.attribution,
                     scope.foreign_first);
}

Expected<KeptAnswer<DriftFront>> GetDriftFront(KeptValue<DriftFront>& kept,
                                               const store::ReportReader& store,
                                               const DriftScope& scope) {
  return kept.Get(store, scope.now, MakeQuestion(scope),
                  [&store, scope] { return ReadDriftFront(store, scope); });
}

}  // namespace bindery::report
