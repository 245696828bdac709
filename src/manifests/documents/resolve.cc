#include "manifests/documents/resolve.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/text/digest.h"
#include "manifests/documents/spec.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/findings.h"
#include "manifests/schema/validate.h"
#include "yaml/reader.h"

namespace bindery::manifests {
namespace {

constexpr std::size_t kMaxProblemsTold = 3;

template <typename T>
using Outcome = tl::expected<T, ManifestError>;

/// An error of a resolved field, at the reference that caused it.
Problem ProblemAt(const Manifest& manifest, const std::string& path, std::string message) {
  Problem problem;
  problem.file = manifest.source.file;
  problem.line = manifest.source.line;
  problem.column = 1;
  problem.path = path;
  problem.code = "InvalidReference";
  problem.message = std::move(message);
  problem.resource = manifest.name;
  for (const Reference& reference : *manifest.references) {
    const std::string& at = reference.path;
    const bool around =
        path.rfind(at, 0) == 0 &&
        (path.size() == at.size() || path[at.size()] == '.' || path[at.size()] == '[');
    if (!around) continue;
    problem.line = reference.line;
    problem.column = reference.column;
  }
  return problem;
}

tl::unexpected<ManifestError> Refuse(std::vector<Problem> problems) {
  Error error;
  error.code = Code::kInvalidArgument;
  for (std::size_t i = 0; i < std::min(problems.size(), kMaxProblemsTold); ++i) {
    error.message += (i == 0 ? "" : "; ") + problems[i].Text();
  }
  if (problems.size() > kMaxProblemsTold) {
    error.message += "; and " + std::to_string(problems.size() - kMaxProblemsTold) + " more";
  }
  return tl::unexpected<ManifestError>(ManifestError(std::move(error), std::move(problems)));
}

/// The member or item at the end of a path; null if none exists, or a null.
const Json* FindAt(const Json& value, const FieldPath& path) {
  const Json* at = &value;
  for (const PathStep& step : path) {
    if (step.index) {
      at = at->is_array() && *step.index < at->size() ? &(*at)[*step.index] : nullptr;
    } else {
      at = FindMember(*at, step.name);
    }
    if (at == nullptr) return nullptr;
  }
  return at->is_null() ? nullptr : at;
}

/// Puts values in the place of the references of one spec.
class Substitution {
 public:
  Substitution(const Manifest& manifest, const KnownName& known, const OutputLookup& lookup)
      : manifest_(manifest), known_(known), lookup_(lookup) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as a document may be
  Outcome<Json> Of(const Json& value, const std::string& path) {
    if (value.is_string()) return OfText(value.get_ref<const std::string&>(), path);
    if (!value.is_structured()) return value;
    Json made = value.is_array() ? Json::array() : Json::object();
    for (const auto& item : value.items()) {
      const std::string at =
          value.is_array() ? path + "[" + item.key() + "]" : JoinPath(path, item.key());
      Outcome<Json> inner = Of(item.value(), at);
      if (!inner) return inner;
      if (value.is_array()) {
        made.push_back(std::move(*inner));
      } else {
        made[item.key()] = std::move(*inner);
      }
    }
    return made;
  }

 private:
  Outcome<Json> OfText(const std::string& text, const std::string& path) {
    const tl::expected<Template, TextFault> pieces = ParseTemplate(text);
    if (!pieces) {
      return RefuseAt(path, pieces.error().message);
    }
    if (IsLoneExpression(*pieces)) return GetValue(pieces->front(), path);
    std::string made;
    for (const TemplatePiece& piece : *pieces) {
      if (!piece.path) {
        made += piece.text;
        continue;
      }
      Outcome<Json> value = GetValue(piece, path);
      if (!value) return value;
      if (value->is_structured()) {
        return RefuseAt(path, piece.text + " is a " + (value->is_array() ? "list" : "map") +
                                  ": it cannot be part of a text, only alone");
      }
      made += value->is_string() ? value->get<std::string>() : value->dump();
    }
    return Json(std::move(made));
  }

  Outcome<Json> GetValue(const TemplatePiece& piece, const std::string& path) {
    const NamedPath named = SplitName(*piece.path, known_);
    if (named.below.empty()) {
      return RefuseAt(path, piece.text + " names no field: write ${NAME.FIELD}");
    }
    auto known = given_.find(named.name);
    if (known == given_.end()) {
      Expected<Json> given = lookup_(named.name);
      if (!given) return Fail(std::move(given.error()));
      known = given_.emplace(named.name, std::move(*given)).first;
    }
    if (const Json* value = FindAt(known->second, named.below)) return *value;
    return Fail(Code::kUnavailable, Quote(named.name) + " does not give " +
                                        Quote(PathText(named.below)) + " yet, which " + path +
                                        " refers to");
  }

  [[nodiscard]] tl::unexpected<ManifestError> RefuseAt(const std::string& path,
                                                       std::string message) const {
    return Refuse({ProblemAt(manifest_, path, std::move(message))});
  }

  const Manifest& manifest_;
  const KnownName& known_;
  const OutputLookup& lookup_;
  std::map<std::string, Json> given_;
};

/// The spec in its canonical form, if valid for the kind.
Outcome<std::string> Checked(const Manifest& manifest, const KindSchema& kind, const Json& spec) {
  const yaml::ReadResult read = yaml::ReadJson(CanonicalJson(spec));
  if (!read.faults.empty() || read.documents.empty()) {
    return Refuse({ProblemAt(manifest, "spec",
                             read.faults.empty() ? "is empty" : read.faults.front().message)});
  }
  Findings findings(manifest.source.file, {manifest.source.line, 1});
  Validator validator(findings, Validator::Texts::kResolved);
  const Json whole = validator.Top(&read.documents.front().root, kind.inputs, "spec");
  if (kind.check_all && findings.error_count() == 0) {
    for (auto& [path, failure] : kind.check_all(whole)) {
      findings.Add({}, "spec." + path, std::move(failure));
    }
  }
  std::vector<Problem> faults;
  for (Problem& found : findings.Take(manifest.name)) {
    if (found.severity != ProblemSeverity::kError) continue;
    faults.push_back(ProblemAt(manifest, found.path, std::move(found.message)));
    faults.back().code = std::move(found.code);
  }
  if (!faults.empty()) return Refuse(std::move(faults));
  return CanonicalJson(whole);
}

}  // namespace

tl::expected<std::shared_ptr<const Manifest>, ManifestError> Resolve(const Manifest& manifest,
                                                                     const KindSchema& kind,
                                                                     const KnownName& known,
                                                                     const OutputLookup& lookup) {
  if (manifest.references == nullptr) return std::make_shared<const Manifest>(manifest);
  const Expected<Json> pattern = MakeSpec(manifest);
  if (!pattern) return Fail(Error(pattern.error()));
  Outcome<Json> spec = Substitution(manifest, known, lookup).Of(*pattern, "spec");
  if (!spec) return tl::unexpected<ManifestError>(std::move(spec.error()));
  Outcome<std::string> checked = Checked(manifest, kind, *spec);
  if (!checked) return tl::unexpected<ManifestError>(std::move(checked.error()));
  auto resolved = std::make_shared<Manifest>(manifest);
  resolved->references = nullptr;
  resolved->spec = std::move(*checked);
  resolved->digest = Sha256Digest::Of(manifest.digest.Hex().append(1, '\0').append(resolved->spec));
  return std::shared_ptr<const Manifest>(std::move(resolved));
}

}  // namespace bindery::manifests
