#include "convert/terraform.h"

#include <algorithm>
#include <utility>

#include "convert/expressions.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "manifests/check_text.h"
#include "manifests/validate.h"

namespace bindery {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

namespace {

std::string Joined(const FieldPath& path, std::size_t steps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(steps, path.size()); ++i) {
    text += (i == 0 ? "" : ".") + path[i].name;
  }
  return text;
}

bool IsDigits(std::string_view text) { return IsDecimal(text) && text.size() < 10; }

}  // namespace

void ConvertTerraform(const Node& root, const KindSchemas& kinds, Conversion& conversion) {
  Terraform(conversion, kinds).Run(root);
}

namespace {

const Field* FindSnakeCase(const FieldList& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&name](const Field& field) {
    return SnakeCase(field.name) == name;
  });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

FieldPath CanonicalPath(const KindSchema& kind, const FieldPath& path) {
  FieldPath made;
  const FieldList* fields = &kind.inputs;
  const Field* last = nullptr;
  for (const PathStep& step : path) {
    const bool number = step.index || IsDigits(step.name);
    // A single block is a list of one.
    if (number && last != nullptr && last->type == FieldType::kObject) continue;
    if (number) {
      made.push_back({"", step.index ? *step.index : std::stoul(step.name)});
      continue;
    }
    last = FindSnakeCase(*fields, step.name);
    if (last == nullptr && made.empty()) last = FindSnakeCase(kind.outputs, step.name);
    made.push_back({last == nullptr ? step.name : last->name});
    if (last != nullptr) fields = &last->fields;
  }
  return made;
}

tl::expected<Template, TextFault> Terraform::Parse(std::string_view text) const {
  return ParseTerraformText(text);
}

tl::expected<Meaning, std::string> Terraform::Find(const FieldPath& path) const {
  const std::string& root = path.front().name;
  if (root == "var") return tl::unexpected(Quote(PathText(path)) + " is an input variable");
  if (root == "each" || root == "count" || root == "path" || root == "terraform" ||
      root == "module" || root == "self") {
    return tl::unexpected(Quote(PathText(path)) + " has no counterpart in a manifest");
  }
  const std::size_t steps = root == "data" ? 3 : 2;
  const auto found = symbols_.find(Joined(path, steps));
  if (found == symbols_.end()) {
    return tl::unexpected("the file has no " + Quote(Joined(path, steps)));
  }
  const Symbol& symbol = found->second;
  tl::expected<Meaning, std::string> meaning = Follow(symbol, path, std::min(steps, path.size()));
  if (!meaning || symbol.kind == nullptr) return meaning;
  meaning->below = CanonicalPath(*symbol.kind, meaning->below);
  const bool name = !meaning->below.empty() && meaning->below.front().name == "name";
  if (name && symbol.short_name) {
    return tl::unexpected(Quote(PathText(path)) +
                          " is a short name there, and the full resource name in the manifest");
  }
  return meaning;
}

void Terraform::Run(const Node& root) {
  const std::pair<const char*, const char*> left[] = {
      {"variable", "manifests have no input variables: write the values out"},
      {"output", "there are no outputs: bindery get shows those of each resource"},
      {"module", "modules are not looked into: convert their files by themselves"},
      {"check", "there are no checks"},
      {"ephemeral", "there is nothing ephemeral"}};
  for (const auto& [type, reason] : left) {
    const std::size_t labels = std::string_view(type) == "ephemeral" ? 2 : 1;
    ForEach(root, type, labels, [this, why = reason](const TerraformBlock& block) {
      LeaveOut(block.at, block.path, why);
    });
  }
  ForEach(root, "removed", 0, [this](const TerraformBlock& block) {
    LeaveOut(block.at, block.path, "a manifest that is gone is what removes a resource");
  });
  ForEach(root, "provider", 1, [this](const TerraformBlock& block) {
    Note(block.at, block.path, "providers belong into the configuration file: bindery.yaml");
  });
  ForEach(root, "locals", 0, [this](const TerraformBlock& block) { NameLocals(block); });
  ForEach(root, "data", 2, [this](const TerraformBlock& block) { NameResource(block, true); });
  ForEach(root, "resource", 2, [this](const TerraformBlock& block) { NameResource(block, false); });
  ForEach(root, "import", 0, [this](const TerraformBlock& block) { ReadImport(block); });
  ForEach(root, "moved", 0, [this](const TerraformBlock& block) { ReadMoved(block); });
  for (const Plan& plan : plans_) Make(plan);
}

void Terraform::NameLocals(const TerraformBlock& block) {
  for (const Node::Entry& entry : block.body->fields) {
    if (entry.key == "//") continue;
    std::optional<Node> literal = Literal(entry.value);
    if (!literal) {
      LeaveOut(entry.key_at, JoinPath(block.path, entry.key),
               "only plain values can be carried over");
    }
    symbols_.emplace("local." + entry.key, literal
                                               ? Symbol{.literal = std::move(literal)}
                                               : Symbol{.reason = "that local value is left out"});
  }
}

void Terraform::NameResource(const TerraformBlock& block, bool data) {
  const std::string& type = block.labels[0];
  const std::string address = (data ? "data." : "") + type + "." + block.labels[1];
  const auto refuse = [&](Position at, const std::string& reason) {
    LeaveOut(at, block.path, "the whole resource: " + reason);
    symbols_.emplace(address, Symbol{.reason = "it is left out"});
  };
  if (data && types_.IsPolicySource(type)) return NamePolicy(block);
  const auto [found, terraform] = types_.Find(type, data);
  if (found == nullptr) return refuse(block.at, types_.WhyNot(type, data));
  for (const char* key : {"count", "for_each"}) {
    if (const Node* repeated = block.body->Find(key)) {
      return refuse(repeated->at,
                    std::string("\"") + key + "\" makes several of it: a manifest is one resource");
    }
  }
  if (const Node* dynamic = block.body->Find("dynamic")) {
    return refuse(dynamic->at, "dynamic blocks cannot be carried over");
  }
  if (symbols_.count(address) > 0) return refuse(block.at, "there is another one of that name");
  Plan plan = {block, NewName(block.labels[1], block.at, block.path), found, terraform};
  Symbol symbol{.manifest = plan.name, .kind = found};
  const Node* name = block.body->Find("name");
  symbol.short_name =
      !terraform->name.empty() && (name == nullptr || name->text.find('/') == std::string::npos);
  symbols_.emplace(address, std::move(symbol));
  plans_.push_back(std::move(plan));
}

std::string Terraform::AddressOf(const Node* node) const {
  if (node == nullptr || node->kind != NodeKind::kString) return {};
  std::string_view text = node->text;
  if (text.starts_with("${") && text.ends_with('}')) text = text.substr(2, text.size() - 3);
  const auto path = ParseFieldPath(text);
  if (!path) return {};
  const std::size_t steps = path->front().name == "data" ? 3 : 2;
  return path->size() < steps ? std::string() : Joined(*path, steps);
}

void Terraform::ReadImport(const TerraformBlock& block) {
  const std::string address = AddressOf(block.body->Find("to"));
  const Node* id = block.body->Find("id");
  const auto found = symbols_.find(address);
  if (block.body->Find("for_each") != nullptr || id == nullptr || id->kind != NodeKind::kString) {
    LeaveOut(block.at, block.path, "expected \"to\" and \"id\", and nothing that repeats them");
  } else if (found == symbols_.end() || found->second.manifest.empty()) {
    LeaveOut(block.at, block.path, "what it is for is not carried over");
  } else {
    imports_.emplace(address, *id);
  }
}

void Terraform::ReadMoved(const TerraformBlock& block) {
  const std::string from = AddressOf(block.body->Find("from"));
  const std::string address = AddressOf(block.body->Find("to"));
  const auto found = symbols_.find(address);
  if (from.empty() || found == symbols_.end() || found->second.manifest.empty()) {
    LeaveOut(block.at, block.path, "what it is for is not carried over");
    return;
  }
  std::string alias = ManifestNameOf(from.substr(from.rfind('.') + 1));
  if (alias == found->second.manifest) return;
  former_[address].push_back(TextNode(std::move(alias), block.at));
}

}  // namespace bindery
