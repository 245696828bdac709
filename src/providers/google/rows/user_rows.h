#pragma once

#include <span>
#include <string>
#include <vector>

#include "providers/declared_kinds.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

/// A user's row for a service outside of the table: IamRow with texts of its own. The defaults fit
/// most of Google's services.
struct UserRow final : providers::KindRow {
  std::string service;
  std::string kind;
  std::string noun;  ///< Empty: the words of `kind`.
  std::vector<std::string> versions;
  std::string host;  ///< Empty: SERVICE.googleapis.com.
  std::string location_host;
  std::string path;  ///< Empty: the first version and "/".
  std::vector<std::string> names;
  std::string suffix = ":";
  IamVerb get = IamVerb::kGet;
  IamVerb set = IamVerb::kPost;
  IamVerb test = IamVerb::kPost;
  IamVersionPlace version_place = IamVersionPlace::kDottedQuery;
  bool bare_body = false;
  bool update_mask = false;
  bool audit_configs = false;
  bool conditions_documented = false;
  bool preview = false;
  bool etags_move = false;  ///< The etag moves with every change: checks may ask for it alone.
  int conflict = 409;
  std::string permission;
};

/// The rows declared by files, as UserRow.
[[nodiscard]] const providers::DeclaredKinds& UserKinds();

/// The checks of the built-in table: each row can be asked for by URLs, and no two rows, built-in
/// ones included, claim one name of a manifest or of a resource. Pure.
[[nodiscard]] std::vector<providers::KindRowFault> CheckUserRows(std::span<const UserRow> rows);

/// As DeclaredKinds::Install(), into IamRows().
[[nodiscard]] bool InstallUserRows(std::span<const UserRow> rows);

}  // namespace bindery::google
