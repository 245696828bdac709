#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/text/type_token.h"
#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_rows.h"
#include "providers/kind_table.h"
#include "reconcilers/kind.h"

namespace bindery::google {

/// The declared part of an allow policy.
enum class IamShape : std::uint8_t {
  kBinding,      ///< All members of one role: …IamBinding.
  kMember,       ///< One member of one role, beside others: …IamMember.
  kPolicy,       ///< All of it: …IamPolicy.
  kAuditConfig,  ///< Which access to one service is logged: …IamAuditConfig.
};
inline constexpr std::array<IamShape, 4> kIamShapes = {IamShape::kBinding, IamShape::kMember,
                                                       IamShape::kPolicy, IamShape::kAuditConfig};

/// The kinds that Google's rows make: one for each shape on a resource with an allow policy. All
/// share one implementation (allow_policy_kind.cc) and differ in their row and shape alone. A
/// token's version may be any that has the resource, "google-native:" stands for "cloudnative:"
/// everywhere.
[[nodiscard]] const providers::KindTable& IamKindTable();

/// How targets of the resource are known on record, whatever declares something on them:
/// "pubsub:Topic".
[[nodiscard]] std::string GetPolicyName(const IamRow& row);

/// The token on record: {"cloudnative:pubsub/v1", "TopicIamBinding"}.
[[nodiscard]] TypeToken GetToken(const IamRow& row, IamShape shape);

/// All further spellings of the token: every version with the resource, both packages, and further
/// names of the type.
[[nodiscard]] std::vector<TypeToken> ListOtherTokens(const IamRow& row, IamShape shape);

/// {"cloudnative:iam", "IamBinding"}: stands for the kind of the resource that `spec.name` names in
/// full, "//pubsub.googleapis.com/projects/p/topics/t".
[[nodiscard]] TypeToken GenericToken(IamShape shape);
/// The same for the second package.
[[nodiscard]] TypeToken OtherGenericToken(IamShape shape);

/// The row of a kind, "TopicIamBinding"; the first of several services. Requires: such a row
/// exists.
[[nodiscard]] const IamRow& IamKind(std::string_view kind);

/// What manifests of one of the kinds hold. Made at the first use, lives as long as the program.
/// Thread-safe.
[[nodiscard]] const manifests::KindSchema& IamSchema(const IamRow& row, IamShape shape);
/// The same for a binding, by its kind.
[[nodiscard]] const manifests::KindSchema& IamBindingSchema(std::string_view kind);

/// Makes the schema of one row and shape.
[[nodiscard]] manifests::KindSchema MakeIamSchema(const IamRow& row, IamShape shape);

[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeIamBinding(const IamRow& row);
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeIamMember(const IamRow& row);
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeIamPolicy(const IamRow& row);
/// Requires: the policies of the row have an audit configuration.
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeIamAuditConfig(const IamRow& row);

}  // namespace bindery::google
