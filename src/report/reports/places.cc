#include "report/reports/places.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "report/access/target_places.h"
#include "report/reports/target_lines.h"

namespace bindery::report {
namespace {

constexpr std::size_t kPlacesShown = 25;
static_assert(kUnknownPlace == TargetPlaces::kUnknown);

/// The first by the order; of equals the first by name.
template <typename Of>
std::vector<PlaceLine> FirstBy(std::vector<PlaceLine> lines, Of of) {
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const PlaceLine& a, const PlaceLine& b) { return of(b) < of(a); });
  if (lines.size() > kPlacesShown) lines.resize(kPlacesShown);
  return lines;
}

/// What is worst comes first.
auto RankBadness(const PlaceLine& line) {
  const int severity = line.severity ? static_cast<int>(*line.severity) : -1;
  return std::tuple(severity, line.undeclared, line.differences);
}

}  // namespace

Expected<PlaceLines> ReadPlaces(const store::ReportReader& store) {
  const auto known = TargetPlaces::Read(store);
  if (!known) return Fail(known.error());
  std::map<std::string, PlaceLine> lines;
  const auto read = EachTargetLine(store, {}, {}, [&](const TargetLine& target) {
    const std::string place = known->Find({target.kind, target.scope, target.target});
    PlaceLine& line = lines[place.empty() ? target.provider : place];
    const auto differences = static_cast<std::int64_t>(target.open + target.held);
    ++line.targets;
    line.differing += differences > 0 ? 1 : 0;
    line.differences += differences;
    line.undeclared += target.undeclared;
    line.grants += target.grants;
    line.severity = std::max(line.severity, target.severity);
  });
  if (!read) return Fail(read.error());
  std::vector<PlaceLine> all;
  for (auto& [place, line] : lines) {
    line.place = place;
    all.push_back(std::move(line));
  }
  PlaceLines places;
  places.total = static_cast<std::int64_t>(all.size());
  places.first = FirstBy(all, RankBadness);
  places.most_undeclared =
      FirstBy(std::move(all), [](const PlaceLine& line) { return line.undeclared; });
  return places;
}

}  // namespace bindery::report
