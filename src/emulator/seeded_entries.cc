#include "emulator/seeded_entries.h"

#include <algorithm>

#include "emulator/identities.h"

namespace bindery::emulator {
namespace {

int Rank(std::string_view section) {
  if (section == section::kPrincipals) return 0;
  const bool organized = section == section::kProjects || section == section::kFolders;
  if (organized || section == section::kGroups) return 1;
  return section == section::kOptions ? 3 : 2;
}

}  // namespace

bool SeededEntries::Keeps(std::string_view section) {
  return section == section::kPrincipals || section == section::kProjects ||
         section == section::kFolders || section == section::kGroups ||
         section == section::kOptions || Identities::Keeps(section);
}

void SeededEntries::Put(const Entry& entry) {
  if (entry.section == section::kOptions) {
    std::erase_if(entries_, [](const Entry& other) { return other.section == section::kOptions; });
  }
  const auto behind =
      std::upper_bound(entries_.begin(), entries_.end(), Rank(entry.section),
                       [](int rank, const Entry& other) { return rank < Rank(other.section); });
  entries_.insert(behind, entry);
}

bool SeededEntries::Holds(const Entry& entry) const {
  return std::ranges::any_of(entries_, [&](const Entry& other) {
    return other.section == entry.section &&
           (other.key == entry.key || entry.section == section::kOptions);
  });
}

}  // namespace bindery::emulator
