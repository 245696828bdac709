#include <string>
#include <utility>

#include "providers/google/roles/checks.h"
#include "providers/google/schemas.h"

namespace bindery::google {
namespace {

manifests::Field Segment(std::string name, std::string description, std::string example) {
  manifests::Field field;
  field.name = std::move(name);
  field.required = true;
  field.description = std::move(description);
  field.pattern = "^[A-Za-z0-9_.~-]+$";
  field.examples = {std::move(example)};
  field.check = [](std::string_view text) { return CheckNamePart(text, /*is_project=*/false); };
  return field;
}

manifests::Field UploadFileInfoField() {
  manifests::Field headers =
      manifests::TextField("headers", "The headers the upload URL was signed with.");
  headers.type = manifests::FieldType::kStringMap;
  headers.secret = true;
  manifests::Field uri =
      manifests::TextField("signedUri", "The URL for the upload, which needs no other secret.");
  uri.secret = true;
  manifests::Field info =
      manifests::TextField("uploadFileInfo",
                           "How the file is uploaded. All three are always there, empty where the "
                           "service gives none.");
  info.type = manifests::FieldType::kObject;
  info.fields = {std::move(headers), std::move(uri),
                 manifests::TextField("uriExpirationTime", "When the upload URL ceases to work.")};
  return info;
}

manifests::KindSchema MakeImportSchema() {
  manifests::Field project;
  project.name = "project";
  project.description = "The project of the import job; the provider's default project if absent.";
  project.pattern = "^[A-Za-z0-9_.~:-]+$";
  project.examples = {"acme"};
  project.check = [](std::string_view text) { return CheckNamePart(text, /*is_project=*/true); };

  manifests::KindSchema schema;
  schema.token = {"cloudnative:migrationcenter/v1", "getImportDataFile"};
  schema.description = "Looks up an import data file of the Migration Center. Read-only.";
  schema.elsewhere.pulumi_package = "google-native";
  schema.of_preview_package = true;
  schema.read_only = true;
  schema.inputs = {Segment("importDataFileId", "The import data file's id.", "hosts"),
                   Segment("importJobId", "The id of its import job.", "inventory"),
                   Segment("location", "The location of the import job.", "europe-west1"),
                   std::move(project)};
  schema.outputs = {
      manifests::TextField("createTime", "When the file was created."),
      manifests::TextField("displayName", "A name for people, of at most 63 characters."),
      manifests::TextField("format",
                           "What the file holds, such as IMPORT_JOB_FORMAT_RVTOOLS_XLSX."),
      manifests::TextField("name",
                           "The full name: projects/P/locations/L/importJobs/J/importDataFiles/F."),
      manifests::TextField("state", "CREATING or ACTIVE; others may come."),
      UploadFileInfoField()};
  return schema;
}

}  // namespace

const manifests::KindSchema& GetImportDataFileSchema() {
  static const manifests::KindSchema kSchema = MakeImportSchema();
  return kSchema;
}

}  // namespace bindery::google
