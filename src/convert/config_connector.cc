// Config Connector's manifests of IAM.

#include <algorithm>
#include <map>
#include <utility>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr const char* kProjectOf = "project-id";
constexpr const char* kDeletionOf = "deletion-policy";
constexpr std::string_view kKeysOfReference = "apiVersion kind external name namespace";
constexpr std::string_view kKeysOfSource =
    "bigQueryConnectionConnectionRef logSinkRef serviceAccountRef serviceIdentityRef "
    "sqlInstanceRef";
constexpr std::string_view kKeysOfMetadata =
    "annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp "
    "finalizers generateName generation labels managedFields name namespace ownerReferences "
    "resourceVersion selfLink uid";
/// Of a document, as far as other checks do not look at the values.
constexpr ExpectedShape kShapesOfDocument[] = {
    {"apiVersion", Shape::kScalar},
    {"items", Shape::kList},
    {"metadata", Shape::kMap},
    {"metadata.name", Shape::kScalar},
    {"metadata.namespace", Shape::kScalar},
    {"metadata.annotations", Shape::kMap},
    {"metadata.annotations.*", Shape::kScalar},
};
/// Of a document of the cloud, likewise.
constexpr ExpectedShape kShapesOfSpec[] = {
    {"spec", Shape::kMap},
    {"spec.resourceID", Shape::kScalar},
    {"spec.projectRef", Shape::kMap},
    {"spec.projectRef.*", Shape::kScalar},
    {"spec.resourceRef.*", Shape::kScalar},
    {"spec.member", Shape::kScalar},
    {"spec.memberFrom", Shape::kMap},
    {"spec.memberFrom.*", Shape::kMap},
    {"spec.memberFrom.*.*", Shape::kScalar},
    {"spec.bindings[].members[].member", Shape::kScalar},
    {"spec.bindings[].members[].memberFrom", Shape::kMap},
    {"spec.bindings[].members[].memberFrom.*", Shape::kMap},
    {"spec.bindings[].members[].memberFrom.*.*", Shape::kScalar},
};
constexpr std::string_view kKeysOfDocument = "apiVersion kind metadata spec status";

struct ConnectorShape {
  std::string_view kind;
  std::string_view suffix;  ///< Of Terraform's type for the same.
};

constexpr ConnectorShape kShapes[] = {{"IAMPolicyMember", "_iam_member"},
                                      {"IAMPartialPolicy", "_iam_member"},
                                      {"IAMPolicy", "_iam_policy"},
                                      {"IAMAuditConfig", "_iam_audit_config"}};

std::string WordsIn(std::string_view text) {
  std::string words = AsciiLower(text);
  std::erase(words, '_');
  return words;
}

std::string MetadataText(const Node& document, const char* key) {
  const Node* metadata = MapUnder(document, "metadata");
  return metadata == nullptr ? "" : TextUnder(*metadata, key);
}

std::string MetadataName(const Node& document) { return MetadataText(document, "name"); }

/// Names are unique in a namespace.
std::string ConnectorKey(const std::string& kind, const std::string& space,
                         const std::string& name) {
  return kind + " " + space + "/" + name;
}

/// Why a map may mean more than its known keys say; empty: each key with a value is known.
std::string FindUnknownKey(const Node& map, std::string_view known, const std::string& path) {
  const auto keys = manifests::Split(known, ' ');
  for (const Node::Entry& entry : map.fields) {
    const bool there = std::ranges::find(keys, entry.key) != keys.end();
    if (there || entry.value.kind == NodeKind::kNull) continue;
    const std::vector<std::string> words(keys.begin(), keys.end());
    return "it is not known what " + manifests::Quote(manifests::JoinPath(path, entry.key)) +
           " holds" + manifests::DidYouMean(entry.key, words);
  }
  return "";
}

/// Adds where the resource with the spec is.
void AddPlace(const Node& spec, yaml::Position at, Node& values) {
  for (const char* part : {"location", "region", "zone"}) {
    const std::string value = TextUnder(spec, part);
    if (!value.empty()) Put(values, part, TextNode(value, at));
  }
}

class ConfigConnector final : public Exports {
 public:
  using Exports::Exports;
  void Read(const std::vector<Node>& documents);

 private:
  using Done = tl::expected<void, std::string>;

  /// Of the resource, by its name behind the domain.
  [[nodiscard]] std::string Annotation(const Node& document, const char* name) const;
  /// The project of a resource, as far as the file tells; empty: the file does not.
  [[nodiscard]] std::string GetProject(const Node& document) const;
  void AddDocuments(const Node& document);
  void TakeDocument(const Node& document);
  /// Reports keys of the metadata that no manifest has.
  void ReportMetadata(const Node& document, const std::string& address);
  /// A document of another kind than those of IAM.
  void TakeOtherDocument(const Node& document, const std::string& kind);
  void TakePartial(const Node& spec, ExportedResource made);
  void TakeBinding(const Node& binding, const ExportedResource& of);
  [[nodiscard]] Counterpart KindFor(const std::string& connector_kind,
                                    std::string_view suffix) const;
  /// Adds what the document's reference says of the resource's name.
  [[nodiscard]] Done Resolve(const Node& document, const Node& reference, Node& values) const;
  [[nodiscard]] static tl::expected<Node, std::string> FindMemberName(const Node& holder);

  std::vector<Node> documents_;
  std::map<std::string, const Node*> by_name_;  ///< By ConnectorKey().
};

std::string ConfigConnector::Annotation(const Node& document, const char* name) const {
  const Node* metadata = MapUnder(document, "metadata");
  const Node* annotations = metadata == nullptr ? nullptr : MapUnder(*metadata, "annotations");
  return annotations == nullptr ? "" : TextUnder(*annotations, facts().connector_domain + name);
}

std::string ConfigConnector::GetProject(const Node& document) const {
  if (std::string own = Annotation(document, kProjectOf); !own.empty()) return own;
  const Node* spec = MapUnder(document, "spec");
  if (const Node* reference = spec == nullptr ? nullptr : MapUnder(*spec, "projectRef")) {
    const std::string external = TextUnder(*reference, "external");
    return external.substr(external.rfind('/') + 1);
  }
  const auto space =
      by_name_.find(ConnectorKey("Namespace", "", MetadataText(document, "namespace")));
  return space == by_name_.end() ? "" : Annotation(*space->second, kProjectOf);
}

Counterpart ConfigConnector::KindFor(const std::string& connector_kind,
                                     std::string_view suffix) const {
  std::string family;
  if (facts().family_of_connector_kind) family = facts().family_of_connector_kind(connector_kind);
  if (!family.empty()) return OfTerraform(family + std::string(suffix));
  const std::string wanted = WordsIn(connector_kind) + WordsIn(suffix);
  for (const manifests::KindSchema* kind : kinds()) {
    for (const manifests::TerraformType& type : kind->elsewhere.terraform) {
      const std::size_t provider = type.type.find('_') + 1;
      if (!type.name.empty() && WordsIn(type.type.substr(provider)) == wanted) return {kind, &type};
    }
  }
  return {};
}

ConfigConnector::Done ConfigConnector::Resolve(const Node& document, const Node& reference,
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
      ConnectorKey(kind, space.empty() ? MetadataText(document, "namespace") : space, name));
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
  Put(values, "name", TextNode(id.empty() ? name : id, reference.at));
  // The name of a project is its own.
  const std::string owner = kind == "Project" ? "" : GetProject(other);
  if (!owner.empty()) Put(values, "project", TextNode(owner, reference.at));
  if (spec != nullptr) AddPlace(*spec, reference.at, values);
  return {};
}

tl::expected<Node, std::string> ConfigConnector::FindMemberName(const Node& holder) {
  const std::string member = TextUnder(holder, "member");
  if (!member.empty()) return TextNode(member, holder.at);
  const Node* from = MapUnder(holder, "memberFrom");
  const Node* account = from == nullptr ? nullptr : MapUnder(*from, "serviceAccountRef");
  std::string unknown = from == nullptr ? "" : FindUnknownKey(*from, kKeysOfSource, "memberFrom");
  if (unknown.empty() && account != nullptr) {
    unknown = FindUnknownKey(*account, kKeysOfReference, "memberFrom.serviceAccountRef");
  }
  if (!unknown.empty()) return tl::unexpected(unknown);
  const std::string email = account == nullptr ? "" : TextUnder(*account, "external");
  if (email.find('@') != std::string::npos) {
    return TextNode("serviceAccount:" + email.substr(email.rfind('/') + 1), holder.at);
  }
  return tl::unexpected(std::string("its member is known by a reference alone: write \"member\""));
}

void ConfigConnector::TakeBinding(const Node& binding, const ExportedResource& of) {
  const Node* members = ListUnder(binding, "members");
  if (members == nullptr) {
    return LeaveOut(binding.at, of.address, "a binding has no list \"members\"");
  }
  for (const Node& holder : members->items) {
    ExportedResource one = of;
    one.at = holder.at;
    for (const Node::Entry& entry : binding.fields) {
      if (entry.key != "members") one.values.fields.push_back(entry);
    }
    const std::string role = TextUnder(binding, "role");
    one.name += "-" + role.substr(role.rfind('/') + 1);
    auto member = FindMemberName(holder);
    one.fault = FindUnknownKey(holder, "member memberFrom", "members");
    if (!member && one.fault.empty()) one.fault = member.error();
    if (member) Put(one.values, "member", std::move(*member));
    Take(std::move(one));
  }
}

void ConfigConnector::TakePartial(const Node& spec, ExportedResource made) {
  const Node* bindings = ListUnder(spec, "bindings");
  if (made.fault.empty()) made.fault = FindUnknownKey(spec, "resourceRef bindings", "spec");
  if (bindings == nullptr && made.fault.empty()) made.fault = "it has no \"bindings\"";
  if (!made.fault.empty()) return Take(std::move(made));
  for (const Node& binding : bindings->items) TakeBinding(binding, made);
}

void ConfigConnector::TakeOtherDocument(const Node& document, const std::string& kind) {
  const std::string address = kind + "/" + MetadataName(document);
  const std::string group = TextUnder(document, "apiVersion");
  const bool list = kind.ends_with("List") && document.Find("spec") == nullptr;
  if (kind.empty() || group.empty() || list) {
    ReportUnknown(document, list ? "apiVersion kind metadata items" : kKeysOfDocument, address);
  }
  if (kind.empty()) return LeaveOut(document.at, address, "the whole resource: it has no \"kind\"");
  const bool connector =
      group.empty() || group.find("." + facts().connector_domain) != std::string::npos;
  const Node* spec = MapUnder(document, "spec");
  const std::string_view field =
      connector && spec != nullptr ? FindGrantingField(facts(), kind, *spec) : std::string_view();
  if (!field.empty()) {
    return LeaveOut(document.at, address, "the whole resource: " + ExplainGrantingField(field));
  }
  if (!connector || !GrantsAccess(kind)) {
    return PassOver("resource that grants no access", "resources that grant no access");
  }
  LeaveOut(document.at, address,
           "the whole resource: bindery has no kind for " + manifests::Quote(kind));
}

void ConfigConnector::ReportMetadata(const Node& document, const std::string& address) {
  const Node* metadata = document.Find("metadata");
  if (metadata == nullptr) return;
  const std::string path = manifests::JoinPath(address, "metadata");
  ReportUnknown(*metadata, kKeysOfMetadata, path);
  const Node* annotations = MapUnder(*metadata, "annotations");
  if (annotations == nullptr) return;
  for (const Node::Entry& entry : annotations->fields) {
    for (const char* name : {kProjectOf, kDeletionOf}) {
      const std::string known = facts().connector_domain + name;
      if (entry.key == known || AsciiLower(entry.key) != known) continue;
      LeaveOut(entry.key_at, manifests::JoinPath(path, entry.key),
               "it is not known what this holds, did you mean " + manifests::Quote(known) + "?");
    }
  }
}

void ConfigConnector::TakeDocument(const Node& document) {
  const std::string group = TextUnder(document, "apiVersion");
  const std::string kind = TextUnder(document, "kind");
  const std::string address = kind + "/" + MetadataName(document);
  ReportShapes(document, kShapesOfDocument, address);
  if (group.find("." + facts().connector_domain) != std::string::npos) {
    ReportShapes(document, kShapesOfSpec, address);
  }
  const auto* const shape = std::ranges::find(kShapes, kind, &ConnectorShape::kind);
  if (!group.starts_with("iam." + facts().connector_domain) || shape == std::end(kShapes)) {
    return TakeOtherDocument(document, kind);
  }
  ExportedResource made;
  made.type = kind;
  made.name = MetadataName(document);
  made.address = address;
  made.at = document.at;
  ReportUnknown(document, kKeysOfDocument, made.address);
  ReportMetadata(document, made.address);
  made.values = MapNode(document.at);
  const Node* spec = MapUnder(document, "spec");
  const Node* reference = spec == nullptr ? nullptr : MapUnder(*spec, "resourceRef");
  if (reference == nullptr) {
    return LeaveOut(document.at, made.address, "the whole resource: it has no spec.resourceRef");
  }
  made.of = KindFor(TextUnder(*reference, "kind"), shape->suffix);
  if (made.of.kind == nullptr) {
    return LeaveOut(reference->at, made.address,
                    "the whole resource: bindery has no kind for the policies of " +
                        manifests::Quote(TextUnder(*reference, "kind")));
  }
  if (auto resolved = Resolve(document, *reference, made.values); !resolved) {
    made.fault = resolved.error();
  }
  if (made.fault.empty()) {
    made.fault = FindUnknownKey(*reference, kKeysOfReference, "spec.resourceRef");
  }
  if (Annotation(document, kDeletionOf) == "abandon") {
    made.options = MapNode(document.at);
    Node keep = TextNode("true", document.at);
    keep.kind = NodeKind::kBool;
    Put(made.options, "retainOnDelete", std::move(keep));
  }
  if (kind == "IAMPartialPolicy") return TakePartial(*spec, std::move(made));
  for (const Node::Entry& entry : spec->fields) {
    if (entry.key == "resourceRef" || entry.key == "member" || entry.key == "memberFrom") continue;
    made.values.fields.push_back(entry);
  }
  if (kind == "IAMPolicyMember") {
    auto member = FindMemberName(*spec);
    if (!member && made.fault.empty()) made.fault = member.error();
    if (member) Put(made.values, "member", std::move(*member));
  }
  Take(std::move(made));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
void ConfigConnector::AddDocuments(const Node& document) {
  const Node* items = ListUnder(document, "items");
  const bool list = TextUnder(document, "kind").ends_with("List") && items != nullptr;
  if (!list) return documents_.push_back(document);
  for (const Node& item : items->items) AddDocuments(item);
}

void ConfigConnector::Read(const std::vector<Node>& documents) {
  for (const Node& document : documents) AddDocuments(document);
  for (const Node& document : documents_) {
    by_name_.emplace(ConnectorKey(TextUnder(document, "kind"), MetadataText(document, "namespace"),
                                  MetadataName(document)),
                     &document);
  }
  for (const Node& document : documents_) TakeDocument(document);
  if (!documents_.empty()) TellPassedOver(documents_.front().at);
}

}  // namespace

void ConvertConfigConnector(const std::vector<Node>& documents, const ConvertWish& wish,
                            const manifests::KindSchemas& kinds, Conversion& conversion) {
  ConfigConnector(conversion, kinds, wish.facts).Read(documents);
}

}  // namespace bindery::convert
