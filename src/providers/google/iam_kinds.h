#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/type_token.h"
#include "manifests/schema.h"
#include "providers/google/iam_rows.h"
#include "providers/kind_table.h"
#include "reconcilers/kind.h"

namespace bindery {

/// The kinds that Google's rows make: bindings on resources with an allow policy. All share one
/// implementation (iam_binding.cc) and differ in their row alone. A token's version may be any that
/// has the resource, "google-native:" stands for "cloudnative:" everywhere.
[[nodiscard]] const KindTable& IamKindTable();

/// One of the two kinds of the interface: they replace the whole policy unless told otherwise, and
/// are known by their kind alone on record.
[[nodiscard]] bool IsOfInterface(const IamRow& row);

/// How targets of that resource are known on record, whatever declares something on them:
/// "pubsub:Topic".
[[nodiscard]] std::string PolicyNameOf(const IamRow& row);

/// The row of a kind, "TopicIamBinding"; of several services the first. Requires: there is one.
[[nodiscard]] const IamRow& IamKind(std::string_view kind);

/// What manifests of one of these kinds hold. Made at the first use, lives as long as the program.
/// Thread-safe.
[[nodiscard]] const KindSchema& IamBindingSchema(const IamRow& row);
[[nodiscard]] const KindSchema& IamBindingSchema(std::string_view kind);

/// Makes the schema of one row.
[[nodiscard]] KindSchema MakeIamBindingSchema(const IamRow& row);

[[nodiscard]] std::unique_ptr<Kind> MakeIamBinding(const IamRow& row);

}  // namespace bindery
