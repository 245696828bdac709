#include "emulator/datadog/listed_entries.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "emulator/datadog/datasets.h"
#include "emulator/datadog/restriction_queries.h"

namespace bindery::emulator {
namespace {

bool IsDeleted(const Entry& entry) { return entry.value.contains("deleted"); }

Json DataOfEntry(const Entry& entry) {
  if (entry.section == section::kDatasets) return DatasetData(entry.key, entry.value);
  return RestrictionQueryData(entry.key, entry.value);
}

const Json& NoEntries() {
  static const Json kNone = Json::array();
  return kNone;
}

}  // namespace

bool ListedEntries::Keeps(std::string_view section) {
  return section == section::kDatasets || section == section::kRestrictionQueries;
}

void ListedEntries::Put(const Entry& entry, MonoTime now) {
  Section& section = sections_[entry.section];
  const auto known = std::ranges::find_if(
      section.entries, [&](const Entry& other) { return other.key == entry.key; });
  if (known == section.entries.end()) {
    section.entries.push_back(entry);
  } else {
    *known = entry;
  }
  Json list = Json::array();
  for (const Entry& each : section.entries) {
    if (!IsDeleted(each)) list.push_back(DataOfEntry(each));
  }
  section.list.Set(std::move(list), now);
}

bool ListedEntries::Holds(std::string_view section, const std::string& id) const {
  const auto found = sections_.find(section);
  return found != sections_.end() &&
         std::ranges::any_of(found->second.entries,
                             [&](const Entry& entry) { return entry.key == id; });
}

std::vector<Entry> ListedEntries::Living() const {
  std::vector<Entry> living;
  for (const auto& [name, section] : sections_) {
    std::ranges::copy_if(section.entries, std::back_inserter(living),
                         [](const Entry& entry) { return !IsDeleted(entry); });
  }
  return living;
}

const Json* ListedEntries::Find(std::string_view section, const std::string& id) const {
  const auto found = sections_.find(section);
  if (found == sections_.end()) return nullptr;
  const std::vector<Entry>& entries = found->second.entries;
  const auto entry = std::ranges::find_if(
      entries, [&](const Entry& each) { return each.key == id && !IsDeleted(each); });
  return entry == entries.end() ? nullptr : &entry->value;
}

const Json& ListedEntries::Now(std::string_view section) const {
  const auto found = sections_.find(section);
  return found == sections_.end() ? NoEntries() : found->second.list.Now();
}

const Json& ListedEntries::At(std::string_view section, MonoTime time) const {
  const auto found = sections_.find(section);
  return found == sections_.end() ? NoEntries() : found->second.list.At(time);
}

const Json* FindListed(const Json& list, const std::string& id) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Json& data) { return StringMember(data, "id") == id; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace bindery::emulator
