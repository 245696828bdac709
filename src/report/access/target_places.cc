#include "report/access/target_places.h"

#include "access/places.h"
#include "core/access/inventory.h"
#include "core/text/text_search.h"
#include "providers/resource_place.h"

namespace bindery::report {

Expected<TargetPlaces> TargetPlaces::Read(const store::ReportReader& store) {
  TargetPlaces places;
  auto read = store.EachScannedPlace([&](ScannedPlace&& found) {
    Interned& place = places.scanned_.Obtain({found.kind, "", found.target});
    if (place.empty()) place = found.place;
  });
  if (!read) return Fail(read.error());
  return places;
}

std::string TargetPlaces::Find(const Target& target) const {
  constexpr std::string_view kAnyProject = "projects/_";
  std::string container = access::ContainerInName(target.name);
  if (container != kAnyProject && providers::TargetOfContainer(container)) return container;
  const Interned* place = scanned_.Find(target);
  if (place != nullptr) return place->str();
  const providers::ResourcePlace around = providers::PlaceOfTarget(target);
  for (const Target& above : around.above) {
    place = scanned_.Find(above);
    if (place != nullptr) return place->str();
  }
  return around.inherits ? std::string(kUnknown) : std::string();
}

bool TargetPlaces::IsTargetWithin(const Target& target, std::string_view within) const {
  return IsWithin(target.name, within) || IsWithin(Find(target), within);
}

}  // namespace bindery::report
