#include "providers/datadog/clients/logs_restriction_query_client.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cloud/call_sequence.h"
#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "core/base/strict_json.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/clients/api_call.h"
#include "providers/datadog/clients/list_pages.h"
#include "providers/datadog/clients/recent_ids.h"

namespace bindery::datadog {
namespace {

constexpr const char* kQueryService = "logs_restriction_query";
constexpr const char* kQueryPath = "/api/v2/logs/config/restriction_queries";
constexpr const char* kQueryType = "logs_restriction_queries";
constexpr std::string_view kRolesPath = "/roles";
constexpr const char* kQueryRemoval = "delete";
constexpr const char* kQueryCreation = "create";
constexpr const char* kRolesListing = "list_roles";
constexpr const char* kRoleAddition = "add_role";
constexpr const char* kRoleRemoval = "remove_role";
/// In the path of a request that follows the creation: no id has a brace.
constexpr std::string_view kNewId = "{id}";
constexpr std::size_t kEntriesPerPage = 100;

/// The kept data of a list without the query.
constexpr const char* kNoQueries = R"({"queries":[]})";

/// The kept data of an answer that is not of the documented shape: nothing that the service sends
/// can be taken for what the sequence keeps.
constexpr const char* kUnreadable = "null";

const Json* ListedIn(const Json& answer) {
  const Json* data = FindMember(answer, "data");
  return data != nullptr && data->is_array() ? data : nullptr;
}

std::optional<std::string> IdOfEntry(const Json& entry, std::string_view type) {
  std::string id = StringMember(entry, "id");
  if (id.empty() || StringMember(entry, "type") != type) return std::nullopt;
  return id;
}

/// An id comes from the service, but it becomes a part of a path.
bool IsQueryId(std::string_view id) { return manifests::HasOnlyCharacters(id, "-_"); }

std::optional<std::string> TextOfQuery(const Json& entry) {
  const Json* attributes = FindMember(entry, "attributes");
  const Json* text = attributes == nullptr ? nullptr : FindMember(*attributes, "restriction_query");
  if (text == nullptr || !text->is_string()) return std::nullopt;
  return text->get<std::string>();
}

/// Of a page of the list of all queries: {"queries": [id, …]}, those of the text. Null for another
/// shape.
Json QueriesOnPage(const Json& list, const std::string& query) {
  Json ids = Json::array();
  for (const Json& entry : list) {
    std::optional<std::string> id = IdOfEntry(entry, kQueryType);
    const std::optional<std::string> text = TextOfQuery(entry);
    if (!id || !text || !IsQueryId(*id)) return nullptr;
    if (*text == query) ids.push_back(*std::move(id));
  }
  return {{"queries", std::move(ids)}};
}

/// Of a page of a query's roles: {"id": …, "roles": [id, …]}. Null for another shape.
Json RolesOnPage(const Json& list, const std::string& id) {
  Json roles = Json::array();
  for (const Json& entry : list) {
    std::optional<std::string> role = IdOfEntry(entry, "roles");
    if (!role) return nullptr;
    roles.push_back(*std::move(role));
  }
  return {{"id", id}, {"roles", std::move(roles)}};
}

std::string RolesUrl(const std::string& queries_url, std::string_view id) {
  return queries_url + "/" + std::string(id) + std::string(kRolesPath);
}

std::string FirstPageOfRoles(const std::string& queries_url, std::string_view id) {
  return RolesUrl(queries_url, id) + "?" + FirstPage(kEntriesPerPage);
}

/// The part of `url` before the id of a query, and that id.
std::pair<std::string, std::string> QueryIn(const std::string& url) {
  const std::size_t end = url.find(kQueryPath) + std::string_view(kQueryPath).size();
  if (url.compare(end, 1, "/") != 0) return {url.substr(0, end), ""};
  return {url.substr(0, end), url.substr(end + 1, url.find('/', end + 1) - end - 1)};
}

/// The ids of all pages, each once: an entry may move from one page to the next meanwhile.
struct KeptAnswers {
  std::set<std::string> queries;
  bool listed = false;    ///< Pages of the list of queries are among them.
  std::string id;         ///< Whose roles were read; empty: none.
  std::string stored_as;  ///< Another text, of a query that was created and deleted again.
  std::vector<std::string> roles;
};

/// False when the value is no list of texts.
template <typename Put>
bool ReadTexts(const Json& list, const Put& put) {
  if (!list.is_array()) return false;
  for (const Json& text : list) {
    if (!text.is_string()) return false;
    put(text.get<std::string>());
  }
  return true;
}

/// Nothing when an answer was not kept by a sequence.
std::optional<KeptAnswers> ReadKept(std::string_view body) {
  KeptAnswers kept;
  for (const std::string_view text : manifests::Split(body, cloud::kAnswerSeparator)) {
    if (text.empty()) continue;  // Of a step, nothing is kept.
    const Json page = ParseStrictJson(text).value_or(Json());
    const Json* queries = FindMember(page, "queries");
    const Json* roles = FindMember(page, "roles");
    bool good = false;
    if (queries != nullptr) {
      kept.listed = true;
      good = ReadTexts(*queries, [&](std::string id) { kept.queries.insert(std::move(id)); });
    } else if (roles != nullptr) {
      kept.id = StringMember(page, "id");
      good = ReadTexts(*roles, [&](std::string id) {
        const bool known = std::ranges::find(kept.roles, id) != kept.roles.end();
        if (!known) kept.roles.push_back(std::move(id));
      });
    } else {
      kept.stored_as = StringMember(page, "storedAs");
      good = !kept.stored_as.empty();
    }
    if (!good) return std::nullopt;
  }
  return kept;
}

/// Of queries, by endpoint and text.
RecentIds& RecentlyCreated() {
  static RecentIds recent;
  return recent;
}

std::string RolesKey(const std::string& queries_url, const std::string& query) {
  return queries_url + "\n" + query;
}

/// The list of queries, followed by the roles of the searched query; or the steps of a change,
/// followed by the remaining roles.
class QuerySequence final : public cloud::CallSequence {
 public:
  [[nodiscard]] bool Take(cloud::PolicyCall& call, std::string& body) const override {
    if (call.request.method != "GET") return TakeStep(call, body);
    const Json answer = ParseStrictJson(body).value_or(Json());
    const Json* list = ListedIn(answer);
    const auto [queries_url, id] = QueryIn(call.request.url);
    Json kept;
    if (list != nullptr) {
      kept = id.empty() ? QueriesOnPage(*list, call.expected_id) : RolesOnPage(*list, id);
    }
    body = kept.is_null() ? kUnreadable : kept.dump();
    if (kept.is_null()) return false;
    if (AsksForNextPage(call.request.url, list->size())) return true;
    return id.empty() && GoesOnToRoles(call, queries_url, body);
  }

  /// A role that does not exist, or may not be restricted, does not stop the remaining roles. Nor
  /// does it say anything about the query.
  [[nodiscard]] bool PassOver(cloud::PolicyCall& call, Error& refusal) const override {
    const std::string& operation = call.request.operation;
    if (operation != kRoleAddition && operation != kRoleRemoval) return false;
    const Json document = ParseJson(call.request.body).value_or(Json());
    const Json* data = FindMember(document, "data");
    if (data != nullptr)
      refusal.message += "; the role is " + manifests::Quote(StringMember(*data, "id"));
    if (refusal.code == Code::kNotFound) refusal.code = Code::kFailedPrecondition;
    return Advance(call);
  }

 private:
  static bool GoesOnToRoles(cloud::PolicyCall& call, const std::string& queries_url,
                            const std::string& last_page) {
    const auto kept = ReadKept(call.earlier_answers + last_page);
    if (!kept || kept->queries.size() > 1) return false;
    const std::string id = kept->queries.empty()
                               ? RecentlyCreated().Find(RolesKey(queries_url, call.expected_id))
                               : *kept->queries.begin();
    if (id.empty()) return false;
    // The query may be gone again.
    if (kept->queries.empty()) call.body_when_absent = kNoQueries;
    call.request.url = FirstPageOfRoles(queries_url, id);
    call.request.operation = kRolesListing;
    return true;
  }

  static bool TakeStep(cloud::PolicyCall& call, std::string& body) {
    if (call.request.operation != kQueryCreation) {
      body.clear();
    } else if (!TakeCreated(call, body)) {
      return false;
    }
    return Advance(call);
  }

  static bool Advance(cloud::PolicyCall& call) {
    if (call.further.empty()) return false;
    cloud::HttpRequest next = std::move(call.further.back());
    call.further.pop_back();
    call.request.method = std::move(next.method);
    call.request.url = std::move(next.url);
    call.request.body = std::move(next.body);
    call.request.operation = std::move(next.operation);
    return true;
  }

  /// Puts the id of the created query into the following requests. A query whose text the service
  /// changed is deleted again: a search by the declared text would not find the query, and every
  /// check would create a new one.
  static bool TakeCreated(cloud::PolicyCall& call, std::string& body) {
    const Json answer = ParseStrictJson(body).value_or(Json());
    const Json* data = FindMember(answer, "data");
    const auto id = data == nullptr ? std::nullopt : IdOfEntry(*data, kQueryType);
    const auto text = data == nullptr ? std::nullopt : TextOfQuery(*data);
    if (!id || !text || !IsQueryId(*id)) {
      body = kUnreadable;
      return false;
    }
    if (*text != call.expected_id) {
      body = CompactJson(Json{{"storedAs", *text}});
      call.further = {DatadogRequest("DELETE", call.request.url + "/" + *id, kQueryRemoval)};
      return true;
    }
    body.clear();
    RecentlyCreated().Put(RolesKey(call.request.url, *text), *id);
    for (cloud::HttpRequest& request : call.further) {
      request.url.replace(request.url.find(kNewId), kNewId.size(), *id);
    }
    return true;
  }
};

const cloud::CallSequence& RequestsOfQuery() {
  static const QuerySequence kSequence;
  return kSequence;
}

Error NotAnId(const std::string& id) {
  Error error;
  error.code = Code::kInvalidArgument;
  error.message = manifests::Quote(id) + " is not the id of a restriction query";
  return error;
}

Error SeveralQueries(const std::string& query, const std::set<std::string>& ids) {
  std::string list;
  for (const std::string& id : ids) list += (list.empty() ? "" : ", ") + id;
  Error error;
  error.code = Code::kFailedPrecondition;
  error.message = "there are " + std::to_string(ids.size()) + " restriction queries " +
                  manifests::Quote(query) + ": " + list +
                  "; delete all but one of them, then it is managed";
  return error;
}

}  // namespace

Expected<cloud::PolicyCall> LogsRestrictionQueryClient::Reading(const std::string& base_url,
                                                                const std::string& query,
                                                                std::chrono::milliseconds timeout) {
  if (query.empty()) return Fail(Code::kInvalidArgument, "a restriction query has a text");
  cloud::PolicyCall call = DatadogCall(
      DatadogRequest("GET", base_url + kQueryPath + "?" + FirstPage(kEntriesPerPage), "list"),
      kQueryService, timeout, query);
  call.sequence = &RequestsOfQuery();
  return call;
}

Expected<cloud::PolicyCall> LogsRestrictionQueryClient::Changing(
    const std::string& base_url, const Change& change, std::chrono::milliseconds timeout) {
  const std::string queries_url = base_url + kQueryPath;
  if (!change.id.empty() && !IsQueryId(change.id)) return Fail(NotAnId(change.id));
  const std::string id = change.id.empty() ? std::string(kNewId) : change.id;
  std::vector<cloud::HttpRequest> steps;
  if (change.id.empty()) {
    steps.push_back(DatadogRequest(
        "POST", queries_url, kQueryCreation,
        {{"data", {{"type", kQueryType}, {"attributes", {{"restriction_query", change.query}}}}}}));
  }
  const std::string roles_url = RolesUrl(queries_url, id);
  const auto step = [&](const char* method, const char* operation, const std::string& role) {
    steps.push_back(DatadogRequest(method, roles_url, operation,
                                   {{"data", {{"type", "roles"}, {"id", role}}}}));
  };
  for (const std::string& role : change.add) step("POST", kRoleAddition, role);
  for (const std::string& role : change.remove) step("DELETE", kRoleRemoval, role);
  steps.push_back(DatadogRequest("GET", FirstPageOfRoles(queries_url, id), kRolesListing));
  std::ranges::reverse(steps);
  cloud::PolicyCall call =
      DatadogCall(std::move(steps.back()), kQueryService, timeout, change.query);
  steps.pop_back();
  call.sequence = &RequestsOfQuery();
  call.further = std::move(steps);
  return call;
}

Expected<cloud::PolicyCall> LogsRestrictionQueryClient::Removing(
    const std::string& base_url, const std::string& query, const std::string& id,
    std::chrono::milliseconds timeout) {
  if (!IsQueryId(id)) return Fail(NotAnId(id));
  cloud::PolicyCall call =
      DatadogCall(DatadogRequest("DELETE", base_url + kQueryPath + "/" + id, kQueryRemoval),
                  kQueryService, timeout, query);
  call.body_when_absent = "{}";
  return call;
}

Expected<Json> LogsRestrictionQueryClient::ParseResponse(const cloud::PolicyCall& call,
                                                         const std::string& body) {
  const std::string& query = call.expected_id;
  const Json none = {{"id", ""}, {"query", query}, {"roles", Json::array()}};
  // The service answers 204 without a body.
  if (call.sequence == nullptr) return none;
  const auto kept = ReadKept(body);
  if (kept && !kept->stored_as.empty()) {
    return Fail(Code::kFailedPrecondition,
                "the service stores the query " + manifests::Quote(query) + " as " +
                    manifests::Quote(kept->stored_as) +
                    ": declare it so; what was created is deleted again");
  }
  if (kept && kept->queries.size() > 1) return Fail(SeveralQueries(query, kept->queries));
  if (kept && kept->listed && kept->queries.empty() && kept->id.empty()) return none;
  const bool of_list = kept && (kept->queries.empty() || kept->queries.contains(kept->id));
  const bool good = of_list && !kept->id.empty();
  if (!good) {
    Error error = cloud::ShapeError(
        call.request, "something that is not about restriction queries and their roles");
    error.outcome_unknown = error.outcome_unknown || call.partly_done;
    return Fail(std::move(error));
  }
  return Json{{"id", kept->id}, {"query", query}, {"roles", kept->roles}};
}

}  // namespace bindery::datadog
