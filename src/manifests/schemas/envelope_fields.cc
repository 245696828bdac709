#include <utility>

#include "manifests/checks.h"
#include "manifests/schemas.h"

namespace bindery {
namespace {

Field Boolean(std::string name, std::string description) {
  Field field;
  field.name = std::move(name);
  field.type = FieldType::kBoolean;
  field.description = std::move(description);
  return field;
}

std::vector<Field> MakeMetadata() {
  Field name;
  name.name = "name";
  name.required = true;
  name.description =
      "The name of the manifest, unique in the whole directory over all kinds: lower-case letters, "
      "digits, '-' and '.', at most 253 characters.";
  name.pattern = "^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$";
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

std::vector<Field> MakeOptions() {
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

  return {std::move(provider),
          std::move(mode),
          std::move(interval),
          Boolean("suspend", "Leaves the target alone until this is false again."),
          Boolean("protect",
                  "Refuses every deletion and replacement, also when the manifest goes away."),
          Boolean("retainOnDelete",
                  "When the manifest goes away, forgets the resource and leaves the cloud as it "
                  "is.")};
}

}  // namespace

const std::vector<Field>& MetadataFields() {
  static const std::vector<Field> kFields = MakeMetadata();
  return kFields;
}

const std::vector<Field>& OptionFields() {
  static const std::vector<Field> kFields = MakeOptions();
  return kFields;
}

const std::vector<std::string>& UnsupportedOptions() {
  static const std::vector<std::string> kNames = {"dependsOn", "ignoreChanges", "import", "aliases",
                                                  "customTimeouts"};
  return kNames;
}

}  // namespace bindery
