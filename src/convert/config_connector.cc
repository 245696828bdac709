// Config Connector's manifests of IAM.

#include <algorithm>
#include <utility>

#include "convert/connector/connector_documents.h"
#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/shapes/connector_shapes.h"
#include "convert/shapes/keys.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/checks.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr const char* kDeletionOf = "deletion-policy";
/// The values of the annotation about deletions that Config Connector knows.
constexpr std::string_view kAbandons = "abandon";
constexpr std::string_view kDeletes = "delete";

std::string WordsIn(std::string_view text) {
  std::string words = AsciiLower(text);
  std::erase(words, '_');
  return words;
}

class ConfigConnector final : public Exports {
 public:
  using Exports::Exports;
  void Read(const std::vector<Node>& documents);

 private:
  void AddDocuments(const Node& document);
  void TakeDocument(const Node& document);
  /// Reports keys and values of a document that no manifest has.
  void ReportDocument(const Node& document, const std::string& address);
  /// A document of IAM.
  void TakeAccess(const Node& document, const ConnectorShape& shape);
  /// Adds what the document says of deletions.
  void ReadDeletion(const Node& document, ExportedResource& made);
  /// Reports keys of the metadata that no manifest has.
  void ReportMetadata(const Node& document, const std::string& address);
  /// The labels that a manifest can have; reports the others.
  [[nodiscard]] Node TakeLabels(const Node& document, const std::string& address);
  /// A document of another kind than those of IAM.
  void TakeOtherDocument(const Node& document, const std::string& kind);
  void TakePartial(const Node& spec, ExportedResource made);
  void TakeBinding(const Node& binding, const ExportedResource& of);
  [[nodiscard]] Counterpart KindFor(const std::string& connector_kind,
                                    std::string_view suffix) const;
  [[nodiscard]] static tl::expected<Node, std::string> FindMemberName(const Node& holder);

  std::vector<Node> documents_;
  ConnectorDocuments by_name_{facts()};
};

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

tl::expected<Node, std::string> ConfigConnector::FindMemberName(const Node& holder) {
  const std::string member = TextUnder(holder, "member");
  const Node* from = MapUnder(holder, "memberFrom");
  if (!member.empty() && from != nullptr) {
    return tl::unexpected(std::string("it has a \"member\" and a \"memberFrom\""));
  }
  if (!member.empty()) return TextNode(member, holder.at);
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
    one.fault = holder.kind == NodeKind::kMap
                    ? FindUnknownKey(holder, "member memberFrom", "members")
                    : "\"members\" holds " + WhatIs(holder);
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
  const std::string address = kind + "/" + FindMetadataText(document, "name");
  const std::string group = TextUnder(document, "apiVersion");
  const bool list = kind.ends_with("List") && document.Find("spec") == nullptr;
  const bool connector = group.find("." + facts().connector_domain) != std::string::npos;
  if (!connector && (kind.empty() || group.empty() || list)) {
    ReportUnknown(document, list ? kKeysOfList : kKeysOfDocument, address);
  }
  if (kind.empty() || group.empty()) {
    return LeaveOut(document.at, address,
                    std::string("the whole resource: it has no ") +
                        (kind.empty() ? "\"kind\"" : "\"apiVersion\""));
  }
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
  const std::string& domain = facts().connector_domain;
  const std::string known = domain + kProjectOf + " " + domain + kDeletionOf;
  ReportWrong(FindOtherCase(*annotations, known, path), conversion());
}

Node ConfigConnector::TakeLabels(const Node& document, const std::string& address) {
  const Node* metadata = MapUnder(document, "metadata");
  const Node* labels = metadata == nullptr ? nullptr : MapUnder(*metadata, "labels");
  Node taken = MapNode(document.at);
  if (labels == nullptr) return taken;
  for (const Node::Entry& entry : labels->fields) {
    if (entry.value.kind != NodeKind::kString) continue;  // Reported with the shapes.
    const auto fault = manifests::CheckNotBlank(entry.value.text);
    const bool plain = entry.value.text.find("${") == std::string::npos;
    if (!fault && plain) {
      taken.fields.push_back(entry);
      continue;
    }
    LeaveOut(entry.key_at, manifests::JoinPath(address, "metadata.labels." + entry.key),
             fault ? "a label of a manifest " + fault->message
                   : "a label of a manifest holds no \"${\"");
  }
  return taken;
}

void ConfigConnector::ReportDocument(const Node& document, const std::string& address) {
  ReportShapes(document, kShapesOfDocument, address);
  const bool connector =
      TextUnder(document, "apiVersion").find("." + facts().connector_domain) != std::string::npos;
  // Of a namespace the annotations tell the project.
  if (!connector && TextUnder(document, "kind") != kNamespace) return;
  ReportUnknown(document, kKeysOfDocument, address);
  ReportMetadata(document, address);
  if (!connector) return;
  ReportShapes(document, kShapesOfSpec, address);
  const Node* spec = MapUnder(document, "spec");
  if (spec == nullptr) return;
  const std::string path = manifests::JoinPath(address, "spec");
  ReportWrong(FindOtherCase(*spec, kKeysOfNames, path), conversion());
  const Node* project = MapUnder(*spec, "projectRef");
  if (project != nullptr) ReportUnknown(*project, kKeysOfReference, path + ".projectRef");
}

void ConfigConnector::TakeDocument(const Node& document) {
  if (document.kind != NodeKind::kMap) {
    return LeaveOut(document.at, "", "expected a map, found " + WhatIs(document));
  }
  const std::string kind = TextUnder(document, "kind");
  ReportDocument(document, kind + "/" + FindMetadataText(document, "name"));
  const bool access =
      TextUnder(document, "apiVersion").starts_with("iam." + facts().connector_domain);
  const auto* const shape = std::ranges::find(kConnectorKinds, kind, &ConnectorShape::kind);
  if (!access || shape == std::end(kConnectorKinds)) return TakeOtherDocument(document, kind);
  TakeAccess(document, *shape);
}

void ConfigConnector::ReadDeletion(const Node& document, ExportedResource& made) {
  const std::string deletion = by_name_.FindAnnotation(document, kDeletionOf);
  if (deletion == kAbandons) {
    made.options = MapNode(document.at);
    Node keep = TextNode("true", document.at);
    keep.kind = NodeKind::kBool;
    Put(made.options, "retainOnDelete", std::move(keep));
  } else if (!deletion.empty() && deletion != kDeletes) {
    LeaveOut(document.at, made.address,
             "its annotation " + manifests::Quote(kDeletionOf) + " is " +
                 manifests::Quote(deletion) + ", which Config Connector does not know");
  }
}

void ConfigConnector::TakeAccess(const Node& document, const ConnectorShape& shape) {
  ExportedResource made;
  made.type = shape.kind;
  made.name = FindMetadataText(document, "name");
  made.address = made.type + "/" + made.name;
  made.at = document.at;
  ReportShapes(document, kShapesOfAccess, made.address);
  made.labels = TakeLabels(document, made.address);
  made.values = MapNode(document.at);
  const Node* spec = MapUnder(document, "spec");
  const Node* reference = spec == nullptr ? nullptr : MapUnder(*spec, "resourceRef");
  if (reference == nullptr) {
    return LeaveOut(document.at, made.address, "the whole resource: it has no spec.resourceRef");
  }
  made.of = KindFor(TextUnder(*reference, "kind"), shape.suffix);
  if (made.of.kind == nullptr) {
    return LeaveOut(reference->at, made.address,
                    "the whole resource: bindery has no kind for the policies of " +
                        manifests::Quote(TextUnder(*reference, "kind")));
  }
  made.fault = FindUnknownKey(*reference, kKeysOfReference, "spec.resourceRef");
  const auto resolved = by_name_.Resolve(document, *reference, made.values);
  if (!resolved && made.fault.empty()) made.fault = resolved.error();
  ReadDeletion(document, made);
  if (made.type == "IAMPartialPolicy") return TakePartial(*spec, std::move(made));
  for (const Node::Entry& entry : spec->fields) {
    if (entry.key == "resourceRef" || entry.key == "member" || entry.key == "memberFrom") continue;
    made.values.fields.push_back(entry);
  }
  if (made.type == "IAMPolicyMember") {
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
  ReportUnknown(document, kKeysOfList, TextUnder(document, "kind"));
  for (std::size_t i = 0; i < items->items.size(); ++i) {
    const Node& item = items->items[i];
    if (item.kind == NodeKind::kMap) {
      AddDocuments(item);
    } else {
      LeaveOut(item.at, ItemPath("items", i), "expected a map, found " + WhatIs(item));
    }
  }
}

void ConfigConnector::Read(const std::vector<Node>& documents) {
  for (const Node& document : documents) AddDocuments(document);
  for (const Node& document : documents_) by_name_.Add(document);
  for (const Node& document : documents_) TakeDocument(document);
  if (!documents_.empty()) TellPassedOver(documents_.front().at);
}

}  // namespace

void ConvertConfigConnector(const std::vector<Node>& documents, const ConvertWish& wish,
                            const manifests::KindSchemas& kinds, Conversion& conversion) {
  ConfigConnector(conversion, kinds, wish.facts).Read(documents);
}

}  // namespace bindery::convert
