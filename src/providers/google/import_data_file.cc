// The lookup of an import data file of Google's Migration Center.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/google/clients/import_data_file_client.h"
#include "providers/google/iam_spec.h"
#include "providers/google/provider.h"
#include "providers/google/roles/checks.h"
#include "providers/google/schemas.h"
#include "reconcilers/lookup.h"

namespace bindery::google {
namespace {

/// The documented most, which a service need not keep to.
constexpr std::ptrdiff_t kLongestDisplayName = 63;

constexpr const char* kForm =
    "projects/PROJECT/locations/LOCATION/importJobs/JOB/importDataFiles/FILE";

/// Enumerations come as names, but a value that is new to the service may come as a number.
std::string TextOfValue(const Json& from, std::string_view name) {
  const Json* value = FindMember(from, name);
  if (value == nullptr || value->is_null()) return "";
  return value->is_string() ? value->get<std::string>() : CanonicalJson(*value);
}

std::ptrdiff_t Characters(const std::string& text) {
  constexpr unsigned char kPrefixBits = 0xC0;
  constexpr unsigned char kContinuation = 0x80;
  return std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & kPrefixBits) != kContinuation;
  });
}

Json MakeUploadFileInfo(const Json& file) {
  static const Json kNone = Json::object();
  const Json* given = FindMember(file, "uploadFileInfo");
  const Json& info = given != nullptr && given->is_object() ? *given : kNone;
  const Json* headers = FindMember(info, "headers");
  return {{"headers", headers != nullptr && headers->is_object() ? *headers : Json::object()},
          {"signedUri", TextOfValue(info, "signedUri")},
          {"uriExpirationTime", TextOfValue(info, "uriExpirationTime")}};
}

class ImportDataFile final : public reconcilers::Lookup {
 public:
  using reconcilers::Lookup::Lookup;

  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& spec, const std::string& default_project) const override {
    std::string project = StringMember(spec, "project");
    if (project.empty()) project = default_project;
    if (project.empty()) {
      return Fail(Code::kInvalidArgument,
                  "the spec names no project, and the provider has no default project: set "
                  "spec.project, or providers.<name>.project in the configuration");
    }
    reconcilers::Declaration declared;
    declared.target = "projects/" + project + "/locations/" + StringMember(spec, "location") +
                      "/importJobs/" + StringMember(spec, "importJobId") + "/importDataFiles/" +
                      StringMember(spec, "importDataFileId");
    return declared;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    return ImportDataFileClient::BuildGet(connection.BaseUrl(traits().service), target, timeout);
  }

  [[nodiscard]] std::string QuotaProject(const std::string& target) const override {
    return GetProject(target);
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const override {
    const std::vector<std::string_view> parts = manifests::Split(id, '/');
    const std::size_t skipped = id.starts_with("projects/") ? 2 : 0;
    bool good = parts.size() == skipped + 6 && parts[skipped] == "locations" &&
                parts[skipped + 2] == "importJobs" && parts[skipped + 4] == "importDataFiles" &&
                (skipped == 0 || !CheckNamePart(parts[1], /*is_project=*/true));
    for (std::size_t i = skipped + 1; good && i < parts.size(); i += 2) {
      good = !CheckNamePart(parts[i], /*is_project=*/false);
    }
    if (!good) {
      return Fail(Code::kInvalidArgument, manifests::Quote(id) +
                                              " is not an import data file: write " + kForm +
                                              ", or the part from locations/ on");
    }
    Expected<std::string> target = WithProject(id, default_project);
    if (!target) return Fail(std::move(target.error()));
    return reconcilers::ResourceId{std::move(*target), ""};
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    const std::vector<std::string_view> parts = manifests::Split(target, '/');
    if (!now.exists || parts.size() != 8) return Fail(Code::kNotFound, "there is no " + target);
    return Json{{"importDataFileId", parts[7]},
                {"importJobId", parts[5]},
                {"location", parts[3]},
                {"project", parts[1]}};
  }

 protected:
  [[nodiscard]] Expected<Result> MakeResult(const cloud::PolicyCall& read,
                                            const std::string& body) const override {
    const Expected<Json> file = ImportDataFileClient::ParseResponse(read, body);
    if (!file) return Fail(file.error());
    Result result;
    for (const char* name : {"createTime", "displayName", "format", "name", "state"}) {
      result.outputs[name] = TextOfValue(*file, name);
    }
    result.outputs["uploadFileInfo"] = MakeUploadFileInfo(*file);
    const std::ptrdiff_t length = Characters(TextOfValue(*file, "displayName"));
    if (length > kLongestDisplayName) {
      result.note = "displayName has " + std::to_string(length) + " characters, more than the " +
                    std::to_string(kLongestDisplayName) + " that are documented";
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeGetImportDataFile() {
  reconcilers::KindTraits traits;
  traits.service = "migrationcenter";
  traits.provider_type = "cloudnative";
  traits.names_are_global = false;  // Another provider may see something else under the same name.
  return std::make_unique<ImportDataFile>(GetImportDataFileSchema(), std::move(traits));
}

}  // namespace bindery::google
