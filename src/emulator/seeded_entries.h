#pragma once

#include <string_view>
#include <vector>

#include "emulator/seed.h"

namespace bindery::emulator {

/// Entries that no API changes: principals, projects, identities, options. Kept as they came, to be
/// dumped again. Not thread-safe.
class SeededEntries {
 public:
  /// Whether entries of the section are kept here.
  [[nodiscard]] static bool Keeps(std::string_view section);

  /// A single entry of options: a new entry replaces it.
  void Put(const Entry& entry);
  void Clear() { entries_.clear(); }
  [[nodiscard]] bool Holds(const Entry& entry) const;
  /// Section by section in the order above, in each as they came.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace bindery::emulator
