#include "providers/registry/providers.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "providers/foreign_types.h"
#include "providers/inventory_source.h"

// Each cloud is defined in its own folder, and registered here.
namespace bindery::google {
const providers::Provider& GoogleProvider();
const providers::InventorySource& GoogleInventory();
bool IsGoogleAccessType(std::string_view type);
std::string_view FindGoogleGrantingField(std::string_view type);
}  // namespace bindery::google

namespace bindery::datadog {
const providers::Provider& DatadogProvider();
const providers::InventorySource& DatadogInventory();
bool IsDatadogAccessType(std::string_view type);
}  // namespace bindery::datadog

namespace bindery::providers {
namespace {

std::vector<const Provider*>& All() {
  static std::vector<const Provider*> all = {&google::GoogleProvider(),
                                             &datadog::DatadogProvider()};
  return all;
}

}  // namespace

std::span<const Provider* const> Providers() { return All(); }

const Provider& ProviderOfType(std::string_view type) {
  for (const Provider* provider : All()) {
    if (provider->type() == type) return *provider;
  }
  throw std::logic_error("there is no provider of type " + std::string(type));
}

void AddProvider(const Provider& provider) { All().push_back(&provider); }

std::span<const std::string_view> ProviderTypes() {
  static const std::vector<std::string_view> kTypes = [] {
    std::vector<std::string_view> types;
    for (const Provider* provider : All()) types.push_back(provider->type());
    return types;
  }();
  return kTypes;
}

const InventorySource* FindInventory(std::string_view provider_type) {
  for (const InventorySource* source : {&google::GoogleInventory(), &datadog::DatadogInventory()}) {
    if (source->provider_type() == provider_type) return source;
  }
  return nullptr;
}

std::optional<std::string> ProviderWithIndex(
    const std::map<std::string, std::string>& types, const std::string& name,
    const std::function<bool(const InventorySource&)>& serves) {
  std::optional<std::string> first;
  for (const auto& [known, type] : types) {
    const InventorySource* source = FindInventory(type);
    if (source == nullptr || (!name.empty() && name != known)) continue;
    if (serves(*source)) return known;
    if (!first) first = known;
  }
  return first;
}

const DeclaredKinds& KindsOfFiles() {
  for (const Provider* provider : All()) {
    if (const DeclaredKinds* declared = provider->Declared()) return *declared;
  }
  throw std::logic_error("no provider has kinds that files declare");
}

std::vector<attribution::AuditLogReader> AuditLogReaders() {
  std::vector<attribution::AuditLogReader> readers;
  for (const Provider* provider : All()) {
    attribution::AuditLogReader reader = provider->AuditLog();
    if (!reader.marks.empty()) readers.push_back(std::move(reader));
  }
  return readers;
}

bool GrantsAccess(std::string_view type) {
  return google::IsGoogleAccessType(type) || datadog::IsDatadogAccessType(type);
}

std::string_view FindGrantingField(std::string_view type) {
  return google::FindGoogleGrantingField(type);
}

bool IsServiceDomain(std::string_view domain) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  return domain.find('.') != std::string_view::npos &&
         domain.find_first_not_of(kAllowed) == std::string_view::npos && domain.front() != '.' &&
         domain.back() != '.';
}

}  // namespace bindery::providers
