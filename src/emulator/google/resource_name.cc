#include "emulator/google/resource_name.h"

#include <algorithm>
#include <array>

#include "emulator/seed.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kFullName = "//";
constexpr std::string_view kImportDataFileNames =
    "projects/{project}/locations/{location}/importJobs/{importJob}/importDataFiles/"
    "{importDataFile}";

/// Sections that hold resources of one row.
struct Section {
  std::string_view name;
  std::string_view row;
};

constexpr std::array<Section, 2> kSections = {{
    {section::kAuthorizationPolicies, "networksecurity/v1:AuthorizationPolicy"},
    {section::kManagementServers, "backupdr/v1:ManagementServer"},
}};

const google::IamRow& LookUpRow(const Section& section) { return *google::FindIamRow(section.row); }

/// Whether a name has the form of a template in which every second segment is a variable.
bool HasForm(std::string_view name, std::string_view name_template) {
  const auto wanted = manifests::Split(name_template, '/');
  const auto given = manifests::Split(name, '/');
  if (wanted.size() != given.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool fits = i % 2 == 0 ? given[i] == wanted[i] : !given[i].empty();
    if (!fits) return false;
  }
  return given.back().find(':') == std::string_view::npos;  // Begins a method.
}

std::string MakeExample(std::string_view name_template) {
  std::string example;
  for (const std::string_view segment : manifests::Split(name_template, '/')) {
    if (!example.empty()) example += '/';
    if (segment == "{location}") {
      example += "global";
    } else {
      example += segment.starts_with('{') ? "example" : std::string(segment);
    }
  }
  return example;
}

}  // namespace

std::optional<ResourceName> ParseResourceName(std::string_view name) {
  for (const Section& section : kSections) {
    const google::IamRow& row = LookUpRow(section);
    if (HasForm(name, row.names)) return ResourceName{section.name, std::string(name), &row};
  }
  if (HasForm(name, kImportDataFileNames)) {
    return ResourceName{section::kImportDataFiles, std::string(name), nullptr};
  }
  return std::nullopt;
}

std::optional<ResourceName> ParseFullName(std::string_view name) {
  std::optional<ResourceName> found;
  for (const google::IamRow& row : google::IamRows()) {
    auto canonical = google::CanonicalIamName(row, name, "");
    if (!canonical) continue;
    if (found) return std::nullopt;
    found = ResourceName{MakeSection(row), std::move(*canonical), &row};
  }
  return found;
}

std::string_view MakeSection(const google::IamRow& row) {
  const auto* const own = std::find_if(kSections.begin(), kSections.end(),
                                       [&](const Section& one) { return one.row == row.id; });
  return own == kSections.end() ? section::kIamPolicies : own->name;
}

std::string MakeKey(const google::IamRow& row, std::string_view name) {
  if (!row.policy_of.empty())
    return MakeKey(google::GetPolicyRow(row), google::PolicyName(row, std::string(name)));
  if (MakeSection(row) != section::kIamPolicies) return std::string(name);
  return std::string(kFullName) + std::string(row.host) + "/" + std::string(name);
}

std::optional<ResourceName> ResourceOfKey(std::string_view key) {
  if (!key.starts_with(kFullName)) return ParseResourceName(key);
  const std::string_view host =
      key.substr(kFullName.size(), key.find('/', kFullName.size()) - kFullName.size());
  const std::string_view name = NameInKey(key);
  for (const google::IamRow& row : google::IamRows()) {
    if (row.host != host || !row.policy_of.empty()) continue;
    if (auto canonical = google::CanonicalIamName(row, name, ""); canonical && *canonical == name) {
      return ResourceName{MakeSection(row), std::string(name), &row};
    }
  }
  return std::nullopt;
}

std::string_view NameInKey(std::string_view key) {
  if (!key.starts_with(kFullName)) return key;
  return key.substr(key.find('/', kFullName.size()) + 1);
}

std::string GetPermissionPrefix(const google::IamRow& row) {
  if (!row.permission.empty()) return std::string(row.permission);
  std::string_view collection;
  for (const std::string_view segment :
       manifests::Split(manifests::Split(row.names, ' ').front(), '/')) {
    if (segment.find('{') == std::string_view::npos) collection = segment;
  }
  return std::string(row.service) + "." + std::string(collection);
}

std::string ExampleName(std::string_view section) {
  for (const Section& own : kSections) {
    if (own.name == section) return MakeExample(LookUpRow(own).names);
  }
  return section == section::kIamPolicies
             ? "//pubsub.googleapis.com/projects/example/topics/example"
             : MakeExample(kImportDataFileNames);
}

}  // namespace bindery::emulator
