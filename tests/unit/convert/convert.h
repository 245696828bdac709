#pragma once

#include <string>
#include <vector>

#include "convert/convert.h"
#include "manifests/documents/loader.h"
#include "manifests/schema/kind_schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"

namespace bindery {

inline const std::vector<const KindSchema*>& EverySchema() {
  static const std::vector<const KindSchema*> kKinds = {
      &IamBindingSchema("AuthorizationPolicyIamBinding"),
      &IamBindingSchema("ManagementServerIamBinding"),
      &RestrictionPolicySchema(),
      &DatasetSchema(),
      &LogsRestrictionQuerySchema(),
      &GetImportDataFileSchema(),
      &GetCurrentUserSchema(),
      &GetRoleSchema(),
      &GetTeamSchema(),
      &GetUserSchema(),
      &IamSchema(IamKind("ProjectIamMember"), IamShape::kMember),
      &IamSchema(IamKind("TopicIamBinding"), IamShape::kBinding),
      &IamSchema(IamKind("TopicIamMember"), IamShape::kMember),
      &IamSchema(IamKind("GatewayIamBinding"), IamShape::kBinding),
      &IamSchema(IamKind("ProjectIamPolicy"), IamShape::kPolicy),
      &IamSchema(IamKind("TopicIamPolicy"), IamShape::kPolicy),
      &IamSchema(IamKind("ProjectIamAuditConfig"), IamShape::kAuditConfig)};
  return kKinds;
}

inline const ListedKinds& EveryKind() {
  static const ListedKinds kTable(EverySchema());
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

}  // namespace bindery
