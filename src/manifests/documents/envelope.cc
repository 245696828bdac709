#include "manifests/documents/envelope.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/recent_texts.h"
#include "core/text/digest.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/hints.h"
#include "manifests/schema/read_options.h"
#include "manifests/schema/schemas.h"
#include "manifests/schema/text_place.h"
#include "manifests/schema/validate.h"

namespace bindery::manifests {
namespace {

using yaml::Node;
using yaml::NodeKind;

const std::vector<std::string>& TopFields() {
  static const std::vector<std::string> kNames = {"apiVersion", "kind", "metadata", "spec",
                                                  "options"};
  return kNames;
}

/// Where a field at the top belongs: lost indentation.
std::string ParentOfField(const Node& root, std::string_view name, const KindSchema* kind) {
  const Node* metadata = root.Find("metadata");
  const bool named = metadata != nullptr && metadata->Find("name") != nullptr;
  std::string_view parent;
  if (MetadataFields().Find(name) != nullptr && (name != "name" || !named)) {
    parent = "metadata";
  } else if (kind != nullptr && kind->inputs.Find(name) != nullptr) {
    parent = "spec";
  } else if (OptionFields().Find(name) != nullptr) {
    parent = "options";
  }
  if (parent.empty()) return "";
  return ": it belongs under " + Quote(parent) + ", indented further than that";
}

void CheckTopFields(const Node& root, const KindSchema* kind, Findings& findings) {
  const std::vector<std::string>& names = TopFields();
  for (const Node::Entry& entry : root.fields) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    std::string message = "unknown field " + Quote(entry.key);
    if (entry.key == "status") {
      message += ": a manifest declares, the status is kept by bindery; remove it";
    } else {
      std::string hint = ParentOfField(root, entry.key, kind);
      if (hint.empty()) hint = DidYouMean(entry.key, names);
      if (const std::size_t brace = entry.key.find(":{"); hint.empty() && brace != entry.key.npos) {
        hint = ": a space is missing after the colon";
      }
      message += hint.empty() ? "; known are " + QuotedList(names, "and") : hint;
    }
    findings.Error(entry.key_at, JoinPath("", entry.key), "UnknownField", std::move(message));
  }
}

/// The string under a top-level key; reports if none exists.
std::optional<std::string> TopString(const Node& root, const std::string& key, Findings& findings) {
  const Node* node = root.Find(key);
  if (node == nullptr) {
    findings.Error(root.at, key, "MissingField", "required field is missing");
    return std::nullopt;
  }
  if (node->kind != NodeKind::kString) {
    findings.Error(
        node->at, key, "WrongType",
        "expected a string, found " + std::string(ToString(node->kind)) + HintForText(*node));
    return std::nullopt;
  }
  if (node->text.find("${") != std::string::npos) {
    findings.Error(node->at, key, "ReferenceNotAllowed",
                   "a reference has no meaning here: only \"spec\" can hold one");
    return std::nullopt;
  }
  return node->text;
}

void AddOnce(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

/// For many kinds, names the command that lists the kinds.
std::string KnownAre(const std::vector<std::string>& known) {
  constexpr std::size_t kMany = 12;
  if (known.size() > kMany) return "; bindery kinds lists those that are known";
  return "; known are " + QuotedList(known, "and");
}

void ReportUnknownVersion(const Node& root, const TypeToken& token,
                          const std::vector<TypeToken>& known, Findings& findings) {
  std::vector<std::string> versions;
  std::string hint;
  // The long spellings of the command line, and the right kind under a wrong version.
  const std::optional<TypeToken> normal = ParseTypeToken(token.Text());
  for (const TypeToken& kind : known) {
    AddOnce(versions, kind.api_version);
    if (kind.kind == token.kind || (normal && kind == *normal)) {
      hint = ", did you mean " + Quote(kind.api_version) + "?";
    }
  }
  if (hint.empty()) hint = DidYouMean(token.api_version, versions);
  for (const std::string& version : versions) {
    if (hint.empty() && version.ends_with(":" + token.api_version)) {
      hint = ", did you mean " + Quote(version) + "?";
    }
  }
  if (hint.empty()) hint = HintForRefused(*root.Find("apiVersion"));
  if (hint.empty()) hint = KnownAre(versions);
  findings.Error(root.Find("apiVersion")->at, "apiVersion", "UnknownApiVersion",
                 "unknown apiVersion " + Quote(token.api_version) + hint);
}

void ReportUnknownKind(const Node& root, const TypeToken& token,
                       const std::vector<TypeToken>& known, Findings& findings) {
  std::vector<std::string> here;
  std::string hint;
  for (const TypeToken& kind : known) {
    if (kind.api_version == token.api_version) {
      here.push_back(kind.kind);
    } else if (kind.kind == token.kind) {
      hint = ": it belongs to " + Quote(kind.api_version);
    }
  }
  if (hint.empty()) hint = DidYouMean(token.kind, here);
  if (hint.empty()) hint = HintForRefused(*root.Find("kind"));
  if (hint.empty()) hint = KnownAre(here);
  findings.Error(root.Find("kind")->at, "kind", "UnknownKind",
                 "unknown kind " + Quote(token.kind) + " of " + Quote(token.api_version) + hint);
}

/// The kind of a generic token, by the name of its resource.
const KindSchema* FindForResource(const Node& root, const TypeToken& token,
                                  const KindSchemas& kinds, Findings& findings) {
  const Node* spec = root.Find("spec");
  const Node* name = spec == nullptr ? nullptr : spec->Find("name");
  if (name == nullptr || name->kind != yaml::NodeKind::kString) {
    findings.Error(spec == nullptr ? root.at : spec->at, "spec.name", "MissingField",
                   "required field is missing: the name of the resource says which kind " +
                       Quote(token.kind) + " is");
    return nullptr;
  }
  const KindSchema* schema = kinds.FindForResource(token, name->text);
  if (schema == nullptr) {
    findings.Error(name->at, "spec.name", "UnknownResource",
                   Quote(name->text) +
                       " is not the full name of a resource that bindery knows: write //HOST/NAME "
                       "without references, such as " +
                       kinds.ExampleOfGeneric(token) + "; bindery kinds lists the kinds");
  }
  return schema;
}

const KindSchema* FindKind(const Node& root, const KindSchemas& kinds, Findings& findings) {
  const std::optional<std::string> version = TopString(root, "apiVersion", findings);
  const std::optional<std::string> kind = TopString(root, "kind", findings);
  if (!version || !kind) return nullptr;
  const TypeToken token{*version, *kind};
  if (const KindSchema* schema = kinds.FindSchema(token)) return schema;
  if (kinds.IsGeneric(token)) return FindForResource(root, token, kinds, findings);
  if (const std::string gone = kinds.WhyGone(token); !gone.empty()) {
    findings.Error(root.Find("kind")->at, "kind", "RetiredKind", gone);
    return nullptr;
  }
  const std::vector<TypeToken> known = kinds.Tokens();
  const bool version_known = std::any_of(known.begin(), known.end(), [&](const TypeToken& one) {
    return one.api_version == token.api_version;
  });
  if (version_known) {
    ReportUnknownKind(root, token, known, findings);
  } else {
    ReportUnknownVersion(root, token, known, findings);
  }
  return nullptr;
}

/// The sort of a document that is no manifest at all; empty for a possible manifest.
std::string OtherSort(const Node& root, const KindSchemas& kinds) {
  const Node* version = root.Find("apiVersion");
  if (version != nullptr && IsKubernetesVersion(version->text)) {
    const Node* name = root.Find("kind");
    const std::vector<TypeToken> known = kinds.Tokens();
    const bool near = std::any_of(known.begin(), known.end(), [&](const TypeToken& kind) {
      return kind.api_version == version->text || kind.api_version.ends_with(":" + version->text) ||
             (name != nullptr && kind.kind == name->text);
    });
    if (near) return "";
    return Quote(version->text) +
           " is an API of Kubernetes: this directory is for manifests of bindery alone, move the "
           "file "
           "out of it";
  }
  const std::vector<std::string>& names = TopFields();
  const bool some = std::any_of(root.fields.begin(), root.fields.end(), [&](const auto& entry) {
    return std::find(names.begin(), names.end(), entry.key) != names.end() ||
           !DidYouMean(entry.key, names).empty();
  });
  if (some || root.fields.empty()) return "";
  if (root.Find("runtime") != nullptr && root.Find("resources") != nullptr) {
    return "this is a program of Pulumi: \"bindery convert\" makes manifests of it";
  }
  return "this is no manifest: it has neither apiVersion and kind nor metadata and spec";
}

Json ReadMetadata(const Node& root, Findings& findings) {
  const Node* node = root.Find("metadata");
  if (node == nullptr) {
    findings.Error(root.at, "metadata", "MissingField", "required field is missing");
  }
  return Validator(findings, Validator::Texts::kLiteral).Top(node, MetadataFields(), "metadata");
}

bool IsOutput(const Node::Entry& entry, const KindSchema& kind) {
  return kind.outputs.Find(entry.key) != nullptr && kind.inputs.Find(entry.key) == nullptr;
}

/// The spec without the outputs of the kind, which are reported.
Node WithoutOutputs(const Node& spec, const KindSchema& kind, Findings& findings) {
  Node inputs;
  inputs.kind = spec.kind;
  inputs.at = spec.at;
  for (const Node::Entry& entry : spec.fields) {
    if (!IsOutput(entry, kind)) {
      inputs.fields.push_back(entry);
      continue;
    }
    findings.Error(entry.key_at, "spec." + entry.key, "UnknownField",
                   Quote(entry.key) + " is an output of the kind: it cannot be declared");
  }
  return inputs;
}

/// What the texts of a spec without references stand for.
void TakeEscapes(Json& value) {  // NOLINT(misc-no-recursion): as deep as the kind's fields
  if (value.is_structured()) {
    for (Json& inner : value) TakeEscapes(inner);
  } else if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (const auto pieces = ParseTemplate(text)) text = LiteralText(*pieces);
  }
}

/// The kind's checks of the whole spec. After invalid fields the kind sees only the rest, so errors
/// about invalid or missing fields would only be consequences.
void CheckWhole(const Node& inputs, const KindSchema& kind, const Json& spec, bool complete,
                Findings& findings) {
  for (auto& [path, failure] : kind.check_all(spec)) {
    const bool consequence =
        !complete && (findings.Concern("spec." + path) ||
                      inputs.Find(path.substr(0, path.find_first_of(".["))) == nullptr);
    if (consequence) continue;
    const yaml::Position at = FindPlace(inputs, path, failure);
    findings.Add(at, "spec." + path, std::move(failure));
  }
}

void ReadSpec(const Node& root, const KindSchema& kind, Findings& findings, Manifest& manifest) {
  const Node* node = root.Find("spec");
  const bool needed = std::any_of(kind.inputs.begin(), kind.inputs.end(),
                                  [](const Field& field) { return field.required; });
  if (node == nullptr && needed) {
    findings.Error(root.at, "spec", "MissingField", "required field is missing");
    return;
  }
  Node made;
  made.kind = NodeKind::kMap;
  if (node != nullptr && std::any_of(node->fields.begin(), node->fields.end(),
                                     [&](const auto& entry) { return IsOutput(entry, kind); })) {
    made = WithoutOutputs(*node, kind, findings);
    node = &made;
  }
  const Node& inputs = node != nullptr ? *node : made;
  const std::size_t errors_before = findings.error_count();
  Validator validator(findings, Validator::Texts::kTemplate);
  Json spec = validator.Top(&inputs, kind.inputs, "spec");
  std::vector<Reference>& references = validator.references();
  if (references.empty() && validator.escaped()) TakeEscapes(spec);
  manifest.spec = CanonicalJson(spec);
  if (!references.empty() && !MayWaitForOthers(kind)) {
    for (const Reference& reference : references) {
      findings.Error({reference.line, reference.column}, reference.path, "ReferenceNotAllowed",
                     Quote(reference.text) + ": a manifest of the kind " + kind.token.kind +
                         " refers to no other, so that it is in force from the first scan on: "
                         "write the value out");
    }
    return;
  }
  if (!references.empty()) {
    // The checks of the whole spec follow when the references are resolved.
    manifest.references = std::make_shared<const std::vector<Reference>>(std::move(references));
    return;
  }
  if (!kind.check_all) return;
  CheckWhole(inputs, kind, spec, findings.error_count() == errors_before, findings);
}

/// Labels or annotations, as text; empty if none exists.
SharedText GetSharedText(const Json& metadata, std::string_view name) {
  const Json* map = FindMember(metadata, name);
  if (map == nullptr || map->empty()) return {};
  // The labels of a file come back in the next file, and a look-up waits for all reading
  // threads.
  thread_local RecentTexts<SharedText> recent;
  return recent.Of(CanonicalJson(*map));
}

Sha256Digest DigestOfManifest(const Manifest& manifest) {
  std::string text = CanonicalJson(CanonicalOptions(manifest.options));
  for (const std::string& part : std::initializer_list<std::reference_wrapper<const std::string>>{
           manifest.name, manifest.labels.str(), manifest.annotations.str(), manifest.spec}) {
    text.append(1, '\0').append(part);
  }
  text.append(1, '\0').append(manifest.token->Text());
  // The same text may be meant as it stands elsewhere.
  if (manifest.references != nullptr) text.append(1, '\0').append("template");
  return Sha256Digest::Of(text);
}

}  // namespace

std::string GetName(const Node& document) {
  const Node* metadata = document.Find("metadata");
  const Node* name = metadata == nullptr ? nullptr : metadata->Find("name");
  return name != nullptr && name->kind == NodeKind::kString ? name->text : std::string();
}

std::shared_ptr<const Manifest> ReadManifest(const yaml::Document& document, const SourcePath& file,
                                             const KindSchemas& kinds, Findings& findings) {
  const Node& root = document.root;
  if (root.kind != NodeKind::kMap) {
    findings.Error(root.at, "", "WrongType",
                   "expected a map with apiVersion, kind, metadata and spec, found a " +
                       std::string(ToString(root.kind)) +
                       (root.kind == NodeKind::kNull ? "" : HintForMap(root)));
    return nullptr;
  }
  if (const std::string other = OtherSort(root, kinds); !other.empty()) {
    const Node* version = root.Find("apiVersion");
    findings.Error(version == nullptr ? root.at : version->at,
                   version == nullptr ? "" : "apiVersion", "UnknownApiVersion", other);
    return nullptr;
  }
  const KindSchema* kind = FindKind(root, kinds, findings);
  CheckTopFields(root, kind, findings);
  const Json metadata = ReadMetadata(root, findings);
  auto manifest = std::make_shared<Manifest>();
  manifest->options = ReadOptions(root, kind, findings);
  if (kind == nullptr) return nullptr;
  ReadSpec(root, *kind, findings, *manifest);
  manifest->name = StringMember(metadata, "name");
  manifest->token = &kind->token;
  manifest->labels = GetSharedText(metadata, "labels");
  manifest->annotations = GetSharedText(metadata, "annotations");
  manifest->source = {file, document.at.line};
  manifest->digest = DigestOfManifest(*manifest);
  return manifest;
}

}  // namespace bindery::manifests
