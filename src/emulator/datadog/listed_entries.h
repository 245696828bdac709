#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "emulator/seed.h"
#include "emulator/versioned.h"

namespace bindery::emulator {

/// What Datadog gives an id and lists: datasets, and restriction queries of logs. A deleted one
/// stays as an entry {"deleted": true}, else the next start would seed it again. Not thread-safe.
class ListedEntries {
 public:
  /// Whether entries of the section are kept here. The others have none.
  [[nodiscard]] static bool Keeps(std::string_view section);

  void Put(const Entry& entry, MonoTime now);
  void Clear() { sections_.clear(); }
  [[nodiscard]] bool Holds(std::string_view section, const std::string& id) const;
  /// The living entries of all sections, in the form of a seed.
  [[nodiscard]] std::vector<Entry> Living() const;
  /// The value of the entry; nothing when it is missing, or deleted.
  [[nodiscard]] const Json* Find(std::string_view section, const std::string& id) const;
  /// A list of a section, each as it is in an answer.
  [[nodiscard]] const Json& Now(std::string_view section) const;
  [[nodiscard]] const Json& At(std::string_view section, MonoTime time) const;

 private:
  struct Section {
    std::vector<Entry> entries;
    Versioned<Json> list{Json::array(), MonoTime::min()};
  };

  std::map<std::string, Section, std::less<>> sections_;
};

/// The entry of a list with the id; null: none has it.
[[nodiscard]] const Json* FindListed(const Json& list, const std::string& id);

}  // namespace bindery::emulator
