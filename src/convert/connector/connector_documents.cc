#include "convert/connector/connector_documents.h"

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/shapes/connector_shapes.h"
#include "manifests/schema/check_text.h"

namespace bindery::convert {

using yaml::Node;

namespace {

/// Names are unique in a namespace.
std::string ConnectorKey(const std::string& kind, const std::string& space,
                         const std::string& name) {
  return kind + " " + space + "/" + name;
}

/// Adds where the resource with the spec is.
void AddPlace(const Node& spec, yaml::Position at, Node& values) {
  for (const char* part : {"location", "region", "zone"}) {
    const std::string value = TextUnder(spec, part);
    if (!value.empty()) Put(values, part, TextNode(value, at));
  }
}

}  // namespace

std::string FindMetadataText(const Node& document, const char* key) {
  const Node* metadata = MapUnder(document, "metadata");
  return metadata == nullptr ? "" : TextUnder(*metadata, key);
}

void ConnectorDocuments::Add(const Node& document) {
  by_name_.emplace(
      ConnectorKey(TextUnder(document, "kind"), FindMetadataText(document, "namespace"),
                   FindMetadataText(document, "name")),
      &document);
}

std::string ConnectorDocuments::FindAnnotation(const Node& document, const char* name) const {
  const Node* metadata = MapUnder(document, "metadata");
  const Node* annotations = metadata == nullptr ? nullptr : MapUnder(*metadata, "annotations");
  return annotations == nullptr ? "" : TextUnder(*annotations, facts_.connector_domain + name);
}

std::string ConnectorDocuments::GetProject(const Node& document) const {
  if (std::string own = FindAnnotation(document, kProjectOf); !own.empty()) return own;
  const Node* spec = MapUnder(document, "spec");
  if (const Node* reference = spec == nullptr ? nullptr : MapUnder(*spec, "projectRef")) {
    const std::string external = TextUnder(*reference, "external");
    return external.substr(external.rfind('/') + 1);
  }
  const auto space =
      by_name_.find(ConnectorKey(kNamespace, "", FindMetadataText(document, "namespace")));
  return space == by_name_.end() ? "" : FindAnnotation(*space->second, kProjectOf);
}

std::optional<std::string> ConnectorDocuments::FindDerivedName(const std::string& kind,
                                                               const std::string& id,
                                                               const std::string& project) const {
  const auto derive = [&](const std::string& account, const std::string& owner) {
    const std::string_view family =
        facts_.family_of_connector_kind ? facts_.family_of_connector_kind(kind) : "";
    const auto all = facts_.derived && !family.empty()
                         ? facts_.derived(family, {{"account_id", account}, {"project", owner}})
                         : std::map<std::string, std::string>();
    const auto name = all.find("name");
    return name == all.end() ? std::string() : name->second;
  };
  std::string made = derive(id, project);
  if (!made.empty()) return made;
  // Of other kinds the id is the end of the name; without a project the name is not used.
  return project.empty() || derive("a", "p").empty() ? std::optional(id) : std::nullopt;
}

tl::expected<void, std::string> ConnectorDocuments::Resolve(const Node& document,
                                                            const Node& reference,
                                                            Node& values) const {
  const std::string external = TextUnder(reference, "external");
  const std::string kind = TextUnder(reference, "kind");
  const std::string project = GetProject(document);
  if (!external.empty()) {
    Put(values, "name", TextNode(external, reference.at));
    // Without effect on a name in full.
    if (!project.empty() && kind != "Project") {
      Put(values, "project", TextNode(project, reference.at));
    }
    return {};
  }
  const std::string name = TextUnder(reference, "name");
  if (name.empty()) {
    // A resource without a name is the project of the namespace.
    if (kind != "Project" || project.empty()) {
      return tl::unexpected(std::string("its \"resourceRef\" names no resource"));
    }
    Put(values, "name", TextNode(project, reference.at));
    return {};
  }
  const std::string space = TextUnder(reference, "namespace");
  const auto found = by_name_.find(
      ConnectorKey(kind, space.empty() ? FindMetadataText(document, "namespace") : space, name));
  if (found == by_name_.end()) {
    return tl::unexpected("its \"resourceRef\" names " + manifests::Quote(name) +
                          ", which is not in the file: write \"external\"");
  }
  const Node& other = *found->second;
  const Node* spec = MapUnder(other, "spec");
  const std::string id = spec == nullptr ? "" : TextUnder(*spec, "resourceID");
  const bool numbered = kind == "Folder" || kind == "Organization" || kind == "BillingAccount";
  if (id.empty() && numbered) {
    return tl::unexpected("the number of " + manifests::Quote(name) +
                          " is not in the file: write \"external\"");
  }
  // The name of a project is its own.
  const std::string owner = kind == "Project" ? "" : GetProject(other);
  const auto full = FindDerivedName(kind, id.empty() ? name : id, owner);
  if (!full) {
    return tl::unexpected("the name of " + manifests::Quote(name) +
                          " does not follow from the file: write \"external\"");
  }
  Put(values, "name", TextNode(*full, reference.at));
  if (!owner.empty()) Put(values, "project", TextNode(owner, reference.at));
  if (spec != nullptr) AddPlace(*spec, reference.at, values);
  return {};
}

}  // namespace bindery::convert
