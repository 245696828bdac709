#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/type_token.h"
#include "reconcilers/kind.h"

namespace bindery::providers {

/// Too many kinds to make all at once: each kind is made when first named. Stateless; any
/// thread.
class KindTable {
 public:
  KindTable() = default;
  virtual ~KindTable() = default;
  KindTable(const KindTable&) = delete;
  KindTable& operator=(const KindTable&) = delete;

  /// All tokens, in the recorded spelling.
  [[nodiscard]] virtual std::vector<TypeToken> Tokens() const = 0;

  /// The recorded token for any of its spellings; a token without apiVersion stands for the one
  /// kind of the name, in any case. Nothing: none, or several with the name.
  [[nodiscard]] virtual std::optional<TypeToken> Find(const TypeToken& spelled) const = 0;

  /// As KindSchemas::IsGeneric.
  [[nodiscard]] virtual bool IsGeneric(const TypeToken& spelled) const = 0;
  /// As KindSchemas::ExampleOfGeneric.
  [[nodiscard]] virtual std::string ExampleOfGeneric(const TypeToken& spelled) const = 0;
  /// The token that a generic one stands for on the resource; nothing: none has such a name.
  [[nodiscard]] virtual std::optional<TypeToken> ForResource(const TypeToken& generic,
                                                             std::string_view name) const = 0;

  /// The token of the kind that writes targets of the Target::kind.
  [[nodiscard]] virtual std::optional<TypeToken> OfTargets(std::string_view target_kind) const = 0;

  /// The Target::kind of policies that the children of their target inherit.
  [[nodiscard]] virtual std::vector<std::string> ContainerPolicies() const = 0;

  /// The outcome of a removed kind; empty: unknown.
  [[nodiscard]] virtual std::string WhyGone(const TypeToken& spelled) const = 0;

  /// Requires: `token` is one of Tokens().
  [[nodiscard]] virtual std::unique_ptr<reconcilers::Kind> Make(const TypeToken& token) const = 0;
};

}  // namespace bindery::providers
