#include "providers/google/iam_kinds.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "manifests/check_text.h"
#include "providers/google/iam_aliases.h"

namespace bindery {
namespace {

constexpr std::string_view kPackage = "cloudnative:";
constexpr std::string_view kElsewhere = "google-native:";
constexpr std::string_view kBinding = "IamBinding";

/// "projects" of the interface: what its documentation says of a policy as a whole holds for these.
constexpr std::array<std::string_view, 2> kOfInterface = {"backupdr/v1:ManagementServer",
                                                          "networksecurity/v1:AuthorizationPolicy"};

TypeToken TokenOf(const IamRow& row) {
  return {std::string(kPackage) + std::string(row.id.substr(0, row.id.find(':'))),
          std::string(row.kind) + std::string(kBinding)};
}

/// "Topic" of "TopicIamBinding"; empty where it is no binding.
std::string_view ResourceOf(std::string_view kind) {
  if (!kind.ends_with(kBinding)) return {};
  return kind.substr(0, kind.size() - kBinding.size());
}

/// "pubsub/v1" of "cloudnative:pubsub/v1"; empty where it is another package.
std::string_view ModuleOf(std::string_view api_version) {
  for (const std::string_view package : {kPackage, kElsewhere}) {
    if (api_version.starts_with(package)) return api_version.substr(package.size());
  }
  return {};
}

/// "pubsub/v1:Topic": the token without package and shape; empty where it is none of ours.
std::string NameOf(const TypeToken& token) {
  const std::string_view module = ModuleOf(token.api_version);
  const std::string_view resource = ResourceOf(token.kind);
  if (module.empty() || resource.empty()) return "";
  return std::string(module) + ":" + std::string(resource);
}

const IamRow* FindRow(const TypeToken& token) {
  const std::string name = NameOf(token);
  if (name.empty()) return nullptr;
  if (const IamRow* row = FindIamRow(name)) return row;
  const IamAlias* alias = FindIamAlias(name);
  return alias == nullptr || alias->row.empty() ? nullptr : FindIamRow(alias->row);
}

const IamRow* FindOnlyOne(const std::string& kind) {
  const std::string wanted = AsciiLower(kind);
  const IamRow* found = nullptr;
  for (const IamRow& row : IamRows()) {
    if (AsciiLower(TokenOf(row).kind) != wanted) continue;
    if (found != nullptr) return nullptr;
    found = &row;
  }
  return found;
}

class IamTable final : public KindTable {
 public:
  [[nodiscard]] std::vector<TypeToken> Tokens() const override {
    std::vector<TypeToken> tokens;
    for (const IamRow& row : IamRows()) tokens.push_back(TokenOf(row));
    return tokens;
  }

  [[nodiscard]] std::optional<TypeToken> Find(const TypeToken& spelled) const override {
    const IamRow* row = spelled.api_version.empty() ? FindOnlyOne(spelled.kind) : FindRow(spelled);
    return row == nullptr ? std::nullopt : std::optional(TokenOf(*row));
  }

  [[nodiscard]] std::optional<TypeToken> OfTargets(std::string_view target_kind) const override {
    for (const IamRow& row : IamRows()) {
      if (PolicyNameOf(row) == target_kind) return TokenOf(row);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string WhyGone(const TypeToken& spelled) const override {
    const IamAlias* alias = FindIamAlias(NameOf(spelled));
    return alias == nullptr ? "" : std::string(alias->sentence);
  }

  [[nodiscard]] std::unique_ptr<Kind> Make(const TypeToken& token) const override {
    const IamRow* row = FindRow(token);
    if (row == nullptr) throw std::logic_error("there is no kind " + token.Text());
    return MakeIamBinding(*row);
  }
};

}  // namespace

const KindTable& IamKindTable() {
  static const IamTable kTable;
  return kTable;
}

bool IsOfInterface(const IamRow& row) {
  return std::find(kOfInterface.begin(), kOfInterface.end(), row.id) != kOfInterface.end();
}

std::string PolicyNameOf(const IamRow& row) {
  if (IsOfInterface(row)) return std::string(row.kind) + std::string(kBinding);
  return std::string(row.service) + ":" + std::string(row.kind);
}

const IamRow& IamKind(std::string_view kind) {
  const auto rows = IamRows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const IamRow& each) { return each.kind == ResourceOf(kind); });
  if (row == rows.end()) throw std::logic_error("there is no kind " + std::string(kind));
  return *row;
}

const KindSchema& IamBindingSchema(const IamRow& row) {
  static std::mutex mutex;  // Guards what follows.
  static std::map<std::string_view, KindSchema> schemas;
  const std::lock_guard lock(mutex);
  const auto found = schemas.find(row.id);
  if (found != schemas.end()) return found->second;
  KindSchema schema = MakeIamBindingSchema(row);
  schema.token = TokenOf(row);
  return schemas.emplace(row.id, std::move(schema)).first->second;
}

const KindSchema& IamBindingSchema(std::string_view kind) {
  return IamBindingSchema(IamKind(kind));
}

}  // namespace bindery
