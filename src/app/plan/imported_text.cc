#include "app/plan/imported_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "convert/expressions.h"
#include "core/access/claim_part.h"
#include "manifests/directory/directory.h"
#include "manifests/documents/loader.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::app {
namespace {

constexpr std::string_view kDocumentEnd = "---\n";

std::string LastPart(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// NOLINTNEXTLINE(misc-no-recursion): as deep as the value
void EscapeReferences(Json& value) {
  if (value.is_structured()) {
    for (Json& member : value) EscapeReferences(member);
  }
  if (value.is_string()) value = convert::EscapedText(value.get_ref<const std::string&>());
}

std::string CommentText(std::string id) {
  std::replace_if(
      id.begin(), id.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return id;
}

}  // namespace

std::string Slug(const std::string& text) {
  std::string slug;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 0x80) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

std::string SlugOfPart(const std::string& text) {
  const ClaimPart part = ClaimPart::Of(text);
  if (part.IsWhole()) return "";
  std::string slug = "-" + Slug(LastPart(std::string(part.role)));
  if (!part.member.empty()) slug += "-" + Slug(LastPart(std::string(part.member)));
  if (const auto condition = ParseJson(part.condition); condition && condition->is_object()) {
    slug += "-if-" + Slug(StringMember(*condition, "title"));
  }
  return slug;
}

Json NewManifest(const reconcilers::Kind& kind, const std::string& name, Json inputs,
                 const NewManifestOptions& options) {
  EscapeReferences(inputs);
  const TypeToken& token = kind.schema().token;
  Json document = {
      {"apiVersion", token.api_version}, {"kind", token.kind}, {"metadata", {{"name", name}}}};
  if (!inputs.empty()) document["spec"] = std::move(inputs);
  if (!options.provider.empty()) document["options"]["provider"] = options.provider;
  if (options.protect) document["options"]["protect"] = true;
  return document;
}

std::string ImportedManifestText(const std::string& id, const Json& document) {
  return "# Imported: " + CommentText(id) + "\n" + yaml::ToYaml(document);
}

std::string FaultOfManifest(const reconcilers::Kind& kind, const std::string& text) {
  const std::vector<const manifests::KindSchema*> schemas = {&kind.schema()};
  const manifests::FileContent content = manifests::LoadFile(text, "imported.yaml", schemas);
  for (const manifests::Problem& problem : content.problems) {
    if (problem.severity != manifests::ProblemSeverity::kError) continue;
    return "no manifest can declare it: " + problem.path + ": " + problem.message +
           "; change it in the cloud first, or leave it out of the import";
  }
  return "";
}

FileLimits LimitsOfReader() {
  return {yaml::Limits().max_documents,
          static_cast<std::size_t>(manifests::DirectorySettings().max_file_bytes)};
}

void NewManifests::Add(const std::string& manifest) {
  if (!text.empty()) text += kDocumentEnd;
  text += manifest;
  ++count;
}

void ManifestTexts::Add(const NewManifests& manifests) {
  if (manifests.count == 0) return;
  const bool fits =
      !files_.empty() && files_.back().count + manifests.count <= limits_.documents &&
      files_.back().text.size() + kDocumentEnd.size() + manifests.text.size() <= limits_.bytes;
  if (!fits) files_.emplace_back();
  NewManifests& file = files_.back();
  if (!file.text.empty()) file.text += kDocumentEnd;
  file.text += manifests.text;
  file.count += manifests.count;
}

std::string TakenNames::Free(std::string name) {
  constexpr std::size_t kLongest = 245;  // Of 253, to leave room for a number.
  if (name.size() > kLongest) name.resize(kLongest);
  while (!name.empty() && name.back() == '-') name.pop_back();
  const auto known = taken_.find(name);
  if (known == taken_.end()) return name;
  std::string free;
  do {
    free = name + "-" + std::to_string(++known->second);
  } while (taken_.contains(free));
  return free;
}

}  // namespace bindery::app
