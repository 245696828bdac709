#include "app/clouds/access_facts.h"

#include <memory>
#include <string>
#include <utility>

#include "access/group_members.h"
#include "access/role_permissions.h"
#include "app/clouds/clouds.h"
#include "providers/inventory_source.h"

namespace bindery {
namespace {

/// Relative names start from the folder of the configuration.
void AddNamedFiles(const Config& config, const std::vector<std::string>& names,
                   std::vector<std::filesystem::path>& files) {
  for (const std::string& name : names) {
    files.push_back((config.file.parent_path() / name).lexically_normal());
  }
}

/// Null without files.
template <typename Content>
Expected<void> ReadFiles(const std::vector<std::filesystem::path>& files,
                         std::shared_ptr<const Content>& content) {
  if (files.empty()) return {};
  auto read = Content::Read(files);
  if (!read) return Fail(read.error());
  content = std::make_shared<const Content>(*std::move(read));
  return {};
}

}  // namespace

AccessFiles AccessFiles::Of(const Config& config) {
  AccessFiles files;
  for (const auto& [name, provider] : config.providers) {
    const InventorySource* source = InventoryOf(provider.type);
    if (source == nullptr) continue;
    AddNamedFiles(config, source->GroupFilesOf(provider), files.groups);
    AddNamedFiles(config, source->RoleFilesOf(provider), files.roles);
  }
  return files;
}

Expected<void> AccessFiles::ReadInto(AccessRecords& records) const {
  if (auto read = ReadFiles(groups, records.groups); !read) return read;
  return ReadFiles(roles, records.roles);
}

Expected<AccessRecords> RecordsOf(const Store& store, const Config& config) {
  AccessRecords records{store, &store.inventory()};
  if (auto read = AccessFiles::Of(config).ReadInto(records); !read) return Fail(read.error());
  records.provider_types = ProviderTypes(config);
  return records;
}

}  // namespace bindery
