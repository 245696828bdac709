#pragma once

#include <string>
#include <vector>

#include "providers/foreign_types.h"
#include "providers/registry/kinds.h"
#include "reconcilers/kind.h"
#include "unit/convert/convert.h"

namespace bindery::convert {

/// As the program does it: with all kinds, and what the clouds know of other tools.
inline Expected<Conversion> ConvertedFile(const std::string& text, const std::string& file,
                                          const std::string& target = "") {
  static const providers::Kinds kKinds;
  ConvertWish wish;
  wish.target = target;
  wish.facts.grants_access = providers::GrantsAccess;
  wish.facts.granting_field = providers::FindGrantingField;
  wish.facts.is_given_to_each = providers::IsGivenToEach;
  wish.facts.derived = providers::DerivedAttributes;
  wish.facts.connector_domain = providers::ConnectorDomain();
  wish.facts.family_of_connector_kind = providers::FamilyOfConnectorKind;
  wish.facts.policy_kind = [](const std::string& resource) {
    return kKinds.FindForResource({"cloudnative:iam", "IamPolicy"}, resource);
  };
  wish.facts.is_deleted = [](const manifests::KindSchema& schema, const std::string& principal) {
    const reconcilers::PrincipalRules* rules = kKinds.Find(schema.token)->traits().principals;
    return rules != nullptr && !rules->deleted(principal).empty();
  };
  wish.facts.is_on_request = [](const manifests::KindSchema& schema, const std::string& title,
                                const std::string& expression) {
    const reconcilers::Kind* kind = kKinds.Find(schema.token);
    const reconcilers::JustInTimeService* service =
        kind == nullptr ? nullptr : kind->traits().just_in_time;
    if (service == nullptr) return false;
    const auto form = service->FindForm({"", "", Condition{expression, title, ""}});
    return form && form->marked;
  };
  return ConvertProgram(text, file, wish, kKinds);
}

inline Conversion ConvertedExport(const std::string& text) {
  Expected<Conversion> made = ConvertedFile(text, "export.json");
  return made ? std::move(*made) : Conversion{};
}

/// "path: reason" of what counts as left out.
inline std::vector<std::string> LeftOut(const Conversion& conversion) {
  std::vector<std::string> texts;
  for (const Remark& remark : conversion.remarks) {
    if (remark.left_out && !remark.harmless) texts.push_back(remark.path + ": " + remark.reason);
  }
  return texts;
}

/// The same of what is only worth knowing, or grants no access.
inline std::vector<std::string> Notes(const Conversion& conversion) {
  std::vector<std::string> texts;
  for (const Remark& remark : conversion.remarks) {
    if (!remark.left_out || remark.harmless) texts.push_back(remark.path + ": " + remark.reason);
  }
  return texts;
}

/// "name: spec as JSON" of each draft.
inline std::vector<std::string> Specs(const Conversion& conversion) {
  std::vector<std::string> texts;
  for (const Draft& draft : conversion.drafts) {
    const yaml::Node* spec = draft.document.Find("spec");
    texts.push_back(draft.name + ": " + (spec == nullptr ? "" : yaml::ToJson(*spec).dump()));
  }
  return texts;
}

}  // namespace bindery::convert
