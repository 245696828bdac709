#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/text/type_token.h"
#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The kinds that manifests may name. Thread-safe.
class KindSchemas {
 public:
  KindSchemas() = default;
  virtual ~KindSchemas() = default;
  KindSchemas(const KindSchemas&) = delete;
  KindSchemas& operator=(const KindSchemas&) = delete;

  /// The kind of the token, in any accepted spelling; null: no such kind.
  [[nodiscard]] virtual const KindSchema* FindSchema(const TypeToken& token) const = 0;
  /// Whether the token is a spelling of many kinds, of which the resource in `spec.name` says
  /// which.
  [[nodiscard]] virtual bool IsGeneric(const TypeToken& /*token*/) const { return false; }
  /// A name of such a resource, for messages: "//pubsub.example.com/projects/p/topics/t".
  [[nodiscard]] virtual std::string ExampleOfGeneric(const TypeToken& /*token*/) const {
    return "";
  }
  /// The kind that a generic token stands for on the resource; null: none has such a name.
  [[nodiscard]] virtual const KindSchema* FindForResource(const TypeToken& /*token*/,
                                                          const std::string& /*name*/) const {
    return nullptr;
  }
  /// All tokens in the recorded form: for the search of the nearest.
  [[nodiscard]] virtual std::vector<TypeToken> Tokens() const = 0;
  /// The outcome of a removed kind; empty: unknown.
  [[nodiscard]] virtual std::string WhyGone(const TypeToken& token) const = 0;
};

/// A few kinds, only by their primary tokens.
class ListedKinds final : public KindSchemas {
 public:
  explicit ListedKinds(std::span<const KindSchema* const> kinds)
      : kinds_(kinds.begin(), kinds.end()) {}

  [[nodiscard]] const KindSchema* FindSchema(const TypeToken& token) const override {
    for (const KindSchema* kind : kinds_) {
      if (kind->token == token) return kind;
    }
    return nullptr;
  }
  [[nodiscard]] std::vector<TypeToken> Tokens() const override {
    std::vector<TypeToken> tokens;
    for (const KindSchema* kind : kinds_) tokens.push_back(kind->token);
    return tokens;
  }
  [[nodiscard]] std::string WhyGone(const TypeToken& /*token*/) const override { return ""; }

 private:
  std::vector<const KindSchema*> kinds_;
};

}  // namespace bindery::manifests
