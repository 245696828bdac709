#include "emulator/google/api/document.h"

#include "emulator/seed.h"

namespace bindery::emulator {
namespace {

constexpr const char* kDocumentCreated = "2026-01-15T09:30:00.123456789Z";
constexpr const char* kUpdated = "2026-02-20T14:05:10.987654321Z";

Json Defaults(std::string_view section, const std::string& name) {
  const std::string id = name.substr(name.rfind('/') + 1);
  const std::string project = name.substr(0, name.find("/locations/"));
  if (section == section::kAuthorizationPolicies) {
    return Json{{"createTime", kDocumentCreated}, {"updateTime", kUpdated}, {"action", "ALLOW"}};
  }
  if (section == section::kManagementServers) {
    return Json{{"createTime", kDocumentCreated},
                {"updateTime", kUpdated},
                {"type", "BACKUP_RESTORE"},
                {"managementUri", Json{{"webUi", "https://bmc-" + id + ".example.com"},
                                       {"api", "https://bmc-" + id + ".example.com/actifio"}}},
                {"state", "READY"},
                {"networks", Json::array({Json{{"network", project + "/global/networks/default"},
                                               {"peeringMode", "PRIVATE_SERVICE_ACCESS"}}})}};
  }
  return Json{{"displayName", id.substr(0, 63)},
              {"format", "IMPORT_JOB_FORMAT_RVTOOLS_XLSX"},
              {"createTime", kDocumentCreated},
              {"state", "ACTIVE"}};
}

}  // namespace

Json ShownDocument(std::string_view section, const std::string& name, const Json& seeded) {
  Json document = {{"name", name}};
  document.update(Defaults(section, name));
  document.update(seeded);
  return document;
}

}  // namespace bindery::emulator
