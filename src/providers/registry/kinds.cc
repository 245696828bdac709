#include "providers/registry/kinds.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "providers/bindery/own_kinds.h"
#include "providers/kind_table.h"
#include "providers/registry/providers.h"

namespace bindery::providers {
namespace {

bool EqualIgnoringCase(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool Names(const TypeToken& asked, const TypeToken& known) {
  if (asked.api_version.empty()) return EqualIgnoringCase(known.kind, asked.kind);
  return known == asked;
}

}  // namespace

Kinds::Kinds() {
  for (const Provider* provider : Providers()) {
    for (std::unique_ptr<reconcilers::Kind>& kind : provider->MakeKinds())
      own_.push_back(std::move(kind));
    if (const KindTable* table = provider->Table()) tables_.push_back(table);
  }
  for (std::unique_ptr<reconcilers::Kind>& kind : MakeOwnKinds()) own_.push_back(std::move(kind));
  // Read-only kinds come last in all lists.
  std::stable_partition(own_.begin(), own_.end(),
                        [](const auto& kind) { return !kind->schema().read_only; });
}

const reconcilers::Kind* Kinds::Made(const TypeToken& spelled, const TypeToken& token,
                                     const KindTable& table) const {
  const WriterLock lock(mutex_);
  std::unique_ptr<reconcilers::Kind>& kind = made_[token];
  if (kind == nullptr) {
    kind = table.Make(token);
    // The first kind of a policy represents the policy.
    const std::string& policy = kind->traits().policy;
    if (table.OfTargets(policy) == token) by_targets_.emplace(policy, kind.get());
  }
  found_.emplace(spelled, kind.get());
  return kind.get();
}

const reconcilers::Kind* Kinds::Find(const TypeToken& token) const {
  for (const auto& kind : own_) {
    if (Names(token, kind->schema().token)) return kind.get();
  }
  {
    const ReaderLock lock(mutex_);
    if (const auto found = found_.find(token); found != found_.end()) return found->second;
  }
  for (const KindTable* table : tables_) {
    const auto known = table->Find(token);
    if (!known) continue;
    for (const auto& kind : own_) {
      if (kind->schema().token == *known) return kind.get();
    }
    return Made(token, *known, *table);
  }
  return nullptr;
}

const reconcilers::Kind* Kinds::FindByName(const std::string& kind) const {
  return Find({"", kind});
}

const reconcilers::Kind* Kinds::FindByTargets(const std::string& target_kind) const {
  for (const auto& kind : own_) {
    if (kind->traits().policy == target_kind) return kind.get();
  }
  {
    const ReaderLock lock(mutex_);
    const auto found = by_targets_.find(target_kind);
    if (found != by_targets_.end()) return found->second;
  }
  for (const KindTable* table : tables_) {
    if (const auto token = table->OfTargets(target_kind)) return Made(*token, *token, *table);
  }
  return nullptr;
}

const manifests::KindSchema* Kinds::FindSchema(const TypeToken& token) const {
  const reconcilers::Kind* kind = token.api_version.empty() ? nullptr : Find(token);
  return kind == nullptr ? nullptr : &kind->schema();
}

bool Kinds::IsGeneric(const TypeToken& token) const {
  return std::any_of(tables_.begin(), tables_.end(),
                     [&](const KindTable* table) { return table->IsGeneric(token); });
}

std::string Kinds::ExampleOfGeneric(const TypeToken& token) const {
  for (const KindTable* table : tables_) {
    if (table->IsGeneric(token)) return table->ExampleOfGeneric(token);
  }
  return "";
}

const manifests::KindSchema* Kinds::FindForResource(const TypeToken& token,
                                                    const std::string& name) const {
  for (const KindTable* table : tables_) {
    if (!table->IsGeneric(token)) continue;
    const auto meant = table->ForResource(token, name);
    return meant ? FindSchema(*meant) : nullptr;
  }
  return nullptr;
}

std::vector<TypeToken> Kinds::Tokens() const {
  std::vector<TypeToken> tokens;
  for (const auto& kind : own_) {
    if (!kind->schema().read_only) tokens.push_back(kind->schema().token);
  }
  for (const KindTable* table : tables_) {
    for (TypeToken& token : table->Tokens()) {
      if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) {
        tokens.push_back(std::move(token));
      }
    }
  }
  for (const auto& kind : own_) {
    if (kind->schema().read_only) tokens.push_back(kind->schema().token);
  }
  return tokens;
}

std::string Kinds::WhyGone(const TypeToken& token) const {
  for (const KindTable* table : tables_) {
    if (std::string why = table->WhyGone(token); !why.empty()) return why;
  }
  return "";
}

std::vector<const reconcilers::Kind*> Kinds::InUse() const {
  std::vector<const reconcilers::Kind*> kinds;
  for (const auto& kind : own_) kinds.push_back(kind.get());
  const ReaderLock lock(mutex_);
  for (const auto& [token, kind] : made_) kinds.push_back(kind.get());
  return kinds;
}

std::vector<const manifests::KindSchema*> Kinds::Schemas() const {
  std::vector<const manifests::KindSchema*> schemas;
  for (const TypeToken& token : Tokens()) schemas.push_back(&Find(token)->schema());
  return schemas;
}

const Kinds& KnownKinds() {
  static const Kinds kKinds;
  return kKinds;
}

const reconcilers::KindTraits& GetTraits(const Target& target) {
  static const reconcilers::KindTraits kUnknown;
  const reconcilers::Kind* kind = KnownKinds().FindByTargets(target.kind.str());
  return kind == nullptr ? kUnknown : kind->traits();
}

bool IsLookup(const TypeToken& token) {
  const reconcilers::Kind* kind = KnownKinds().Find(token);
  return kind != nullptr && kind->schema().read_only;
}

}  // namespace bindery::providers
