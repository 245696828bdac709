#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// Datadog's restriction queries of logs, below /api/v2/logs/config/restriction_queries: GET and
/// POST; DELETE of /{id}; GET, POST and DELETE of /{id}/roles, one role each. Both lists have
/// pages. There is no etag. The service gives out the ids, so a query is found by its text in the
/// list of all. Reading and writing take several requests (call_sequence.h).
class LogsRestrictionQueryClient {
 public:
  /// The change of one query.
  struct Change {
    std::string query;
    std::string id;                ///< Empty: it is created first.
    std::vector<std::string> add;  ///< Ids of roles.
    std::vector<std::string> remove;
  };

  /// How the query of the text and its roles are read. kInvalidArgument for an empty text.
  [[nodiscard]] static Expected<cloud::PolicyCall> Reading(const std::string& base_url,
                                                           const std::string& query,
                                                           std::chrono::milliseconds timeout);

  /// Adds roles, then removes roles, and then reads the roles back. kInvalidArgument for ids that
  /// would name a different resource in a path.
  [[nodiscard]] static Expected<cloud::PolicyCall> Changing(const std::string& base_url,
                                                            const Change& change,
                                                            std::chrono::milliseconds timeout);

  /// How the query of the id is deleted. What is missing is as good as gone.
  [[nodiscard]] static Expected<cloud::PolicyCall> Removing(const std::string& base_url,
                                                            const std::string& query,
                                                            const std::string& id,
                                                            std::chrono::milliseconds timeout);

  /// The result of a good answer to `call`, in the form kept by its sequence: {"id", "query",
  /// "roles": [id, …]}. An empty id: no such query exists. kFailedPrecondition when several have
  /// the text. Pure.
  [[nodiscard]] static Expected<Json> ParseResponse(const cloud::PolicyCall& call,
                                                    const std::string& body);
};

}  // namespace bindery::datadog
