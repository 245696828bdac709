#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bindery {

/// How a method is called. kNone: the service has no such method.
enum class IamVerb : std::uint8_t { kNone, kGet, kPost, kPut };

/// Where a reading says which version of the policy's format it wants. A POST that says it in the
/// query has no body.
enum class IamVersionPlace : std::uint8_t {
  kNowhere,      ///< It cannot be said: conditions are not read.
  kDottedQuery,  ///< ?options.requestedPolicyVersion=3
  kFlatQuery,    ///< ?optionsRequestedPolicyVersion=3
  kBody,         ///< {"options": {"requestedPolicyVersion": 3}}
};

/// One type of resource that has an allow policy: what its name looks like and how its policy is
/// read and written. The rows are made by `./dev kinds`.
struct IamRow {
  /// "pubsub/v1:Topic": service, the version that is spoken, kind. Unique.
  std::string_view id;
  std::string_view service;
  /// "Topic": manifests say TopicIamBinding.
  std::string_view kind;
  /// "topic", "crypto key": for people.
  std::string_view noun;
  /// "v1 v1beta1": the spoken one first, the others are aliases.
  std::string_view versions;
  std::string_view host;
  /// "{location}-aiplatform.googleapis.com": the host for names that hold a location other than
  /// "global". Empty: `host` serves them all.
  std::string_view location_host = {};
  /// "v1/", "compute/v1/": between host and name.
  std::string_view path;
  /// "projects/{project}/topics/{topic}"; several with a space between. What stands in braces is
  /// never empty and holds no "/"; it may be the end of a segment ("compute-{region}"). Only
  /// "{object=**}", at the end, holds "/" too, which are encoded in URLs.
  std::string_view names;
  /// What a method's name is put after: ":" gives NAME:getIamPolicy, "/" gives NAME/getIamPolicy.
  /// "/iam" is for both methods itself, and NAME/iam/testPermissions tests.
  std::string_view suffix;
  IamVerb get = IamVerb::kNone;
  IamVerb set = IamVerb::kNone;
  IamVerb test = IamVerb::kNone;
  IamVersionPlace version_place = IamVersionPlace::kNowhere;
  /// What is written is the policy itself, not {"policy": …}.
  bool bare_body = false;
  /// A writing may say which fields it means.
  bool update_mask = false;
  /// The policy has auditConfigs.
  bool audit_configs = false;
  /// Google's documentation says that bindings take conditions. False: it does not say.
  bool conditions_documented = false;
  /// There is no stable version.
  bool preview = false;
  /// Others inherit its policy: an organization, a folder, a project or a billing account.
  bool container = false;
  /// The HTTP status of a writing with a stale etag: 409 or 412.
  std::int16_t conflict = 409;
  /// "pubsub.topics" (.getIamPolicy, .setIamPolicy). Empty: unknown.
  std::string_view permission = {};
  /// Why the service is or will be gone. Empty: it is not.
  std::string_view retired = {};
  /// "google_pubsub_topic" (_iam_binding, …), or as many words as names, "-" for one without.
  /// Empty: there is none.
  std::string_view terraform = {};
  /// The argument by which Terraform names the resource ("topic"), or as many words as names.
  /// Empty: unknown.
  std::string_view terraform_id = {};
};

/// All rows, sorted by id.
[[nodiscard]] std::span<const IamRow> IamRows();

/// The row of a type spelled by service, any of its versions and kind ("pubsub/v1beta1:Topic");
/// nullptr where there is none. Names that other tools had for it are aliases (iam_aliases.h).
[[nodiscard]] const IamRow* FindIamRow(std::string_view token_without_suffix);

}  // namespace bindery
