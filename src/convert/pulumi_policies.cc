// Whole policies of packages derived from Terraform's provider: a function makes their text.

#include <string_view>
#include <utility>

#include "convert/nodes.h"
#include "convert/pulumi.h"
#include "core/text/ascii.h"
#include "manifests/schema/validate.h"
#include "yaml/reader.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr std::string_view kPolicyProperty = "policyData";

/// The policy that a text spells out as JSON. The service gives etag and version.
std::optional<Node> PolicyInText(std::string_view text) {
  yaml::ReadResult read = yaml::ReadJson(text);
  if (!read.faults.empty() || read.documents.size() != 1) return std::nullopt;
  Node policy = std::move(read.documents.front().root);
  if (policy.kind != NodeKind::kMap) return std::nullopt;
  for (const char* given : {"etag", "version"}) EraseFrom(policy, given);
  return policy;
}

}  // namespace

bool Pulumi::MakesPolicy(const Invocation& call) {
  return AsciiLower(call.token).ends_with(":getiampolicy") &&
         (call.result == nullptr || call.result->text == kPolicyProperty);
}

void Pulumi::NamePolicy(const Node::Entry& entry, const std::string& path, Invocation call) {
  Define(entry, path, Symbol{.reason = "only the policyData of a resource can refer to it"});
  policies_.emplace(entry.key, call);
}

std::optional<Node> Pulumi::PolicyIn(const Node& value) const {
  std::optional<Invocation> call = FindInvocation(value);
  if (call && (!MakesPolicy(*call) || call->result == nullptr)) return std::nullopt;
  for (const auto& [name, policy] : policies_) {
    const std::string end = policy.result == nullptr ? "." + std::string(kPolicyProperty) : "";
    if (value.kind == NodeKind::kString && value.text == "${" + name + end + "}") call = policy;
  }
  if (call) return call->arguments == nullptr ? std::nullopt : std::optional(*call->arguments);
  return value.kind == NodeKind::kString ? PolicyInText(value.text) : std::nullopt;
}

std::optional<Node> Pulumi::PolicySpec(const Plan& plan, const Node& properties, Draft& draft) {
  const std::string path = manifests::JoinPath(manifests::JoinPath(plan.path, "properties"),
                                               std::string(kPolicyProperty));
  const Node& given = *properties.Find(kPolicyProperty);
  const std::optional<Node> policy = PolicyIn(given);
  if (!policy || policy->kind != NodeKind::kMap) {
    LeaveOut(
        given.at, path,
        "expected \"${NAME.policyData}\" of a variable that calls gcp:organizations:getIAMPolicy"
        ", that call, or JSON; bindery import of the IamPolicy kind writes a manifest of what "
        "is there");
    return std::nullopt;
  }
  Node rest = properties;
  EraseFrom(rest, kPolicyProperty);
  std::optional<Node> spec = MakeSpec(plan, rest, draft);
  std::optional<Node> written = Value(*policy, path, draft.refers_to);
  if (!spec || !written || spec->kind != NodeKind::kMap) return std::nullopt;
  for (Node::Entry& entry : written->fields) spec->fields.push_back(std::move(entry));
  return spec;
}

}  // namespace bindery::convert
