#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "emulator/seed.h"

namespace bindery::emulator {

/// The roles, teams and users of the seed. Not thread-safe.
class DatadogPrincipals {
 public:
  /// Whether entries of the section are kept here.
  [[nodiscard]] static bool Keeps(std::string_view section);

  void Add(const Entry& entry) { entries_.push_back(entry); }
  void Clear() { entries_.clear(); }
  [[nodiscard]] bool Holds(const Entry& entry) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// The seeded user of the id, handle or e-mail address, or the first one, with the ids of roles
  /// that it names; null when none is seeded.
  [[nodiscard]] Json FindUser(const std::string& user) const;

  /// The list of a section, each entry in the form of an answer. Roles of users are among the
  /// roles. Without seeded users one administrator exists.
  [[nodiscard]] std::vector<Json> List(std::string_view section) const;

  /// Whether principals that are restricted or admitted somewhere have to exist.
  void SetChecked(bool checked) { checked_ = checked; }
  /// The service's error for these principals ("role:ID", "team:ID", "user:ID"), without naming the
  /// unknown one; nothing: accepted.
  [[nodiscard]] std::optional<std::string> Refuse(const std::vector<std::string>& principals) const;

 private:
  [[nodiscard]] std::vector<Json> Users() const;
  [[nodiscard]] Json WithRoles(Json user) const;

  std::vector<Entry> entries_;
  bool checked_ = false;
};

}  // namespace bindery::emulator
