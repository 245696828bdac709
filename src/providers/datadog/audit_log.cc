#include "providers/datadog/audit_log.h"

#include <algorithm>
#include <set>
#include <vector>

#include "attribution/entry_text.h"

namespace bindery::datadog {
namespace {

/// Events of the API wrap the attributes once more than those of an archive.
const Json* FindAttributes(const Json& event) {
  const Json* outer = FindMember(event, "attributes");
  if (outer == nullptr) return nullptr;
  const Json* inner = FindMember(*outer, "attributes");
  return inner != nullptr && inner->is_object() ? inner : outer;
}

std::optional<WallTime> GetTime(const Json& event) {
  for (const Json* value : {FindPath(event, {"attributes", "timestamp"}), FindMember(event, "date"),
                            FindMember(event, "timestamp")}) {
    if (value == nullptr) continue;
    if (value->is_number_integer()) {
      constexpr std::int64_t kMost = 7'000'000'000'000;  // Milliseconds: the year 2191.
      return WallTime(std::chrono::milliseconds(
          std::clamp<std::int64_t>(value->get<std::int64_t>(), 0, kMost)));
    }
    if (!value->is_string()) continue;
    if (const auto time = attribution::TimeIn(value->get_ref<const std::string&>())) return time;
  }
  return std::nullopt;
}

/// "dashboard:abc" of ".../restriction_policy/dashboard%3Aabc"; empty for any other path.
std::string TargetOfPath(const std::string& path) {
  constexpr std::string_view kBefore = "/restriction_policy/";
  const std::size_t at = path.find(kBefore);
  if (at == std::string::npos) return "";
  std::string target = path.substr(at + kBefore.size());
  if (const std::size_t escape = target.find('%'); escape != std::string::npos) {
    const std::string code = target.substr(escape, 3);
    if (code == "%3A" || code == "%3a") target.replace(escape, 3, ":");
  }
  return target.find('/') == std::string::npos ? target : "";
}

/// The policy that an event says was changed; empty for events about anything else.
std::string TargetOfEvent(const Json& attributes) {
  const std::string type = attribution::TextAt(attributes, {"asset", "type"});
  const std::string action = attribution::TextAt(attributes, {"action"});
  const std::string method = attribution::TextAt(attributes, {"http", "method"});
  const std::string by_path =
      TargetOfPath(attribution::TextAt(attributes, {"http", "url_details", "path"}));
  if (type == "restriction_policy") {
    if (action == "accessed") return "";
    const std::string id = attribution::TextAt(attributes, {"asset", "id"});
    return id.find(':') == std::string::npos ? by_path : id;
  }
  return method == "POST" || method == "DELETE" ? by_path : "";
}

bool EventFailed(const Json& attributes) {
  constexpr double kFirstFailure = 400;
  const Json* code = FindPath(attributes, {"http", "status_code"});
  if (code != nullptr && code->is_number()) return code->get<double>() >= kFirstFailure;
  return attribution::TextAt(attributes, {"status"}) == "error";
}

std::string NameActor(const Json& attributes) {
  for (const char* name : {"email", "name", "id"}) {
    if (std::string text = attribution::TextAt(attributes, {"usr", name}); !text.empty())
      return text;
  }
  const std::string key = attribution::TextAt(attributes, {"metadata", "api_key", "id"});
  const std::string type = attribution::TextAt(attributes, {"evt", "actor", "type"});
  // A type alone is nobody.
  if (key.empty()) return "";
  return type.empty() ? key : type + " " + key;
}

std::string GetMethod(const Json& attributes) {
  const std::string method = attribution::TextAt(attributes, {"http", "method"});
  const std::string path = attribution::TextAt(attributes, {"http", "url_details", "path"});
  if (!method.empty() && !path.empty()) return method + " " + path;
  return attribution::TextAt(attributes, {"asset", "type"}) + " " +
         attribution::TextAt(attributes, {"action"});
}

/// The bindings of a value before or after; the policy itself, or what the API would answer.
std::optional<std::vector<Grant>> GrantsIn(const Json* value) {
  if (value == nullptr) return std::nullopt;
  for (const Json* bindings :
       {FindMember(*value, "bindings"), FindPath(*value, {"attributes", "bindings"}),
        FindPath(*value, {"data", "attributes", "bindings"})}) {
    if (auto grants = attribution::GrantsOfBindings(bindings)) return grants;
  }
  return std::nullopt;
}

/// Adds the members of `grants` that are not in `others`.
void AddOnly(const std::vector<Grant>& grants, const std::vector<Grant>& others, bool added,
             AuditEntry& entry) {
  const std::set<Grant> known(others.begin(), others.end());
  for (const Grant& grant : grants) {
    if (!known.contains(grant)) entry.grants.push_back({grant, added});
  }
}

void ReadAssetDetail(const Json& attributes, AuditEntry& entry) {
  const auto after = GrantsIn(FindPath(attributes, {"asset", "new_value"}));
  if (!after) return;
  const auto before = GrantsIn(FindPath(attributes, {"asset", "prev_value"}));
  entry.detail = before ? AuditDetail::kChanges : AuditDetail::kPolicy;
  AddOnly(*after, before.value_or(std::vector<Grant>()), true, entry);
  if (before) AddOnly(*before, *after, false, entry);
}

bool IsDatadogEvent(const Json& event) { return FindMember(event, "attributes") != nullptr; }

}  // namespace

std::optional<AuditEntry> ReadDatadogEntry(const Json& event) {
  const Json* attributes = FindAttributes(event);
  if (attributes == nullptr || EventFailed(*attributes)) return std::nullopt;
  AuditEntry entry;
  entry.target = TargetOfEvent(*attributes);
  const auto time = GetTime(event);
  if (entry.target.empty() || entry.target != attribution::CleanText(entry.target) || !time)
    return std::nullopt;
  entry.time = *time;
  const std::string id = attribution::TextAt(event, {"id"});
  entry.id = attribution::CleanText(id.empty() ? attribution::TextAt(event, {"_id"}) : id);
  entry.actor = attribution::CleanText(NameActor(*attributes));
  entry.method = attribution::CleanText(GetMethod(*attributes));
  entry.agent = attribution::CleanText(attribution::TextAt(*attributes, {"http", "useragent"}));
  ReadAssetDetail(*attributes, entry);
  return entry;
}

attribution::AuditLogReader DatadogAuditLog() {
  return {{"restriction_policy"}, IsDatadogEvent, ReadDatadogEntry};
}

}  // namespace bindery::datadog
