#include "reconcilers/provider_choice.h"

#include <utility>

namespace bindery::reconcilers {
namespace {

manifests::ManifestError Fault(const manifests::Manifest& manifest, std::string code,
                               std::string message) {
  const manifests::ExtraOptions::Place& at = manifest.options.provider_at;
  manifests::Problem problem;
  problem.file = manifest.source.file;
  problem.line = at.line > 0 ? at.line : manifest.source.line;
  problem.column = at.line > 0 ? at.column : 1;
  // The default provider is not written anywhere.
  if (!manifest.options.provider.empty()) problem.path = "options.provider";
  problem.code = std::move(code);
  problem.message = message;
  problem.resource = manifest.name;
  Error error;
  error.code = Code::kInvalidArgument;
  error.message = std::move(message);
  return {std::move(error), {std::move(problem)}};
}

}  // namespace

std::string ChooseProvider(const manifests::Manifest& manifest, const Kind& kind) {
  const std::string& named = manifest.options.provider;
  return named.empty() ? kind.traits().provider_type : named;
}

std::optional<manifests::ManifestError> ProviderFault(
    const manifests::Manifest& manifest, const Kind& kind,
    const std::map<std::string, std::string>& types) {
  const std::string provider = ChooseProvider(manifest, kind);
  const std::string& needed = kind.traits().provider_type;
  const auto type = types.find(provider);
  if (type == types.end()) {
    return Fault(
        manifest, "UnknownProvider",
        "the configuration has no provider \"" + provider + "\" (providers." + provider + ")");
  }
  if (type->second == needed) return std::nullopt;
  return Fault(manifest, "WrongProvider",
               "provider \"" + provider + "\" is of type " + type->second + "; " +
                   kind.schema().token.kind + " needs one of type " + needed);
}

}  // namespace bindery::reconcilers
