#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/setting_key.h"
#include "providers/google/iam_rows.h"

namespace bindery {

/// A row that a user adds for a service that the table does not know yet: IamRow with texts of its
/// own. The defaults are what most of Google's services have.
struct UserRow {
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

/// The keys of a row in a file.
[[nodiscard]] std::span<const Key<UserRow>> UserRowKeys();

/// What is wrong with a row, or with one of its keys ("names").
struct UserRowFault {
  std::size_t row = 0;
  std::string key;  ///< Empty: the row as a whole.
  std::string message;
};

/// The checks of the built-in table: each row can be asked for by URLs, and no two rows, built-in
/// ones included, claim one name of a manifest or of a resource. Pure.
[[nodiscard]] std::vector<UserRowFault> CheckUserRows(std::span<const UserRow> rows);

/// Adds the rows to those of IamRows(). Requires: CheckUserRows finds no fault. The first call
/// decides for the life of the process, as kinds live that long; false: other rows are in force. To
/// be called before other threads begin.
[[nodiscard]] bool InstallUserRows(std::span<const UserRow> rows);

}  // namespace bindery
