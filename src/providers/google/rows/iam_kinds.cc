#include "providers/google/rows/iam_kinds.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_aliases.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::google {
namespace {

constexpr std::string_view kPackage = "cloudnative:";
constexpr std::string_view kElsewhere = "google-native:";
constexpr std::string_view kGenericModule = "iam";

/// The endings of kinds, by shape.
constexpr std::array<std::string_view, 4> kEndings = {"IamBinding", "IamMember", "IamPolicy",
                                                      "IamAuditConfig"};

std::string_view GetEnding(IamShape shape) { return kEndings[static_cast<std::size_t>(shape)]; }

bool Has(const IamRow& row, IamShape shape) {
  return shape != IamShape::kAuditConfig || row.audit_configs;
}

/// A kind's name, taken apart: "Topic" and the shape of "TopicIamMember".
struct KindName {
  std::string_view resource;
  IamShape shape;
};

std::optional<KindName> ReadKind(std::string_view kind) {
  for (const IamShape shape : kIamShapes) {
    const std::string_view ending = GetEnding(shape);
    if (kind.size() > ending.size() && kind.ends_with(ending)) {
      return KindName{kind.substr(0, kind.size() - ending.size()), shape};
    }
  }
  return std::nullopt;
}

/// "pubsub/v1" of "cloudnative:pubsub/v1"; empty for a different package.
std::string_view GetModule(std::string_view api_version) {
  for (const std::string_view package : {kPackage, kElsewhere}) {
    if (api_version.starts_with(package)) return api_version.substr(package.size());
  }
  return {};
}

/// "pubsub/v1:Topic": the token without package and shape; empty where it is none of ours.
std::string GetName(const TypeToken& token) {
  const std::string_view module = GetModule(token.api_version);
  const std::optional<KindName> kind = ReadKind(token.kind);
  if (module.empty() || !kind) return "";
  return std::string(module) + ":" + std::string(kind->resource);
}

struct Found {
  const IamRow* row = nullptr;
  IamShape shape = IamShape::kBinding;
};

Found FindRow(const TypeToken& token) {
  const std::string name = GetName(token);
  if (name.empty()) return {};
  const IamShape shape = ReadKind(token.kind)->shape;
  const IamRow* row = FindIamRow(name);
  if (row == nullptr) {
    const IamAlias* alias = FindIamAlias(name);
    if (alias != nullptr && !alias->row.empty()) row = FindIamRow(alias->row);
  }
  if (row == nullptr || !Has(*row, shape)) return {};
  return {row, shape};
}

Found FindOnlyOne(const std::string& kind) {
  const std::string wanted = AsciiLower(kind);
  Found found;
  for (const IamRow& row : IamRows()) {
    for (const IamShape shape : kIamShapes) {
      if (!Has(row, shape) || AsciiLower(GetToken(row, shape).kind) != wanted) continue;
      if (found.row != nullptr) return {};
      found = {&row, shape};
    }
  }
  return found;
}

/// The shape of "cloudnative:iam" with IamBinding, IamMember and so on.
std::optional<IamShape> ShapeOfGeneric(const TypeToken& token) {
  if (GetModule(token.api_version) != kGenericModule) return std::nullopt;
  for (const IamShape shape : kIamShapes) {
    if (token.kind == GetEnding(shape)) return shape;
  }
  return std::nullopt;
}

/// GetPolicyName(row) == name, without making the text: it is asked of all rows.
bool HasPolicyNameForm(const IamRow& row, std::string_view name) {
  if (!row.policy_of.empty()) return false;
  if (!name.ends_with(row.kind) && !name.ends_with(GetEnding(IamShape::kBinding))) return false;
  return GetPolicyName(row) == name;
}

std::unique_ptr<reconcilers::Kind> MakeKind(const Found& found) {
  switch (found.shape) {
    case IamShape::kBinding:
      break;
    case IamShape::kMember:
      return MakeIamMember(*found.row);
    case IamShape::kPolicy:
      return MakeIamPolicy(*found.row);
    case IamShape::kAuditConfig:
      return MakeIamAuditConfig(*found.row);
  }
  return MakeIamBinding(*found.row);
}

class IamTable final : public providers::KindTable {
 public:
  [[nodiscard]] std::vector<TypeToken> Tokens() const override {
    std::vector<TypeToken> tokens;
    for (const IamRow& row : IamRows()) {
      for (const IamShape shape : kIamShapes) {
        if (Has(row, shape)) tokens.push_back(GetToken(row, shape));
      }
    }
    return tokens;
  }

  [[nodiscard]] std::optional<TypeToken> Find(const TypeToken& spelled) const override {
    const Found found = spelled.api_version.empty() ? FindOnlyOne(spelled.kind) : FindRow(spelled);
    if (found.row == nullptr) return std::nullopt;
    return GetToken(*found.row, found.shape);
  }

  [[nodiscard]] bool IsGeneric(const TypeToken& spelled) const override {
    return ShapeOfGeneric(spelled).has_value();
  }

  [[nodiscard]] std::string ExampleOfGeneric(const TypeToken& /*spelled*/) const override {
    return "//pubsub.googleapis.com/projects/p/topics/t";
  }

  [[nodiscard]] std::optional<TypeToken> ForResource(const TypeToken& generic,
                                                     std::string_view name) const override {
    const std::optional<IamShape> shape = ShapeOfGeneric(generic);
    if (!shape || !name.starts_with("//")) return std::nullopt;
    for (const IamRow& row : IamRows()) {
      if (Has(row, *shape) && CanonicalIamName(row, name, "")) return GetToken(row, *shape);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<TypeToken> OfTargets(std::string_view target_kind) const override {
    for (const IamRow& row : IamRows()) {
      if (HasPolicyNameForm(row, target_kind)) return GetToken(row, IamShape::kBinding);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> ContainerPolicies() const override {
    std::vector<std::string> policies;
    for (const IamRow& row : IamRows()) {
      if (row.container) policies.push_back(GetPolicyName(row));
    }
    return policies;
  }

  [[nodiscard]] std::string WhyGone(const TypeToken& spelled) const override {
    const IamAlias* alias = FindIamAlias(GetName(spelled));
    return alias == nullptr ? "" : std::string(alias->sentence);
  }

  [[nodiscard]] std::unique_ptr<reconcilers::Kind> Make(const TypeToken& token) const override {
    const Found found = FindRow(token);
    if (found.row == nullptr) throw std::logic_error("there is no kind " + token.Text());
    return MakeKind(found);
  }
};

}  // namespace

const providers::KindTable& IamKindTable() {
  static const IamTable kTable;
  return kTable;
}

std::string GetPolicyName(const IamRow& row) {
  if (row.whole_policy) return GetToken(row, IamShape::kBinding).kind;
  return std::string(row.service) + ":" + std::string(GetPolicyRow(row).kind);
}

TypeToken GetToken(const IamRow& row, IamShape shape) {
  return {std::string(kPackage) + std::string(row.id.substr(0, row.id.find(':'))),
          std::string(row.kind) + std::string(GetEnding(shape))};
}

std::vector<TypeToken> ListOtherTokens(const IamRow& row, IamShape shape) {
  const TypeToken on_record = GetToken(row, shape);
  const std::string ending(GetEnding(shape));
  std::vector<TypeToken> tokens;
  const auto add = [&](const std::string& module, std::string_view kind) {
    for (const std::string_view package : {kPackage, kElsewhere}) {
      TypeToken token{std::string(package) + module, std::string(kind) + ending};
      if (token != on_record) tokens.push_back(std::move(token));
    }
  };
  for (const std::string_view version : manifests::Split(row.versions, ' ')) {
    add(std::string(row.service) + "/" + std::string(version), row.kind);
  }
  for (const IamAlias& alias : IamAliases()) {
    if (alias.row != row.id) continue;
    const auto colon = alias.token.find(':');
    add(std::string(alias.token.substr(0, colon)), alias.token.substr(colon + 1));
  }
  return tokens;
}

TypeToken GenericToken(IamShape shape) {
  return {std::string(kPackage) + std::string(kGenericModule), std::string(GetEnding(shape))};
}

TypeToken OtherGenericToken(IamShape shape) {
  return {std::string(kElsewhere) + std::string(kGenericModule), std::string(GetEnding(shape))};
}

const IamRow& IamKind(std::string_view kind) {
  const std::optional<KindName> name = ReadKind(kind);
  const auto rows = IamRows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const IamRow& each) {
    return name && each.kind == name->resource;
  });
  if (row == rows.end()) throw std::logic_error("there is no kind " + std::string(kind));
  return *row;
}

const manifests::KindSchema& IamSchema(const IamRow& row, IamShape shape) {
  static Mutex mutex;
  static std::map<std::pair<std::string_view, IamShape>, manifests::KindSchema> schemas GUARDED_BY(
      mutex);
  const MutexLock lock(mutex);
  const auto key = std::make_pair(row.id, shape);
  const auto found = schemas.find(key);
  if (found != schemas.end()) return found->second;
  return schemas.emplace(key, MakeIamSchema(row, shape)).first->second;
}

const manifests::KindSchema& IamBindingSchema(std::string_view kind) {
  return IamSchema(IamKind(kind), IamShape::kBinding);
}

}  // namespace bindery::google
