#include "convert/pulumi_types.h"

#include <optional>
#include <vector>

#include "core/text/ascii.h"
#include "core/text/type_token.h"
#include "manifests/schema/check_text.h"

namespace bindery::convert {
namespace {

/// The token as we spell it: other packages have the same types under names of their own.
std::string CanonicalToken(const std::string& token,
                           std::span<const manifests::KindSchema* const> kinds) {
  const std::size_t end = token.find(':');
  if (end == std::string::npos) return token;
  for (const manifests::KindSchema* kind : kinds) {
    const std::string& package = kind->elsewhere.pulumi_package;
    if (package.empty() || token.compare(0, end, package) != 0) continue;
    const std::string& ours = kind->token.api_version;
    return ours.substr(0, ours.find(':')) + token.substr(end);
  }
  return token;
}

/// Package, colon, then module and type in lower case, letters and digits only: of
/// "gcp:pubsub/topicIAMBinding:TopicIAMBinding" it is "gcp:pubsubtopiciambinding".
std::string BridgedForm(const std::string& token) {
  const std::size_t package = token.find(':');
  const std::size_t type = token.rfind(':');
  if (package == std::string::npos || type == package) return "";
  std::string form = token.substr(0, package + 1);
  const std::string module = token.substr(package + 1, type - package - 1);
  for (const char c : AsciiLower(module.substr(0, module.find('/')) + token.substr(type + 1))) {
    if (manifests::IsAsciiLetterOrDigit(c)) form += c;
  }
  return form;
}

}  // namespace

Counterpart FindBridgedType(const std::string& token,
                            std::span<const manifests::KindSchema* const> kinds) {
  const std::string form = BridgedForm(token);
  if (form.empty()) return {};
  for (const manifests::KindSchema* kind : kinds) {
    for (const manifests::TerraformType& type : kind->elsewhere.terraform) {
      if (type.bridged == form) return {kind, &type};
    }
  }
  return {};
}

tl::expected<const manifests::KindSchema*, std::string> FindPulumiKind(
    const std::string& token, bool lookup, const manifests::KindSchemas& table,
    std::span<const manifests::KindSchema* const> kinds) {
  const std::optional<TypeToken> parsed = ParseTypeToken(CanonicalToken(token, kinds));
  const manifests::KindSchema* kind = parsed ? table.FindSchema(*parsed) : nullptr;
  if (kind == nullptr) {
    const std::string gone = parsed ? table.WhyGone(*parsed) : "";
    if (!gone.empty()) return tl::unexpected(gone);
    std::vector<std::string> known;
    for (const manifests::KindSchema* schema : kinds) {
      if (schema->read_only == lookup) known.push_back(schema->token.Text());
    }
    return tl::unexpected("bindery has no kind " + manifests::Quote(token) +
                          manifests::DidYouMean(token, known));
  }
  if (kind->read_only != lookup) {
    return tl::unexpected(
        manifests::Quote(token) +
        (lookup ? " is a resource, not a function" : " is a function: call it with fn::invoke"));
  }
  return kind;
}

std::string NameInUrn(const std::string& urn) {
  if (!urn.starts_with("urn:")) return urn;
  std::size_t at = 0;
  // Stack, project and type.
  for (int part = 0; part < 3; ++part) {
    at = urn.find("::", at);
    if (at == std::string::npos) return urn;
    at += 2;
  }
  return urn.substr(at);
}

}  // namespace bindery::convert
