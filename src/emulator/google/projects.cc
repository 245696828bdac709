#include "emulator/google/projects.h"

#include <cstdint>

#include "manifests/schema/check_text.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kProjects = "projects/";

/// "P" of "projects/P/…"; empty for any other name.
std::string_view GetProject(std::string_view name) {
  if (!name.starts_with(kProjects)) return {};
  name.remove_prefix(kProjects.size());
  return name.substr(0, name.find('/'));
}

/// Twelve digits, always the same for an id.
std::string MadeNumber(std::string_view id) {
  constexpr std::uint64_t kBasis = 14'695'981'039'346'656'037ULL;
  constexpr std::uint64_t kPrime = 1'099'511'628'211ULL;
  constexpr std::uint64_t kLeast = 100'000'000'000ULL;
  std::uint64_t hash = kBasis;
  for (const char letter : id) hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  return std::to_string(kLeast + hash % (9 * kLeast));
}

}  // namespace

void Projects::Seed(const std::string& id, const std::string& number) {
  ids_.erase(GetNumber(id));
  numbers_[id] = number;
  ids_[number] = id;
}

void Projects::NoteResource(std::string_view name) {
  const std::string id(GetProject(name));
  if (!id.empty() && !manifests::IsDecimal(id)) ids_.emplace(GetNumber(id), id);
}

void Projects::Clear() {
  numbers_.clear();
  ids_.clear();
}

std::string Projects::GetNumber(const std::string& id) const {
  const auto seeded = numbers_.find(id);
  return seeded == numbers_.end() ? MadeNumber(id) : seeded->second;
}

std::string Projects::WithId(const std::string& name) const {
  const std::string_view project = GetProject(name);
  if (!manifests::IsDecimal(project)) return name;
  const auto known = ids_.find(std::string(project));
  if (known == ids_.end()) return name;
  return std::string(kProjects) + known->second + name.substr(kProjects.size() + project.size());
}

std::optional<Json> Projects::Describe(std::string_view name) const {
  std::string id(GetProject(name));
  if (id.empty() || name.size() != kProjects.size() + id.size()) return std::nullopt;
  if (manifests::IsDecimal(id)) {
    const auto known = ids_.find(id);
    if (known == ids_.end()) return std::nullopt;
    id = known->second;
  }
  return Json{{"name", std::string(kProjects) + GetNumber(id)},
              {"projectId", id},
              {"displayName", id},
              {"state", "ACTIVE"}};
}

}  // namespace bindery::emulator
