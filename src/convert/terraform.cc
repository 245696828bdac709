#include "convert/terraform.h"

#include <algorithm>
#include <utility>

#include "convert/exported_spec.h"
#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/shapes/terraform_shapes.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

namespace {

constexpr std::string_view kWholeResource = "the whole resource: ";

std::string AddressOfBlock(const TerraformBlock& block, bool data) {
  return (data ? "data." : "") + block.labels[0] + "." + block.labels[1];
}

/// The name of a manifest of "TYPE.NAME" or "TYPE.NAME[KEY]".
std::string MakeNameOfInstance(const std::string& address) {
  std::string name = address.substr(address.find('.') + 1);
  if (const std::size_t bracket = name.find('['); bracket != std::string::npos) {
    std::string key = name.substr(bracket + 1, name.size() - bracket - 2);
    if (key.starts_with('"')) key = key.substr(1, key.size() - 2);
    name = name.substr(0, bracket) + "-" + key;
  }
  return GetManifestName(name);
}

}  // namespace

void ConvertTerraform(const Node& root, const ConvertWish& wish,
                      const manifests::KindSchemas& kinds, Conversion& conversion) {
  Terraform(conversion, kinds, wish).Run(root);
}

void Terraform::Run(const Node& root) {
  ReportSections(root);
  const std::pair<const char*, const char*> left[] = {
      {"output", "there are no outputs: bindery get shows those of each resource"},
      {"check", "there are no checks"},
      {"ephemeral", "there is nothing ephemeral"},
      {"action", "there are no actions"}};
  for (const auto& [type, reason] : left) {
    const std::string_view section = type;
    const std::size_t labels = section == "ephemeral" || section == "action" ? 2 : 1;
    ForEach(root, type, labels, [this, why = reason](const TerraformBlock& block) {
      LeaveOutHarmless(block.at, block.path, why);
    });
  }
  ForEach(root, "module", 1, [this](const TerraformBlock& block) {
    LeaveOut(block.at, block.path,
             "modules are not looked into: convert their files by themselves, or what "
             "\"terraform show -json\" prints of the state");
  });
  ForEach(root, "removed", 0, [this](const TerraformBlock& block) {
    ReportKeys(block, {"from", "lifecycle", "provisioner", "connection"});
    ReportWrong(FindWrongShapes(*block.body, kAddressBlockShapes, block.path), conversion());
    LeaveOutHarmless(block.at, block.path, "a manifest that is gone is what removes a resource");
  });
  ForEach(root, "variable", 1, [this](const TerraformBlock& block) { NameVariable(block); });
  ForEach(root, "locals", 0, [this](const TerraformBlock& block) { NameLocals(block); });
  ForEach(root, "provider", 1, [this](const TerraformBlock& block) { NameProvider(block); });
  ForEach(root, "data", 2, [this](const TerraformBlock& block) { NameResource(block, true); });
  ForEach(root, "resource", 2, [this](const TerraformBlock& block) { NameResource(block, false); });
  KnowOthers();
  for (const auto& [block, of] : found_) PlanResource(block, of);
  ForEach(root, "import", 0, [this](const TerraformBlock& block) { ReadImport(block); });
  ForEach(root, "moved", 0, [this](const TerraformBlock& block) { ReadMoved(block); });
  for (const Plan& plan : plans_) Make(plan);
}

void Terraform::NameResource(const TerraformBlock& block, bool data) {
  const std::string& type = block.labels[0];
  if (data && types().IsPolicySource(type)) return NamePolicy(block);
  const Counterpart of = types().Find(type, data);
  if (of.kind != nullptr) {
    found_.emplace_back(block, of);
    return;
  }
  const std::string_view field =
      data ? std::string_view() : FindGrantingField(wish().facts, type, *block.body);
  const std::string why =
      std::string(kWholeResource) +
      (field.empty() ? types().WhyNot(type, data) : ExplainGrantingField(field));
  NameOther(AddressOfBlock(block, data), block);
  const bool by_type = wish().facts.grants_access && wish().facts.grants_access(type);
  const bool access = !data && (by_type || !field.empty());
  access ? LeaveOut(block.at, block.path, why) : LeaveOutHarmless(block.at, block.path, why);
}

void Terraform::PlanResource(const TerraformBlock& block, const Counterpart& of) {
  const std::string address = AddressOfBlock(block, of.kind->read_only);
  const auto refuse = [&](Position at, const std::string& reason) {
    if (of.kind->read_only) {
      LeaveOutHarmless(at, block.path, std::string(kWholeResource) + reason);
    } else {
      LeaveOut(at, block.path, std::string(kWholeResource) + reason);
      HoldClaim(block, of);
    }
    symbols().emplace(address, Symbol{.reason = "it is left out"});
  };
  if (const Node* dynamic = block.body->Find("dynamic")) {
    return refuse(dynamic->at, "dynamic blocks cannot be carried over");
  }
  if (symbols().count(address) > 0) return refuse(block.at, "there is another one of that name");
  const Node* repeated = block.body->Find("count");
  if (repeated == nullptr) repeated = block.body->Find("for_each");
  if (repeated == nullptr) return NamePlan({block, block.labels[1], of.kind, of.type, {}});
  const auto all = ListRepetitions(*block.body);
  if (!all) return refuse(repeated->at, all.error());
  symbols().emplace(address, Symbol{.reason = "it stands for several resources"});
  for (const Repetition& one : *all) {
    NamePlan({block, block.labels[1] + "-" + one.key.text, of.kind, of.type, one});
  }
}

/// Requires: the name is what it is to be called like.
void Terraform::NamePlan(Plan plan) {
  plan.name = NewName(plan.name, plan.block.at, plan.block.path);
  if (plan.repetition) {
    plan.block.path += plan.repetition->suffix;
  } else {
    Symbol symbol{.manifest = plan.name, .kind = plan.kind};
    const Node* name = plan.block.body->Find("name");
    symbol.short_name =
        !plan.type->name.empty() && (name == nullptr || name->text.find('/') == std::string::npos);
    symbols().emplace(AddressOfBlock(plan.block, plan.kind->read_only), std::move(symbol));
  }
  if (!plan.kind->read_only) made_.emplace(plan.MakeAddress(), plan.name);
  plans_.push_back(std::move(plan));
}

void Terraform::HoldClaim(const TerraformBlock& block, const Counterpart& of) {
  Node body = Known(*block.body);
  for (const Node::Entry& entry : GetDefaults(block.labels[0], body).fields) {
    if (of.type->name.find("{" + entry.key + "}") == std::string::npos) continue;
    if (body.Find(entry.key) == nullptr) body.fields.push_back(entry);
  }
  Hold({block.path, block.at, of.kind, KnownSpec(of, body)});
}

void Terraform::ReadImport(const TerraformBlock& block) {
  ReportKeys(block, {"to", "id", "for_each", "provider", "identity"});
  ReportWrong(FindWrongShapes(*block.body, kAddressBlockShapes, block.path), conversion());
  const std::string address = MakeInstanceAddress(block.body->Find("to"));
  const Node* id = block.body->Find("id");
  if (block.body->Find("for_each") != nullptr || id == nullptr || id->kind != NodeKind::kString) {
    LeaveOutHarmless(block.at, block.path,
                     "expected \"to\" and \"id\", and nothing that repeats them");
  } else if (!made_.contains(address)) {
    LeaveOutHarmless(block.at, block.path, "what it is for is not carried over");
  } else {
    imports_.emplace(address, *id);
  }
}

void Terraform::ReadMoved(const TerraformBlock& block) {
  ReportKeys(block, {"from", "to"});
  ReportWrong(FindWrongShapes(*block.body, kAddressBlockShapes, block.path), conversion());
  const std::string from = MakeInstanceAddress(block.body->Find("from"));
  const std::string address = MakeInstanceAddress(block.body->Find("to"));
  const auto found = made_.find(address);
  if (from.empty() || found == made_.end()) {
    LeaveOutHarmless(block.at, block.path, "what it is for is not carried over");
    return;
  }
  std::string alias = MakeNameOfInstance(from);
  if (alias == found->second) return;
  former_[address].push_back(TextNode(std::move(alias), block.at));
}

}  // namespace bindery::convert
