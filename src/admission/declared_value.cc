#include "admission/declared_value.h"

#include "manifests/documents/spec.h"
#include "manifests/schema/check_text.h"

namespace bindery::admission {
namespace {

/// There may be a hundred thousand.
constexpr std::size_t kMostKept = 16;

const Json* Step(const Json& value, const manifests::PathStep& step) {
  if (!step.index) return FindMember(value, step.name);
  return value.is_array() && *step.index < value.size() ? &value[*step.index] : nullptr;
}

}  // namespace

std::string DeclaredValues::FindFault(const manifests::Manifest& manifest,
                                      const manifests::KindSchema& kind,
                                      const manifests::FieldPath& path) {
  if (path.empty() || kind.outputs.Find(path.front().name) != nullptr) return "";
  const Json* at = &Look(manifest);
  if (!at->is_object()) return "";
  for (std::size_t i = 0; i < path.size(); ++i) {
    // A reference in the manifest itself gives the value.
    if (at->is_string() && manifest.references != nullptr) return "";
    const Json* next = Step(*at, path[i]);
    if (next == nullptr || next->is_null()) {
      const manifests::FieldPath known(path.begin(),
                                       path.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      std::string fault = manifests::Quote(manifest.name) + " (" + manifest.source.Text() +
                          ") does not declare " + manifests::Quote(manifests::PathText(known));
      if (path[i].index && at->is_array()) {
        fault += at->size() == 1 ? ": there is 1 item"
                                 : ": there are " + std::to_string(at->size()) + " items";
      }
      return fault;
    }
    at = next;
  }
  return "";
}

const Json& DeclaredValues::Look(const manifests::Manifest& manifest) {
  const auto known = specs_.find(&manifest);
  if (known != specs_.end()) return known->second;
  if (specs_.size() >= kMostKept) specs_.clear();
  return specs_.emplace(&manifest, manifests::MakeSpec(manifest).value_or(Json())).first->second;
}

}  // namespace bindery::admission
