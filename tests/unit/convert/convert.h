#pragma once

#include <string>
#include <vector>

#include "convert/convert.h"
#include "manifests/documents/loader.h"
#include "manifests/schema/kind_schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"

namespace bindery::convert {

inline const std::vector<const manifests::KindSchema*>& EverySchema() {
  static const std::vector<const manifests::KindSchema*> kKinds = {
      &google::IamBindingSchema("AuthorizationPolicyIamBinding"),
      &google::IamBindingSchema("ManagementServerIamBinding"),
      &datadog::RestrictionPolicySchema(),
      &datadog::DatasetSchema(),
      &datadog::LogsRestrictionQuerySchema(),
      &google::GetImportDataFileSchema(),
      &datadog::GetCurrentUserSchema(),
      &datadog::GetRoleSchema(),
      &datadog::GetTeamSchema(),
      &datadog::GetUserSchema(),
      &google::IamSchema(google::IamKind("ProjectIamMember"), google::IamShape::kMember),
      &google::IamSchema(google::IamKind("TopicIamBinding"), google::IamShape::kBinding),
      &google::IamSchema(google::IamKind("TopicIamMember"), google::IamShape::kMember),
      &google::IamSchema(google::IamKind("GatewayIamBinding"), google::IamShape::kBinding),
      &google::IamSchema(google::IamKind("ProjectIamPolicy"), google::IamShape::kPolicy),
      &google::IamSchema(google::IamKind("TopicIamPolicy"), google::IamShape::kPolicy),
      &google::IamSchema(google::IamKind("ProjectIamAuditConfig"), google::IamShape::kAuditConfig)};
  return kKinds;
}

inline const manifests::ListedKinds& EveryKind() {
  static const manifests::ListedKinds kTable(EverySchema());
  return kTable;
}

inline Conversion Converted(const std::string& text) {
  Expected<Conversion> made = ConvertProgram(text, "p.yaml", {}, EveryKind());
  return made ? std::move(*made) : Conversion{};
}

/// The drafts as one text, without the lines that say where they come from.
inline std::string ManifestsOf(const Conversion& conversion) {
  std::string text;
  for (const Draft& draft : conversion.drafts) {
    const std::string one = ManifestText(draft);
    text += (text.empty() ? "" : "---\n") + one.substr(one.find('\n') + 1);
  }
  return text;
}

/// "line:column: path: reason" of all that was left out, "note: " before what is only worth
/// knowing.
inline std::vector<std::string> MakeRemarks(const Conversion& conversion) {
  std::vector<std::string> texts;
  for (const Remark& remark : conversion.remarks) {
    texts.push_back((remark.left_out ? "" : "note: ") + std::to_string(remark.at.line) + ":" +
                    std::to_string(remark.at.column) + ": " + remark.path + ": " + remark.reason);
  }
  return texts;
}

}  // namespace bindery::convert
