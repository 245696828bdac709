#include "providers/google/clients/import_data_file_client.h"

#include <array>
#include <string_view>
#include <vector>

#include "cloud/http_errors.h"
#include "manifests/schema/check_text.h"
#include "providers/google/clients/error_dialect.h"

namespace bindery::google {
namespace {

/// The four parts of a full name; kInvalidArgument when it is none.
Expected<std::array<std::string, 4>> SplitParts(const std::string& name) {
  constexpr std::array<std::string_view, 4> kCollections = {"projects", "locations", "importJobs",
                                                            "importDataFiles"};
  const std::vector<std::string_view> segments = manifests::Split(name, '/');
  std::array<std::string, 4> parts;
  bool good = segments.size() == 2 * parts.size();
  for (std::size_t i = 0; good && i < parts.size(); ++i) {
    good = segments[2 * i] == kCollections[i];
    parts[i] = segments[2 * i + 1];
  }
  if (good) return parts;
  return Fail(Code::kInvalidArgument, "\"" + name + "\" is not the name of an import data file");
}

/// Without its project: a project has a number beside its id.
std::string_view WithoutProject(std::string_view name) {
  const std::size_t at = name.find("/locations/");
  return at == std::string_view::npos ? name : name.substr(at);
}

/// A document with a different name, or none, does not answer the request.
std::string FaultInName(const Json& file, const std::string& asked) {
  const std::string name = StringMember(file, "name");
  if (name.empty()) return "an import data file without a name";
  if (WithoutProject(name) == WithoutProject(asked)) return "";
  return "another import data file, \"" + cloud::OneLine(name) + "\"";
}

/// The error of the document; empty when nothing is. The missing part, unknown or of an unknown
/// value is none of our business.
std::string FaultInFile(const Json& file) {
  const Json* info = FindMember(file, "uploadFileInfo");
  if (info == nullptr || info->is_null()) return "";
  if (!info->is_object()) return "an import data file whose uploadFileInfo is not an object";
  const Json* headers = FindMember(*info, "headers");
  if (headers != nullptr && !headers->is_null() && !headers->is_object()) {
    return "an import data file whose uploadFileInfo.headers are not a map";
  }
  return "";
}

}  // namespace

Expected<cloud::PolicyCall> ImportDataFileClient::BuildGet(const std::string& base_url,
                                                           const std::string& name,
                                                           std::chrono::milliseconds timeout) {
  const auto parts = SplitParts(name);
  if (!parts) return Fail(parts.error());
  auto path = cloud::EncodePath(name);
  if (!path) return Fail(std::move(path.error()));
  const auto& [project, location, job, file] = *parts;
  cloud::PolicyCall read;
  read.request.url = base_url + "/v1/" + *path;
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = "migrationcenter";
  read.request.operation = "get";
  read.dialect = &GoogleErrors();
  read.expected_id = name;
  read.looked_for = "import data file \"" + file + "\" of import job \"" + job +
                    "\" in location \"" + location + "\" of project \"" + project +
                    "\"; the import job itself may be what is absent";
  return read;
}

Expected<Json> ImportDataFileClient::ParseResponse(const cloud::PolicyCall& read,
                                                   const std::string& body) {
  auto file = cloud::ParseObject(read.request, body);
  if (!file) return file;
  std::string fault = FaultInFile(*file);
  if (fault.empty() && !read.expected_id.empty()) fault = FaultInName(*file, read.expected_id);
  if (!fault.empty()) return Fail(cloud::ShapeError(read.request, fault));
  return file;
}

}  // namespace bindery::google
