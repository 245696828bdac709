#include "app/edits/adopted_setting.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "app/edits/manifest_edit.h"
#include "convert/expressions.h"
#include "core/access/claim_part.h"

namespace bindery::app {
namespace {

constexpr const char* kConfigs = "auditConfigs";
constexpr const char* kService = "service";
constexpr const char* kLogs = "auditLogConfigs";
constexpr const char* kLogType = "logType";
constexpr const char* kExempted = "exemptedMembers";
constexpr std::string_view kExempts = " exempts ";

/// A unit, taken apart.
struct AuditPart {
  std::string service;
  std::string log_type;
  std::string exempted;  ///< Empty: the log type itself.
};

AuditPart SplitUnit(const Grant& unit) {
  AuditPart part{unit.role.substr(kSettings.size()), unit.principal, ""};
  if (const auto at = unit.principal.find(kExempts); at != std::string::npos) {
    part.log_type = unit.principal.substr(0, at);
    part.exempted = unit.principal.substr(at + kExempts.size());
  }
  return part;
}

/// The index of the object in the list whose member has the text.
std::optional<std::size_t> FindEntry(const Json* list, const char* member,
                                     const std::string& text) {
  if (list == nullptr || !list->is_array()) return std::nullopt;
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (StringMember(list->at(i), member) == text) return i;
  }
  return std::nullopt;
}

/// The edits of one manifest.
class AuditEdit {
 public:
  AuditEdit(const AuditManifest& manifest, const Grant& unit)
      : manifest_(manifest), unit_(unit), part_(SplitUnit(unit)) {
    const Json* configs = FindMember(manifest.spec, kConfigs);
    of_policy_ = configs != nullptr;
    config_ = of_policy_ ? FindEntry(configs, kService, part_.service) : std::nullopt;
    const Json* config = config_ ? &configs->at(*config_) : nullptr;
    if (!of_policy_) config = &manifest.spec;
    logs_ = config == nullptr ? nullptr : FindMember(*config, kLogs);
    log_ = FindEntry(logs_, kLogType, part_.log_type);
  }

  [[nodiscard]] Expected<std::string> Add() const {
    Json log = {{kLogType, part_.log_type}};
    const std::string member = convert::EscapedText(part_.exempted);
    if (!part_.exempted.empty()) log[kExempted] = Json::array({member});
    if (of_policy_ && !config_) {
      return WithListEntry(manifest_.text, MakePlace({{"spec"}, {kConfigs}}),
                           {{kService, part_.service}, {kLogs, Json::array({log})}});
    }
    if (!log_) return WithListEntry(manifest_.text, MakePlace(LogsPath()), log);
    const Json* exempted = FindMember(logs_->at(*log_), kExempted);
    if (exempted == nullptr) {
      return WithField(manifest_.text, MakePlace(LogPath()), kExempted, Json::array({member}));
    }
    return WithListItem(manifest_.text, MakePlace(ExemptedPath()), member);
  }

  [[nodiscard]] Expected<std::string> Remove() const {
    if (!log_) return Fail(Code::kFailedPrecondition, "change the manifest by hand");
    if (!part_.exempted.empty()) return RemoveExemption();
    if (logs_->size() > 1 || !of_policy_) {
      return WithoutListEntry(manifest_.text, MakePlace(LogsPath()), *log_);
    }
    return WithoutListEntry(manifest_.text, MakePlace({{"spec"}, {kConfigs}}), *config_);
  }

 private:
  [[nodiscard]] Expected<std::string> RemoveExemption() const {
    const Json* exempted = FindMember(logs_->at(*log_), kExempted);
    const std::size_t count = exempted == nullptr ? 0 : exempted->size();
    const std::string begin = part_.log_type + std::string(kExempts);
    for (std::size_t i = 0; i < count; ++i) {
      const Json& member = exempted->at(i);
      const bool same = member.is_string() && manifest_.normal(begin + member.get<std::string>()) ==
                                                  manifest_.normal(unit_.principal);
      if (!same) continue;
      if (count > 1) return WithoutListItem(manifest_.text, MakePlace(ExemptedPath()), i);
      return WithoutField(manifest_.text, MakePlace(LogPath()), kExempted);
    }
    return Fail(Code::kFailedPrecondition, "change the manifest by hand");
  }

  [[nodiscard]] ManifestPlace MakePlace(ManifestPath path) const {
    return {manifest_.name, std::move(path)};
  }

  [[nodiscard]] ManifestPath LogsPath() const {
    if (!of_policy_) return {{"spec"}, {kLogs}};
    return {{"spec"}, {kConfigs}, {config_.value_or(0)}, {kLogs}};
  }

  [[nodiscard]] ManifestPath LogPath() const {
    ManifestPath path = LogsPath();
    path.emplace_back(log_.value_or(0));
    return path;
  }

  [[nodiscard]] ManifestPath ExemptedPath() const {
    ManifestPath path = LogPath();
    path.emplace_back(std::string(kExempted));
    return path;
  }

  const AuditManifest& manifest_;
  const Grant& unit_;
  const AuditPart part_;
  bool of_policy_ = false;             ///< The manifest declares several services.
  std::optional<std::size_t> config_;  ///< Of the service, in a manifest of a policy.
  const Json* logs_ = nullptr;         ///< Of the service.
  std::optional<std::size_t> log_;     ///< Of the log type.
};

}  // namespace

Expected<std::string> WithAuditUnit(const AuditManifest& manifest, const Grant& unit) {
  return AuditEdit(manifest, unit).Add();
}

Expected<std::string> WithoutAuditUnit(const AuditManifest& manifest, const Grant& unit) {
  return AuditEdit(manifest, unit).Remove();
}

bool IsExemptionFrom(const Grant& exemption, const Grant& log_type) {
  return exemption.role == log_type.role &&
         exemption.principal.starts_with(log_type.principal + std::string(kExempts));
}

}  // namespace bindery::app
