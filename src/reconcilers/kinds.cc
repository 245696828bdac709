#include "reconcilers/kinds.h"

#include <algorithm>
#include <cctype>

namespace bindery {
namespace {

bool EqualIgnoringCase(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

Kinds::Kinds() {
  kinds_.push_back(MakeAuthorizationPolicyIamBinding());
  kinds_.push_back(MakeManagementServerIamBinding());
  kinds_.push_back(MakeRestrictionPolicy());
  kinds_.push_back(MakeGetImportDataFile());
  kinds_.push_back(MakeGetCurrentUser());
}

const Kind* Kinds::Find(const TypeToken& token) const {
  for (const auto& kind : kinds_) {
    const TypeToken& known = kind->schema().token;
    if (token.api_version.empty() ? EqualIgnoringCase(known.kind, token.kind) : known == token) {
      return kind.get();
    }
  }
  return nullptr;
}

const Kind* Kinds::FindByName(const std::string& kind) const { return Find({"", kind}); }

std::vector<const KindSchema*> Kinds::Schemas() const {
  std::vector<const KindSchema*> schemas;
  for (const auto& kind : kinds_) schemas.push_back(&kind->schema());
  return schemas;
}

}  // namespace bindery
