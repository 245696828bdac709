#include <string>
#include <utility>

#include "providers/google/roles/checks.h"
#include "providers/google/schemas.h"

namespace bindery {
namespace {

Field Segment(std::string name, std::string description, std::string example) {
  Field field;
  field.name = std::move(name);
  field.required = true;
  field.description = std::move(description);
  field.pattern = "^[A-Za-z0-9_.~-]+$";
  field.examples = {std::move(example)};
  field.check = [](std::string_view text) { return CheckNamePart(text, /*is_project=*/false); };
  return field;
}

Field UploadFileInfoField() {
  Field headers = TextField("headers", "The headers the upload URL was signed with.");
  headers.type = FieldType::kStringMap;
  headers.secret = true;
  Field uri = TextField("signedUri", "The URL for the upload, which needs no other secret.");
  uri.secret = true;
  Field info = TextField("uploadFileInfo",
                         "How the file is uploaded. All three are always there, empty where the "
                         "service gives none.");
  info.type = FieldType::kObject;
  info.fields = {std::move(headers), std::move(uri),
                 TextField("uriExpirationTime", "When the upload URL ceases to work.")};
  return info;
}

KindSchema MakeImportSchema() {
  Field project;
  project.name = "project";
  project.description = "The project of the import job; the provider's default project if absent.";
  project.pattern = "^[A-Za-z0-9_.~:-]+$";
  project.examples = {"acme"};
  project.check = [](std::string_view text) { return CheckNamePart(text, /*is_project=*/true); };

  KindSchema schema;
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
      TextField("createTime", "When the file was created."),
      TextField("displayName", "A name for people, of at most 63 characters."),
      TextField("format", "What the file holds, such as IMPORT_JOB_FORMAT_RVTOOLS_XLSX."),
      TextField("name", "The full name: projects/P/locations/L/importJobs/J/importDataFiles/F."),
      TextField("state", "CREATING or ACTIVE; others may come."),
      UploadFileInfoField()};
  return schema;
}

}  // namespace

const KindSchema& GetImportDataFileSchema() {
  static const KindSchema kSchema = MakeImportSchema();
  return kSchema;
}

}  // namespace bindery
