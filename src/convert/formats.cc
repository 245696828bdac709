#include "convert/formats.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "manifests/schema/check_text.h"

namespace bindery::convert {
namespace {

using yaml::Node;
using yaml::NodeKind;

/// Of exports of version 4: what Pulumi 3.200 writes.
constexpr std::string_view kFeatures[] = {"hooks", "refreshBeforeUpdate", "taint", "views"};

constexpr const char* kShow = "convert what \"terraform show -json\" prints";

bool HasAny(const Node& root, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const char* key) { return root.Find(key) != nullptr; });
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
bool IsConnector(const Node& document, const std::string& domain) {
  const Node* items = ListUnder(document, "items");
  const auto is_one = [&domain](const Node& item) { return IsConnector(item, domain); };
  if (items != nullptr) return std::ranges::any_of(items->items, is_one);
  return !domain.empty() &&
         TextUnder(document, "apiVersion").find("." + domain) != std::string::npos;
}

bool IsState(const Node& root) {
  return root.Find("format_version") != nullptr || root.Find("encrypted_data") != nullptr ||
         (root.Find("version") != nullptr && HasAny(root, {"terraform_version", "lineage"}));
}

bool IsExport(const Node& root) { return HasAny(root, {"deployment", "checkpoint"}); }

bool IsPolicy(const Node& root) {
  if (root.kind == NodeKind::kList) {
    // gcloud prints an empty list where a search finds nothing.
    return root.items.empty() ||
           HasAny(root.items.front(), {"assetType", "policy", "iamPolicy", "bindings"});
  }
  // A result of a search calls its resource as Terraform calls its section.
  if (root.Find("assetType") != nullptr) return true;
  return HasAny(root, {"bindings", "auditConfigs", "etag"}) &&
         !HasAny(root, {"apiVersion", "resources", "resource", "runtime"});
}

/// Why a state cannot be converted; empty: it can.
std::string StateFault(const Node& root) {
  if (root.Find("encrypted_data") != nullptr) {
    return std::string("is an encrypted state: ") + kShow;
  }
  if (root.Find("provider_schemas") != nullptr) {
    return std::string("holds schemas of providers and no state: ") + kShow;
  }
  if (root.Find("format_version") != nullptr) {
    const std::string version = TextUnder(root, "format_version");
    return version.starts_with("1.") ? "" : "is of a format_version that is not known: " + version;
  }
  const std::string version = TextUnder(root, "version");
  return version == "4"
             ? ""
             : "is a state of version " + version + ", and only version 4 is read: " + kShow;
}

/// The same of what Pulumi exports.
std::string ExportFault(const Node& root) {
  const std::string version = TextUnder(root, "version");
  const bool known = version == "3" || version == "4" || root.Find("checkpoint") != nullptr;
  if (!known) return "is an export of version " + version + ": only versions 3 and 4 are read";
  const Node* features = ListUnder(root, "features");
  for (const Node& feature : features == nullptr ? std::vector<Node>() : features->items) {
    if (std::ranges::find(kFeatures, feature.text) != std::end(kFeatures)) continue;
    return "is an export with a feature that is not known: " + manifests::Quote(feature.text);
  }
  return "";
}

std::string PolicyFault(const Node& root, const ConvertWish& wish) {
  const bool flat = root.kind == NodeKind::kList && !root.items.empty() &&
                    root.items.front().Find("bindings") != nullptr;
  if (flat) return "is a flattened policy: leave --flatten out";
  const bool named = root.kind == NodeKind::kList || root.Find("assetType") != nullptr;
  if (named || !wish.target.empty()) return "";
  return "is a policy, and does not say of which resource: name it with --target "
         "//HOST/NAME; bindery import writes manifests of what is there";
}

std::optional<Format> LooksLike(const std::vector<Node>& documents, const ConvertWish& wish) {
  const Node& root = documents.front();
  for (const Node& document : documents) {
    if (IsConnector(document, wish.facts.connector_domain)) return Format::kConfigConnector;
  }
  if (IsExport(root)) return Format::kPulumiExport;
  if (IsState(root)) return Format::kTerraformState;
  if (IsPolicy(root)) return Format::kGcloudPolicies;
  const bool pulumi = HasAny(root, {"resources", "variables", "runtime", "outputs"});
  const bool terraform = HasAny(root, {"resource", "data", "terraform", "provider", "locals",
                                       "variable", "module", "output"});
  if (pulumi == terraform) return std::nullopt;
  return pulumi ? Format::kPulumiProgram : Format::kTerraformConfiguration;
}

Format Wished(ProgramForm form, const Node& root) {
  switch (form) {
    case ProgramForm::kPulumi:
      return IsExport(root) ? Format::kPulumiExport : Format::kPulumiProgram;
    case ProgramForm::kTerraform:
      return IsState(root) ? Format::kTerraformState : Format::kTerraformConfiguration;
    case ProgramForm::kGcloud:
      return Format::kGcloudPolicies;
    case ProgramForm::kConfigConnector:
      break;
  }
  return Format::kConfigConnector;
}

std::string WhyNone(const Node& root) {
  if (HasAny(root, {"apiVersion"})) return "is a manifest already";
  const bool both = HasAny(root, {"resources", "variables", "runtime", "outputs"});
  if (both) return "could be Pulumi's or Terraform's: say which with --from";
  return "is neither a Pulumi YAML program or export, nor a configuration, state or plan of "
         "Terraform in JSON, nor a policy as gcloud prints it, nor a Config Connector manifest";
}

std::string FindFault(Format format, const Node& root, const ConvertWish& wish) {
  if (format == Format::kTerraformState) return StateFault(root);
  if (format == Format::kPulumiExport) return ExportFault(root);
  if (format == Format::kGcloudPolicies) return PolicyFault(root, wish);
  return "";
}

}  // namespace

std::string_view ToString(ProgramForm form) {
  switch (form) {
    case ProgramForm::kPulumi:
      break;
    case ProgramForm::kTerraform:
      return "terraform";
    case ProgramForm::kGcloud:
      return "gcloud";
    case ProgramForm::kConfigConnector:
      return "configConnector";
  }
  return "pulumi";
}

ProgramForm GetTool(Format format) {
  switch (format) {
    case Format::kPulumiProgram:
    case Format::kPulumiExport:
      break;
    case Format::kTerraformConfiguration:
    case Format::kTerraformState:
      return ProgramForm::kTerraform;
    case Format::kGcloudPolicies:
      return ProgramForm::kGcloud;
    case Format::kConfigConnector:
      return ProgramForm::kConfigConnector;
  }
  return ProgramForm::kPulumi;
}

Expected<Format> ReadFormat(const std::vector<Node>& documents, const std::string& file,
                            const ConvertWish& wish) {
  const auto refuse = [&file](const std::string& why) {
    return Fail(Code::kInvalidArgument, file + ": the document " + why);
  };
  const auto complain = [&file](const std::string& why) {
    return Fail(Code::kInvalidArgument, file + ": " + why);
  };
  const std::string one = "a program is one document, there are ";
  if (documents.empty()) return complain(one + "0");
  const Node& root = documents.front();
  const std::optional<Format> format =
      wish.form ? Wished(*wish.form, root) : LooksLike(documents, wish);
  const bool many = format == Format::kGcloudPolicies || format == Format::kConfigConnector;
  if (documents.size() != 1 && !many) return complain(one + std::to_string(documents.size()));
  const bool list = format == Format::kGcloudPolicies && root.kind == NodeKind::kList;
  if (root.kind != NodeKind::kMap && !list) {
    return complain("expected a map, found " + WhatIs(root));
  }
  if (!format) return refuse(WhyNone(root));
  const std::string fault = FindFault(*format, root, wish);
  if (!fault.empty()) return refuse(fault);
  return *format;
}

std::string HintFor(std::string_view text, const std::string& file) {
  if (text.starts_with("PK")) return std::string("; a saved plan is not read: ") + kShow;
  constexpr std::string_view kBlocks[] = {"resource \"", "data \"",     "module \"", "provider \"",
                                          "variable \"", "terraform {", "locals {",  "output \""};
  const bool blocks = std::ranges::any_of(kBlocks, [text](std::string_view block) {
    return text.starts_with(block) ||
           text.find("\n" + std::string(block)) != std::string_view::npos;
  });
  if (!blocks && !file.ends_with(".tf") && !file.ends_with(".tfvars")) return "";
  return std::string("; Terraform's own language is not read, only its JSON form: ") + kShow +
         " of the state";
}

}  // namespace bindery::convert
