#pragma once

#include <string_view>

#include "convert/shapes/shape.h"

namespace bindery::convert {

// What the keys and values of Config Connector's manifests are, as far as other checks do not look
// at the values.

inline constexpr const char* kProjectOf = "project-id";
inline constexpr const char* kNamespace = "Namespace";

// Keys, separated by spaces.
inline constexpr std::string_view kKeysOfReference = "apiVersion kind external name namespace";
inline constexpr std::string_view kKeysOfSource =
    "bigQueryConnectionConnectionRef logSinkRef serviceAccountRef serviceIdentityRef "
    "sqlInstanceRef";
inline constexpr std::string_view kKeysOfMetadata =
    "annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp "
    "finalizers generateName generation labels managedFields name namespace ownerReferences "
    "resourceVersion selfLink uid";
inline constexpr std::string_view kKeysOfDocument = "apiVersion kind metadata spec status";
inline constexpr std::string_view kKeysOfList = "apiVersion kind metadata items";
/// Of a spec of any kind: what tells the name of the resource.
inline constexpr std::string_view kKeysOfNames = "location projectRef region resourceID zone";

/// A kind of IAM.
struct ConnectorShape {
  std::string_view kind;
  std::string_view suffix;  ///< Of Terraform's type for the same.
};

inline constexpr ConnectorShape kConnectorKinds[] = {{"IAMPolicyMember", "_iam_member"},
                                                     {"IAMPartialPolicy", "_iam_member"},
                                                     {"IAMPolicy", "_iam_policy"},
                                                     {"IAMAuditConfig", "_iam_audit_config"}};

inline constexpr std::string_view kQuoteForKubernetes =
    "Kubernetes refuses the manifest, too: put the value in quotes";

/// Of a document. Kubernetes takes a map without a value as an empty one.
inline constexpr ExpectedShape kShapesOfDocument[] = {
    {"apiVersion", Shape::kText},
    {"kind", Shape::kText},
    {"items", Shape::kList},
    {"metadata", Shape::kMap},
    {"metadata.name", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"metadata.namespace", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"metadata.annotations", Shape::kMap, Null::kIsAbsent},
    {"metadata.annotations.*", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"metadata.labels", Shape::kMap, Null::kIsAbsent},
    {"metadata.labels.*", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
};

/// Of a document of the cloud.
inline constexpr ExpectedShape kShapesOfSpec[] = {
    {"spec", Shape::kMap, Null::kIsAbsent},
    {"spec.resourceID", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.location", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.region", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.zone", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.projectRef", Shape::kMap},
    {"spec.projectRef.external", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
};

/// Of a document of IAM.
inline constexpr ExpectedShape kShapesOfAccess[] = {
    {"spec.resourceRef", Shape::kMap},
    {"spec.resourceRef.kind", Shape::kText},
    {"spec.resourceRef.external", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.resourceRef.name", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.resourceRef.namespace", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.condition", Shape::kMap},
    {"spec.condition.*", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.member", Shape::kText},
    {"spec.memberFrom", Shape::kMap},
    {"spec.memberFrom.*", Shape::kMap},
    {"spec.memberFrom.*.*", Shape::kText},
    {"spec.bindings", Shape::kList},
    {"spec.bindings[]", Shape::kMap},
    {"spec.bindings[].members", Shape::kList},
    {"spec.bindings[].members[].member", Shape::kText},
    {"spec.bindings[].members[].memberFrom", Shape::kMap},
    {"spec.bindings[].members[].memberFrom.*", Shape::kMap},
    {"spec.bindings[].members[].memberFrom.*.*", Shape::kText},
    {"spec.bindings[].condition", Shape::kMap},
    {"spec.bindings[].condition.*", Shape::kText, Null::kIsWrong, kQuoteForKubernetes},
    {"spec.auditConfigs", Shape::kList},
    {"spec.auditConfigs[]", Shape::kMap},
    {"spec.auditConfigs[].auditLogConfigs[].exemptedMembers", Shape::kList},
    {"spec.auditLogConfigs", Shape::kList},
    {"spec.auditLogConfigs[].exemptedMembers", Shape::kList},
};

}  // namespace bindery::convert
