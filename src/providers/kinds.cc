#include "providers/kinds.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <utility>

#include "providers/providers.h"

namespace bindery {
namespace {

bool EqualIgnoringCase(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

Kinds::Kinds() {
  for (const Provider* provider : Providers()) {
    for (std::unique_ptr<Kind>& kind : provider->MakeKinds()) kinds_.push_back(std::move(kind));
  }
  // Those that are only read come last, wherever kinds are listed.
  std::stable_partition(kinds_.begin(), kinds_.end(),
                        [](const auto& kind) { return !kind->schema().read_only; });
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

const Kinds& KnownKinds() {
  static const Kinds kKinds;
  return kKinds;
}

const KindTraits& TraitsOf(const Target& target) {
  static const KindTraits kUnknown;
  static const std::unordered_map<std::string, const KindTraits*> kTraits = [] {
    std::unordered_map<std::string, const KindTraits*> traits;
    for (const auto& kind : KnownKinds().all()) {
      traits.emplace(kind->schema().token.kind, &kind->traits());
    }
    return traits;
  }();
  const auto found = kTraits.find(target.kind.str());
  return found == kTraits.end() ? kUnknown : *found->second;
}

bool IsLookup(const TypeToken& token) {
  const Kind* kind = KnownKinds().Find(token);
  return kind != nullptr && kind->schema().read_only;
}

}  // namespace bindery
