#pragma once

#include <memory>
#include <vector>

#include "core/target.h"
#include "core/type_token.h"
#include "reconcilers/kind.h"

namespace bindery {

/// Every kind this program knows. Made once, by the program's entry point, and passed on.
class Kinds {
 public:
  Kinds();

  /// The kind of a token; a token without an apiVersion matches by kind alone, in any case.
  /// nullptr when there is none.
  [[nodiscard]] const Kind* Find(const TypeToken& token) const;
  [[nodiscard]] const Kind* FindByName(const std::string& kind) const;

  [[nodiscard]] const std::vector<std::unique_ptr<Kind>>& all() const { return kinds_; }
  [[nodiscard]] std::vector<const KindSchema*> Schemas() const;

 private:
  std::vector<std::unique_ptr<Kind>> kinds_;
};

/// All kinds of this program, made at the first use: for questions about what is on record.
[[nodiscard]] const Kinds& KnownKinds();

/// The row of the kind that writes a target; a plain row where the kind is unknown, as in a store
/// of another version.
[[nodiscard]] const KindTraits& TraitsOf(const Target& target);

/// The kind of that token is only read.
[[nodiscard]] bool IsLookup(const TypeToken& token);

}  // namespace bindery
