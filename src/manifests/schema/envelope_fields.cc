#include <utility>

#include "manifests/schema/checks.h"
#include "manifests/schema/schemas.h"

namespace bindery::manifests {
namespace {

Field Boolean(std::string name, std::string description) {
  Field field;
  field.name = std::move(name);
  field.type = FieldType::kBoolean;
  field.description = std::move(description);
  return field;
}

Field Names(std::string name, std::string description) {
  Field field;
  field.name = std::move(name);
  field.type = FieldType::kList;
  field.description = std::move(description);
  field.pattern = kManifestNamePattern;
  field.check = CheckManifestName;
  return field;
}

Field Timeout(std::string name) {
  Field field;
  field.description = "How long it may take to " + name + " the resource, from 1s to 24h.";
  field.name = std::move(name);
  field.type = FieldType::kDuration;
  field.examples = {"5m"};
  field.check = CheckTimeout;
  return field;
}

/// The options that few manifests have.
void AddRareOptions(FieldList& fields) {
  fields.Add(Names("dependsOn",
                   "Manifests that must be ready before this one is written, and that are "
                   "removed after it."));

  Field ignored;
  ignored.name = "ignoreChanges";
  ignored.type = FieldType::kList;
  ignored.description =
      "Paths of inputs that are neither compared nor changed: the live value stays.";
  ignored.examples = {"members", "condition.title"};
  ignored.check = CheckFieldPath;
  fields.Add(std::move(ignored));

  Field adopted;
  adopted.name = "import";
  adopted.description =
      "The provider's id of an existing resource to adopt. It must be as declared: a difference "
      "is an error, and nothing is written.";
  adopted.pattern = "\\S";
  adopted.check = CheckNotBlank;
  fields.Add(std::move(adopted));

  fields.Add(Names("aliases",
                   "Former names of this manifest: what was known under one of them is this "
                   "resource, so that a rename is no deletion."));

  Field timeouts;
  timeouts.name = "customTimeouts";
  timeouts.type = FieldType::kObject;
  timeouts.description = "How long an operation on the resource may take.";
  timeouts.fields = {Timeout("create"), Timeout("update"), Timeout("delete")};
  fields.Add(std::move(timeouts));
}

FieldList MakeMetadata() {
  Field name;
  name.name = "name";
  name.required = true;
  name.description =
      "The name of the manifest, unique in the whole directory over all kinds: lower-case letters, "
      "digits, '-' and '.', at most 253 characters.";
  name.pattern = kManifestNamePattern;
  name.examples = {"payments-viewers"};
  name.check = CheckManifestName;

  Field labels;
  labels.name = "labels";
  labels.type = FieldType::kStringMap;
  labels.description = "Free texts by which commands select resources.";
  labels.check = CheckNotBlank;

  Field annotations;
  annotations.name = "annotations";
  annotations.type = FieldType::kStringMap;
  annotations.description = "Free texts for people and other programs.";
  annotations.check = CheckNotBlank;
  return {std::move(name), std::move(labels), std::move(annotations)};
}

FieldList MakeOptions() {
  Field provider;
  provider.name = "provider";
  provider.description =
      "The provider of the configuration that serves this manifest, instead of the kind's default.";
  provider.pattern = "^[A-Za-z0-9._-]+$";
  provider.check = CheckProviderName;

  Field mode;
  mode.name = "mode";
  mode.description =
      "enforce corrects drift; observe reports it and writes nothing. Falls back to the "
      "configuration.";
  mode.choices = {"enforce", "observe"};

  Field interval;
  interval.name = "interval";
  interval.type = FieldType::kDuration;
  interval.description =
      "How often the target is checked again without a change, from 1s to 365d. Falls back to the "
      "configuration.";
  interval.examples = {"5m"};
  interval.check = CheckInterval;

  Field expired;
  expired.name = "expired";
  expired.description =
      "What becomes of grants whose condition has ended for good: keep leaves them in the policy, "
      "where they count to its limits; remove takes them out, through the guard. keep if not "
      "given.";
  expired.choices = {"keep", "remove"};

  FieldList fields = {
      std::move(provider),
      std::move(mode),
      std::move(interval),
      Boolean("suspend", "Leaves the target alone until this is false again."),
      Boolean("protect",
              "Refuses every deletion and replacement, also when the manifest goes away."),
      Boolean("retainOnDelete",
              "When the manifest goes away, forgets the resource and leaves the cloud as it is."),
      std::move(expired)};
  AddRareOptions(fields);
  return fields;
}

}  // namespace

const FieldList& MetadataFields() {
  static const FieldList kFields = MakeMetadata();
  return kFields;
}

const FieldList& OptionFields() {
  static const FieldList kFields = MakeOptions();
  return kFields;
}

}  // namespace bindery::manifests
