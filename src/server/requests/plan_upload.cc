#include "server/requests/plan_upload.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/base/json.h"
#include "server/requests/request_body.h"

namespace bindery::server {
namespace {

/// Within the directory, and in one spelling.
bool IsPlainPath(const std::string& path) {
  const std::filesystem::path given(path);
  return !path.empty() && path.find('\0') == std::string::npos && given.is_relative() &&
         given.has_filename() && given.lexically_normal().string() == path &&
         *given.begin() != ".." && *given.begin() != ".";
}

/// A string member; nothing when missing or of a different type.
const std::string* TextMember(const Json& object, const char* member) {
  const Json* value = FindMember(object, member);
  return value == nullptr ? nullptr : value->get_ptr<const std::string*>();
}

Expected<std::string> ReadPath(const Json& object, const std::string& what) {
  const std::string* path = TextMember(object, "path");
  if (path == nullptr) return BadBody("\"path\" of " + what + " must be a string");
  if (IsPlainPath(*path)) return *path;
  return BadBody("\"" + *path +
                 "\" is no path below the directory, such as \"teams/payments.yaml\"");
}

Expected<bool> ReadFlag(const Json& object, const char* member) {
  const Json* value = FindMember(object, member);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return BadBody(std::string("\"") + member + "\" must be true or false");
  return value->get<bool>();
}

Expected<PlanUpload::File> ReadFile(const Json& object) {
  const std::string what = "an element of \"files\"";
  if (auto checked = CheckMembers(object, {"path", "text"}, what); !checked) {
    return Fail(checked.error());
  }
  Expected<std::string> path = ReadPath(object, what);
  if (!path) return Fail(path.error());
  const std::string* text = TextMember(object, "text");
  if (text == nullptr) return BadBody("\"text\" of \"" + *path + "\" must be a string");
  return PlanUpload::File{std::move(*path), *text};
}

Expected<PlanUpload::Unread> ReadUnread(const Json& object) {
  const std::string what = "an element of \"unread\"";
  const std::vector<std::string> members = {"path", "why", "ignored", "opaque"};
  if (auto checked = CheckMembers(object, members, what); !checked) {
    return Fail(checked.error());
  }
  // Empty for the directory itself.
  const std::string* path = TextMember(object, "path");
  const std::string* why = TextMember(object, "why");
  if (path == nullptr || why == nullptr || why->empty()) {
    return BadBody("\"path\" and \"why\" of " + what + " must be strings");
  }
  const Expected<bool> ignored = ReadFlag(object, "ignored");
  if (!ignored) return Fail(ignored.error());
  const Expected<bool> opaque = ReadFlag(object, "opaque");
  if (!opaque) return Fail(opaque.error());
  return PlanUpload::Unread{*path, *why, *ignored, *opaque};
}

/// A list that may be missing where `required` is false.
template <typename Element>
Expected<std::vector<Element>> ReadList(const Json& body, const char* member, bool required,
                                        Expected<Element> (*read)(const Json&)) {
  std::vector<Element> elements;
  const Json* list = FindMember(body, member);
  if (list == nullptr && !required) return elements;
  if (list == nullptr || !list->is_array()) {
    return BadBody(std::string("\"") + member + "\" must be a list of objects");
  }
  for (const Json& one : *list) {
    Expected<Element> element = read(one);
    if (!element) return Fail(element.error());
    elements.push_back(std::move(*element));
  }
  return elements;
}

}  // namespace

Expected<PlanUpload> ReadPlanUpload(std::string_view text) {
  const Expected<Json> body = ReadObject(text, {"files", "names", "unread"});
  if (!body) return Fail(body.error());
  PlanUpload upload;
  if (const Json* names = FindMember(*body, "names")) {
    auto read = ReadNameList(*names);
    if (!read) return Fail(read.error());
    upload.names = std::move(*read);
  }
  auto files = ReadList<PlanUpload::File>(*body, "files", /*required=*/true, ReadFile);
  if (!files) return Fail(files.error());
  upload.files = std::move(*files);
  std::set<std::string_view> paths;
  for (const PlanUpload::File& file : upload.files) {
    if (!paths.insert(file.path).second) return BadBody("\"" + file.path + "\" is there twice");
  }
  auto unread = ReadList<PlanUpload::Unread>(*body, "unread", /*required=*/false, ReadUnread);
  if (!unread) return Fail(unread.error());
  upload.unread = std::move(*unread);
  return upload;
}

std::string GetText(const PlanUpload& upload) {
  Json body{{"names", upload.names}, {"files", Json::array()}, {"unread", Json::array()}};
  for (const PlanUpload::File& file : upload.files) {
    body["files"].push_back({{"path", file.path}, {"text", file.text}});
  }
  for (const PlanUpload::Unread& unread : upload.unread) {
    body["unread"].push_back({{"path", unread.path},
                              {"why", unread.why},
                              {"ignored", unread.ignored},
                              {"opaque", unread.opaque}});
  }
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bindery::server
