#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/access/target.h"
#include "core/base/mutex.h"
#include "core/text/type_token.h"
#include "manifests/schema/kind_schemas.h"
#include "reconcilers/kind.h"

namespace bindery::providers {

class KindTable;

/// Every kind this program knows. Passed on from the program's entry point. A kind is made when it
/// is asked for first, and lives as long as this object. Thread-safe.
class Kinds final : public manifests::KindSchemas {
 public:
  Kinds();

  /// The kind of a token in any of its spellings; a token without an apiVersion stands for the one
  /// kind of the name, in any case. nullptr if none exists.
  [[nodiscard]] const reconcilers::Kind* Find(const TypeToken& token) const;
  [[nodiscard]] const reconcilers::Kind* FindByName(const std::string& kind) const;
  /// The kind that writes targets of the Target::kind.
  [[nodiscard]] const reconcilers::Kind* FindByTargets(const std::string& target_kind) const;

  [[nodiscard]] const manifests::KindSchema* FindSchema(const TypeToken& token) const override;
  [[nodiscard]] bool IsGeneric(const TypeToken& token) const override;
  [[nodiscard]] std::string ExampleOfGeneric(const TypeToken& token) const override;
  [[nodiscard]] const manifests::KindSchema* FindForResource(
      const TypeToken& token, const std::string& name) const override;
  [[nodiscard]] std::vector<TypeToken> Tokens() const override;
  [[nodiscard]] std::string WhyGone(const TypeToken& token) const override;

  /// The kinds made so far, and the permanent kinds.
  [[nodiscard]] std::vector<const reconcilers::Kind*> InUse() const;
  /// The schemas of all kinds: makes all.
  [[nodiscard]] std::vector<const manifests::KindSchema*> Schemas() const;

 private:
  struct TokenHash {
    std::size_t operator()(const TypeToken& token) const {
      const std::hash<std::string> hash;
      return hash(token.kind) * 31 + hash(token.api_version);
    }
  };

  const reconcilers::Kind* Made(const TypeToken& spelled, const TypeToken& token,
                                const KindTable& table) const;

  std::vector<std::unique_ptr<reconcilers::Kind>> own_;  ///< Made at once.
  std::vector<const KindTable*> tables_;
  mutable SharedMutex mutex_;
  mutable std::map<TypeToken, std::unique_ptr<reconcilers::Kind>> made_ GUARDED_BY(mutex_);
  /// By any requested spelling.
  mutable std::unordered_map<TypeToken, const reconcilers::Kind*, TokenHash> found_
      GUARDED_BY(mutex_);
  /// By Target::kind.
  mutable std::unordered_map<std::string, const reconcilers::Kind*> by_targets_ GUARDED_BY(mutex_);
};

/// All kinds of the program: for questions about the recorded state.
[[nodiscard]] const Kinds& KnownKinds();

/// The row of the kind that writes a target; a plain row where the kind is unknown, as in a store
/// of another version.
[[nodiscard]] const reconcilers::KindTraits& GetTraits(const Target& target);

/// The kind of the token is only read.
[[nodiscard]] bool IsLookup(const TypeToken& token);

}  // namespace bindery::providers
