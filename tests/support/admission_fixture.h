#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/admission.h"

namespace bindery::testing {

/// What can be done about two claims on one role, as the status says at its end.
inline const std::string kWayOut =
    "; declare it in one manifest; where the conditions differ, reconcile.bindingKey: "
    "roleAndCondition admits both";

/// Admission by hand: a manifest's spec is "target role" or "target role provider"; the resolver
/// reads it. A target "nowhere" cannot be placed; one that begins with "locked-" is refused; one
/// that begins with "later" waits, and "later-…" tells for which role.
class AdmissionFixture {
 public:
  static std::shared_ptr<const manifests::Manifest> MakeManifest(std::string name,
                                                                 const std::string& spec,
                                                                 std::string file, int line = 1) {
    manifests::Manifest manifest;
    manifest.name = std::move(name);
    manifest.spec = spec;
    static const TypeToken kToken{"v1", "Thing"};
    manifest.token = &kToken;
    manifest.source = {std::move(file), line};
    return std::make_shared<const manifests::Manifest>(std::move(manifest));
  }

  static admission::Placement Place(const std::string& spec) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= spec.size();) {
      const std::size_t end = std::min(spec.find(' ', at), spec.size());
      words.push_back(spec.substr(at, end - at));
      at = end + 1;
    }
    std::string part = words.at(1);
    std::replace(part.begin(), part.end(), '_', ' ');
    return {Target{"Kind", "", words.at(0)}, words.size() > 2 ? words[2] : "p", std::move(part)};
  }

  void Declare(std::string name, const std::string& spec, std::string file, int line = 1) {
    input.manifests.push_back(MakeManifest(std::move(name), spec, std::move(file), line));
  }
  void InForce(std::string name, const std::string& spec, std::string file, int line = 1) {
    input.in_force.push_back({std::move(name), {std::move(file), line}, Place(spec)});
  }
  void Problem(std::string file, std::string resource,
               manifests::ProblemSeverity severity = manifests::ProblemSeverity::kError) {
    manifests::Problem problem;
    problem.file = std::move(file);
    problem.line = 7;
    problem.column = 3;
    problem.path = "spec.role";
    problem.severity = severity;
    problem.code = "MissingField";
    problem.message = "required";
    problem.resource = std::move(resource);
    input.problems.push_back(std::move(problem));
  }

  [[nodiscard]] admission::AdmissionResult Run() const {
    using Result = tl::expected<admission::Resolved, admission::Unplaced>;
    return admission::Admit(
        input, [](const std::shared_ptr<const manifests::Manifest>& manifest) -> Result {
          admission::Placement placement = Place(manifest->spec);
          const std::string& target = placement.target.name;
          const auto fail = [](Code code, std::string message,
                               std::optional<admission::Placement> where = std::nullopt) -> Result {
            return tl::unexpected(
                admission::Unplaced{Error{code, std::move(message)}, std::move(where)});
          };
          if (target == "nowhere") return fail(Code::kInvalidArgument, "cannot be placed");
          if (target == "later") return fail(Code::kUnavailable, "waits for \"me\"");
          if (target.starts_with("locked-")) return fail(Code::kFailedPrecondition, "is protected");
          if (target.starts_with("later-")) {
            return fail(Code::kUnavailable, "waits for \"me\"", placement);
          }
          return admission::Resolved{manifest, std::move(placement)};
        });
  }

  admission::AdmissionInput input;
};

[[nodiscard]] inline std::vector<std::string> AcceptedNames(
    const admission::AdmissionResult& result) {
  std::vector<std::string> names;
  for (const admission::Admitted& admitted : result.accepted)
    names.push_back(admitted.manifest->name);
  return names;
}

/// "name reason: message" of each, sorted.
[[nodiscard]] inline std::vector<std::string> RejectedTexts(
    const admission::AdmissionResult& result) {
  std::vector<std::string> texts;
  for (const admission::Rejected& rejected : result.rejected) {
    texts.push_back(rejected.name + " " + rejected.reason + ": " + rejected.message);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

[[nodiscard]] inline std::vector<std::string> RejectedNames(
    const admission::AdmissionResult& result) {
  std::vector<std::string> names;
  for (const admission::Rejected& rejected : result.rejected) names.push_back(rejected.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// A part of a policy as a spec names it, whose words end at a space.
inline std::string OneWord(std::string part) {
  std::replace(part.begin(), part.end(), ' ', '_');
  return part;
}

}  // namespace bindery::testing
