#pragma once

#include <memory>
#include <vector>

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

// One maker for each kind: what a new kind adds here, besides its own file and its schema.
[[nodiscard]] std::unique_ptr<Kind> MakeAuthorizationPolicyIamBinding();
[[nodiscard]] std::unique_ptr<Kind> MakeManagementServerIamBinding();
[[nodiscard]] std::unique_ptr<Kind> MakeRestrictionPolicy();
[[nodiscard]] std::unique_ptr<Kind> MakeGetImportDataFile();
[[nodiscard]] std::unique_ptr<Kind> MakeGetCurrentUser();

}  // namespace bindery
