#include "server/requests/change_request.h"

#include <utility>

#include "core/base/json.h"
#include "server/requests/request_body.h"

namespace bindery::server {
namespace {

Expected<std::string> ReadText(const Json& object, const std::string& member) {
  std::string text = StringMember(object, member);
  if (text.empty()) return BadBody("\"" + member + "\" must be a string that is not empty");
  return text;
}

}  // namespace

Expected<std::vector<std::string>> ReadNames(std::string_view body, NoNames no_names) {
  const bool may_be_none = no_names == NoNames::kMeansAll;
  if (body.empty() && may_be_none) return std::vector<std::string>{};
  const Expected<Json> object = ReadObject(body, {"names"});
  if (!object) return Fail(object.error());
  const Json* list = FindMember(*object, "names");
  if (list == nullptr && may_be_none) return std::vector<std::string>{};
  if (list == nullptr || !list->is_array()) return BadBody("\"names\" must be a list of strings");
  if (list->empty() && !may_be_none) return BadBody("\"names\" must name at least one resource");
  return ReadNameList(*list);
}

Expected<std::string> ReadDigest(std::string_view body) {
  const Expected<Json> object = ReadObject(body, {"digest"});
  if (!object) return Fail(object.error());
  return ReadText(*object, "digest");
}

Expected<command::Rollback> ReadRollback(std::string_view body) {
  const Expected<Json> object = ReadObject(body, {"name", "revision"});
  if (!object) return Fail(object.error());
  Expected<std::string> name = ReadText(*object, "name");
  if (!name) return Fail(name.error());
  const Json* revision = FindMember(*object, "revision");
  if (revision == nullptr || !revision->is_number_integer() || *revision < 1) {
    return BadBody("\"revision\" must be a whole number from 1");
  }
  return command::Rollback{std::move(*name), revision->get<std::int64_t>()};
}

Expected<ScanRequest> ReadScanRequest(std::string_view body) {
  const Expected<Json> object = ReadObject(body, {"scope", "provider"});
  if (!object) return Fail(object.error());
  Expected<std::string> scope = ReadText(*object, "scope");
  if (!scope) return Fail(scope.error());
  ScanRequest wanted{std::move(*scope)};
  if (!object->contains("provider")) return wanted;
  Expected<std::string> provider = ReadText(*object, "provider");
  if (!provider) return Fail(provider.error());
  wanted.provider = std::move(*provider);
  return wanted;
}

}  // namespace bindery::server
