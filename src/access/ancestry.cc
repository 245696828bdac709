#include "access/ancestry.h"

#include <algorithm>
#include <utility>

#include "providers/resource_place.h"

namespace bindery::access {
namespace {

/// More than any cloud nests: the end of the search in a damaged hierarchy.
constexpr std::size_t kMostContainers = 32;

/// The values of resource.name. Without the number of a project, the value that the service uses
/// may be unknown: no value then.
std::vector<std::string> NamesInConditions(const std::string& name, const Places& places) {
  const std::string container = ContainerInName(name);
  constexpr const char* kProjects = "projects/";
  constexpr const char* kAnyProject = "projects/_";
  if (!container.starts_with(kProjects) || container == kAnyProject) return {name};
  const std::string number = places.GetNumber(container);
  if (number.empty()) return {};
  const std::string rest = name.substr(container.size());
  return {places.GetName(container) + rest, kProjects + number + rest};
}

/// As TargetPart::form: the name with any project.
std::string AnyProject(const std::string& name) {
  return "projects/*" + name.substr(std::min(name.size(), ContainerInName(name).size()));
}

/// Adds the part once for each value that the begin of the name may have.
void AddPart(providers::TargetPart part, const Places& places, Ancestry& ancestry) {
  const std::vector<std::string> begins =
      part.begin.empty() ? std::vector<std::string>() : NamesInConditions(part.begin, places);
  if (begins.empty()) {
    if (!part.begin.empty()) part.form = AnyProject(part.form);
    part.begin.clear();
    ancestry.parts.push_back(std::move(part));
    return;
  }
  const std::string rest = part.form.substr(part.begin.size());
  for (const std::string& begin : begins) {
    part.begin = begin;
    part.form = begin + rest;
    ancestry.parts.push_back(part);
  }
}

/// Adds the containers from `container` upwards.
void AddContainers(std::string container, const Places& places, Ancestry& ancestry) {
  std::vector<std::string> passed;
  while (!container.empty() && passed.size() < kMostContainers) {
    container = places.GetName(container);
    if (std::ranges::find(passed, container) != passed.end()) break;
    const auto target = providers::TargetOfContainer(container);
    if (!target) break;
    ancestry.above.push_back(*target);
    passed.push_back(container);
    container = places.GetParent(container);
  }
  if (passed.empty()) return;
  // An organization has no parent. So has a project without an organization, but a scan that
  // shows no parent does not prove that.
  constexpr const char* kOrganizations = "organizations/";
  if (!passed.back().starts_with(kOrganizations)) {
    ancestry.gaps.push_back("policies above " + passed.back() + ": no scan shows what contains it");
  }
}

}  // namespace

Ancestry FindAncestry(const Target& target, const std::string& scanned_place,
                      const Places& places) {
  providers::ResourcePlace place = providers::PlaceOfTarget(target);
  Ancestry ancestry;
  ancestry.inherits = place.inherits || !scanned_place.empty();
  if (!ancestry.inherits) return ancestry;
  ancestry.above = std::move(place.above);
  ancestry.gaps = std::move(place.not_listed);
  for (const auto& [name, value] : place.attributes) ancestry.attributes[name] = {value};
  if (auto names = NamesInConditions(place.name, places); names.empty()) {
    ancestry.name_form = AnyProject(place.name);
  } else if (!place.name.empty()) {
    ancestry.attributes["resource.name"] = std::move(names);
  }
  ancestry.type_begin = std::move(place.type_begin);
  for (providers::TargetPart& part : place.parts) AddPart(std::move(part), places, ancestry);
  ancestry.permissions = std::move(place.permissions);
  const std::string container = place.container.empty() ? scanned_place : place.container;
  if (container.empty()) {
    ancestry.gaps.push_back("policies of the project, folder or organization of " + target.name +
                            ": neither the name nor a scan shows which");
  }
  AddContainers(container, places, ancestry);
  const auto own = providers::TargetOfContainer(places.ById(target.name));
  std::erase_if(ancestry.above, [&](const Target& above) { return above == own; });
  return ancestry;
}

}  // namespace bindery::access
