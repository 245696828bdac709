#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bindery::google {

/// HTTP method of a call. kNone: the service does not have the method.
enum class IamVerb : std::uint8_t { kNone, kGet, kPost, kPut };

/// The place of the policy version in a read request. A POST with the version in the query has no
/// body.
enum class IamVersionPlace : std::uint8_t {
  kNowhere,      ///< No parameter for it: policies come back without conditions.
  kDottedQuery,  ///< ?options.requestedPolicyVersion=3
  kFlatQuery,    ///< ?optionsRequestedPolicyVersion=3
  kBody,         ///< {"options": {"requestedPolicyVersion": 3}}
};

/// One resource type with an IAM allow policy: the form of its names and how its policy is read and
/// written. `./dev kinds` generates the rows.
struct IamRow {
  /// "pubsub/v1:Topic": service, first version and kind. Unique.
  std::string_view id;
  std::string_view service;
  /// Resource type in manifest kinds: "Topic" for TopicIamBinding.
  std::string_view kind;
  /// Name of the type in messages: "topic", "crypto key".
  std::string_view noun;
  /// API versions that have the type, separated by spaces: "v1 v1beta2". Requests use the first
  /// one; manifests can name any.
  std::string_view versions;
  std::string_view host;
  /// Host for names with a location other than "global": "{location}-aiplatform.googleapis.com".
  /// Empty: `host` serves all locations.
  std::string_view location_host = {};
  /// URL path between host and name: "v1/", "compute/v1/".
  std::string_view path;
  /// Name templates, separated by spaces: "projects/{project}/topics/{topic}". A placeholder
  /// matches a non-empty text without "/" and can end a segment ("compute-{region}"). Only
  /// "{object=**}", always last, also matches "/", which is percent-encoded in URLs.
  std::string_view names;
  /// Separator between name and method: ":" gives NAME:getIamPolicy, "/" gives NAME/getIamPolicy.
  /// "/iam" is the whole suffix of get and set; the test method is NAME/iam/testPermissions.
  std::string_view suffix;
  IamVerb get = IamVerb::kNone;
  IamVerb set = IamVerb::kNone;
  IamVerb test = IamVerb::kNone;
  IamVersionPlace version_place = IamVersionPlace::kNowhere;
  /// The body of a set request is the policy itself instead of {"policy": …}.
  bool bare_body = false;
  /// A set request accepts an updateMask.
  bool update_mask = false;
  /// The policy has auditConfigs.
  bool audit_configs = false;
  /// Google documents that bindings of the type accept conditions. False: unknown.
  bool conditions_documented = false;
  /// The type has no stable version.
  bool preview = false;
  /// Child resources inherit the policy: organizations, folders, projects, billing accounts.
  bool container = false;
  /// It is not known that the etag of a policy moves with every change of the policy.
  bool etag_unproven = false;
  /// A binding replaces the whole policy unless told otherwise, as Pulumi documents it, and targets
  /// are known by the kind of the binding on record.
  bool whole_policy = false;
  /// Grants to everybody (allUsers, allAuthenticatedUsers) take no condition: their requests have
  /// no attributes to judge.
  bool public_by_url = false;
  /// Nothing is granted to everybody.
  bool public_refused = false;
  /// Grants of a primitive role (basic_roles.h) take no condition. False: not known.
  bool basic_conditions_refused = false;
  /// Policies in a second row: id of the row, and its names, with the placeholders of this
  /// row. "run/v2:WorkerPool
  /// projects/{project}/locations/{location}/workerPools/{workerpool}"
  std::string_view policy_of = {};
  /// HTTP status of a set request with a stale etag: 409 or 412.
  std::int16_t conflict = 409;
  /// Permission prefix: "pubsub.topics" for pubsub.topics.setIamPolicy. Empty: unknown.
  std::string_view permission = {};
  /// Why and since when the service is shut down or unsupported. Empty: it is active.
  std::string_view retired = {};
  /// Terraform resource prefix: "google_pubsub_topic" for google_pubsub_topic_iam_binding. One word
  /// per name, "-" if none exists for the name. Empty: none for any name.
  std::string_view terraform = {};
  /// Terraform argument that identifies the resource: "topic". One word per name. Empty: unknown.
  std::string_view terraform_id = {};
};

/// All rows, sorted by id: built-in rows and rows added by users.
[[nodiscard]] std::span<const IamRow> IamRows();

/// The rows that every program has.
[[nodiscard]] std::span<const IamRow> BuiltInIamRows();

/// Whether the row is built in, and not added by a user.
[[nodiscard]] bool IsBuiltIn(const IamRow& row);

/// Adds rows of users, with texts that live as long as the process. Once, before further threads
/// begin: earlier results stay valid, without the new rows. See user_rows.h.
void AddIamRows(std::span<const IamRow> rows);

/// The services with rows, each once, sorted.
[[nodiscard]] std::span<const std::string_view> IamServices();

/// The row whose policies the row's are: mostly itself.
[[nodiscard]] const IamRow& GetPolicyRow(const IamRow& row);

/// Finds a row by service, any of its versions and kind ("pubsub/v1beta2:Topic"). Returns nullptr
/// if none exists; iam_aliases.h has further names.
[[nodiscard]] const IamRow* FindIamRow(std::string_view token_without_suffix);

}  // namespace bindery::google
