#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// One of Datadog's lists of principals, with the key of its entries.
struct PrincipalList {
  std::string_view service;  ///< For metrics: "roles".
  std::string_view path;     ///< "/api/v2/roles"
  std::string_view filter;   ///< The query parameter that narrows the list, percent-encoded.
  std::string_view type;     ///< Of an entry: "roles".
  std::string_view key;      ///< The attribute that names one of them: "name".
  std::string_view noun;     ///< Of a principal, and its type in a policy: "role".
  std::string_view named;    ///< Between noun and key in a sentence: "named".
  /// Entries per page. With a role or a user come hundreds of permissions, and an answer has a
  /// limit in bytes.
  std::size_t page_size;
};

/// All roles of the organization. Their names are unique and depend on case.
[[nodiscard]] const PrincipalList& RoleList();
/// Teams, by handle.
[[nodiscard]] const PrincipalList& TeamList();
/// Its users and service accounts, by e-mail address.
[[nodiscard]] const PrincipalList& UserList();

/// One entry of a list.
struct ListedPrincipal {
  std::string id;   ///< The UUID; never empty.
  Json attributes;  ///< Those of name, handle, email, disabled and service_account that it has.
};

/// How the entries that may be called `key` are read: GET PATH?FILTER=KEY, of which the service
/// makes a search for a part of several attributes; in pages. `base_url` has no trailing slash:
/// "https://api.datadoghq.com".
[[nodiscard]] cloud::PolicyCall BuildListCall(const PrincipalList& list,
                                              const std::string& base_url, const std::string& key,
                                              std::chrono::milliseconds timeout);

/// The entries in the body of a good answer to `read`: one page or all. An entry that moved
/// between pages during the reading is included once. Pure. kInternal for an answer of an unknown
/// form.
[[nodiscard]] Expected<std::vector<ListedPrincipal>> ParseListAnswer(const PrincipalList& list,
                                                                     const cloud::PolicyCall& read,
                                                                     const std::string& body);

}  // namespace bindery::datadog
