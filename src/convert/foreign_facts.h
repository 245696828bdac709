#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::convert {

/// Facts of providers about the types of other tools, besides the kinds as their counterparts.
/// An unset function knows nothing. All are pure.
struct ForeignFacts {
  /// Whether a resource of a type, in the spelling of any tool, grants or takes access.
  std::function<bool(std::string_view type)> grants_access = {};
  /// The field that grants access where it is not empty, of a type that grants none by itself;
  /// empty: no such field.
  std::function<std::string_view(std::string_view type)> granting_field = {};
  /// Whether an entry of that field with these texts, sorted, is one that the service gives to each
  /// resource.
  std::function<bool(const std::vector<std::string>& texts)> is_given_to_each = {};
  /// Attributes of a resource of Terraform that its arguments determine, by name: the e-mail
  /// address of an account. Texts only.
  std::function<std::map<std::string, std::string>(
      std::string_view type, const std::map<std::string, std::string>& arguments)>
      derived = {};
  /// The kind of the whole policies of a resource, "//HOST/NAME"; null: no such kind.
  std::function<const manifests::KindSchema*(const std::string& resource)> policy_kind = {};
  /// Whether a principal is one that was deleted, of which policies keep the name: it holds
  /// nothing.
  std::function<bool(const manifests::KindSchema& kind, const std::string& principal)> is_deleted =
      {};
  /// Whether a grant under the condition has the mark of a service that grants access on request,
  /// for some time: no manifest declares such access.
  std::function<bool(const manifests::KindSchema& kind, const std::string& title,
                     const std::string& expression)>
      is_on_request = {};
  /// What the API groups and annotations of Config Connector end or begin with:
  /// "cnrm.example.com/".
  std::string connector_domain = {};
  /// Terraform's family for a kind that Config Connector names otherwise:
  /// "acme_account" for "IAMAccount"; empty: the family has the same words.
  std::function<std::string_view(std::string_view kind)> family_of_connector_kind = {};
};

}  // namespace bindery::convert
