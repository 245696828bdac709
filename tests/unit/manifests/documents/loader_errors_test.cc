#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAreArray;
using Case = LoaderCase;

class LoaderReports : public ::testing::TestWithParam<Case> {};

TEST_P(LoaderReports, EveryProblemWithItsPlace) {
  EXPECT_THAT(ListProblems(Load(GetParam().text)), ElementsAreArray(GetParam().problems));
}

// --- the document -------------------------------------------------------------------------------

INSTANTIATE_TEST_SUITE_P(
    Documents, LoaderReports,
    ::testing::Values(
        Case{"NotAMap",
             "- a\n",
             {"1:1: expected a map with apiVersion, kind, metadata and spec, found a list; write "
              "one "
              "map, without \"- \" or brackets [WrongType]"}},
        Case{"OnlyAWord",
             "# why\nhello\n",
             {"2:1: expected a map with apiVersion, kind, metadata and spec, found a string "
              "[WrongType]"}},
        Case{"NothingInIt",
             "{}\n",
             {"1:1: apiVersion: required field is missing [MissingField]",
              "1:1: kind: required field is missing [MissingField]",
              "1:1: metadata: required field is missing [MissingField]"}},
        Case{"WrongTypesAtTheTop",
             "apiVersion: 1\nkind: [x]\nmetadata: x\noptions:\n",
             {"1:13: apiVersion: expected a string, found integer [WrongType]",
              "2:7: kind: expected a string, found list; write \"x\" without brackets or \"- \" "
              "[WrongType]",
              "3:11: metadata: expected a map, found a string [WrongType]",
              "4:1: options: expected a map, found nothing; its fields are on the lines below, "
              "indented further [WrongType]"}},
        Case{"StatusIsNotForManifests",
             Policy() + "status: {}\n",
             {"6:1: status: unknown field \"status\": a manifest declares, the status is kept by "
              "bindery; remove it [UnknownField]"}},
        Case{"MisspelledTopField",
             Policy() + "option: {}\n",
             {"6:1: option: unknown field \"option\", did you mean \"options\"? [UnknownField]"}},
        Case{"UnknownTopField",
             Policy() + "data: 1\n",
             {"6:1: data: unknown field \"data\"; known are \"apiVersion\", \"kind\", "
              "\"metadata\", \"spec\" and \"options\" [UnknownField]"}},
        Case{"DuplicateKey",
             Policy() + "kind: RestrictionPolicy\n",
             {"6:1: kind: duplicate key \"kind\" (first on line 2) [DuplicateKey]"}},
        Case{"NestedDuplicateKey",
             "a: [{b c: {x: 1}}, {b c: {x: 1, x: 2}}]\n---\nm: {k: 1}\nm: {k: 1, k: 2}\n",
             {"1:33: a[1][\"b c\"].x: duplicate key \"x\" (first on line 1) [DuplicateKey]",
              "4:1: m: duplicate key \"m\" (first on line 3) [DuplicateKey]",
              "4:11: m.k: duplicate key \"k\" (first on line 4) [DuplicateKey]"}},
        Case{"Syntax",
             "a: [\n",
             {"1:4: not valid YAML: \"]\" is missing: what begins here is not closed "
              "[InvalidSyntax]"}},
        Case{"Encoding", "a: \xFF\n", {"1:4: not UTF-8: byte 0xFF [InvalidText]"}},
        Case{"TooLarge",
             "a: " + std::string(1U << 20U, 'x'),
             {"1:1: document is larger than 1048576 bytes [TooLarge]"}},
        Case{"AnUnknownFieldWithALineBreakStaysOneLine",
             Policy() + "\"x\\ny\": 1\n",
             {"6:1: [\"x\\ny\"]: unknown field \"x\\ny\"; known are \"apiVersion\", \"kind\", "
              "\"metadata\", \"spec\" and \"options\" [UnknownField]"}},
        Case{"AKeyWithALineBreakStaysOneLine",
             "\"a\\nb\": 1\n\"a\\nb\": 2\n",
             {"2:1: [\"a\\nb\"]: duplicate key \"a b\" (first on line 1) [DuplicateKey]"}}),
    NameOfCase);

// --- apiVersion and kind ------------------------------------------------------------------------

std::string Typed(const std::string& version, const std::string& kind) {
  return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: a}\nspec: {}\n";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LoaderReports,
    ::testing::Values(
        Case{"UnknownVersion",
             Typed("apps/v1", "Deployment"),
             {"1:13: apiVersion: \"apps/v1\" is an API of Kubernetes: this directory is for "
              "manifests of bindery alone, move the file out of it [UnknownApiVersion]"}},
        Case{"UnknownVersionOfOurForm",
             Typed("cloud:x/v1", "Something"),
             {"1:13: apiVersion: unknown apiVersion \"cloud:x/v1\"; known are "
              "\"cloudnative:networksecurity/v1\", \"cloudnative:backupdr/v1\" and \"monitoring\" "
              "[UnknownApiVersion]"}},
        Case{"MisspelledVersion",
             Typed("cloudnative:backup-dr/v1", "Something"),
             {"1:13: apiVersion: unknown apiVersion \"cloudnative:backup-dr/v1\", did you mean "
              "\"cloudnative:backupdr/v1\"? [UnknownApiVersion]"}},
        Case{"KindTellsTheVersion",
             Typed("v1", "RestrictionPolicy"),
             {"1:13: apiVersion: unknown apiVersion \"v1\", did you mean \"monitoring\"? "
              "[UnknownApiVersion]"}},
        Case{
            "LongSpellingOfTheCommandLine",
            Typed("monitoring:index/restrictionPolicy", "RestrictionPolicy"),
            {"1:13: apiVersion: unknown apiVersion \"monitoring:index/restrictionPolicy\", did you "
             "mean \"monitoring\"? [UnknownApiVersion]"}},
        Case{"MisspelledKind",
             Typed("monitoring", "restriction-policy"),
             {"2:7: kind: unknown kind \"restriction-policy\" of \"monitoring\", did you mean "
              "\"RestrictionPolicy\"? [UnknownKind]"}},
        Case{"UnknownKind",
             Typed("monitoring", "Dashboard"),
             {"2:7: kind: unknown kind \"Dashboard\" of \"monitoring\"; known are "
              "\"RestrictionPolicy\" [UnknownKind]"}},
        Case{
            "KindOfAnotherVersion",
            Typed("monitoring", "ManagementServerIamBinding"),
            {"2:7: kind: unknown kind \"ManagementServerIamBinding\" of \"monitoring\": it belongs "
             "to \"cloudnative:backupdr/v1\" [UnknownKind]"}},
        Case{"TheRestIsStillChecked",
             "apiVersion: x\nkind: y\nmetadata: {name: A}\noptions: {mode: z}\n",
             {"1:13: apiVersion: unknown apiVersion \"x\"; known are "
              "\"cloudnative:networksecurity/v1\", \"cloudnative:backupdr/v1\" and \"monitoring\" "
              "[UnknownApiVersion]",
              "3:18: metadata.name: name \"A\" must consist of lower-case letters, digits, '-' and "
              "'.', and begin and end with a letter or digit [BadName]",
              "4:17: options.mode: \"z\" is not one of \"enforce\" and \"observe\" [BadValue]"}}),
    NameOfCase);

// --- metadata -----------------------------------------------------------------------------------

std::string WithMetadata(const std::string& metadata) {
  return "apiVersion: monitoring\nkind: RestrictionPolicy\nspec: {resourceId: \"slo:" +
         std::string(32, 'a') + "\", bindings: [{relation: viewer, principals: [\"org:1\"]}]}\n" +
         "metadata: " + metadata + "\n";
}

constexpr const char* kNameRule =
    " must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or "
    "digit [BadName]";

INSTANTIATE_TEST_SUITE_P(
    Metadata, LoaderReports,
    ::testing::Values(
        Case{"NoName",
             WithMetadata("{}"),
             {"4:11: metadata.name: required field is missing [MissingField]"}},
        Case{"EmptyName",
             WithMetadata("{name: \"\"}"),
             {"4:18: metadata.name: must not be empty [BadName]"}},
        Case{"CapitalName",
             WithMetadata("{name: Abc}"),
             {std::string("4:18: metadata.name: name \"Abc\"") + kNameRule}},
        Case{"NameWithUnderscore",
             WithMetadata("{name: a_b}"),
             {std::string("4:18: metadata.name: name \"a_b\"") + kNameRule}},
        Case{"NameEndsWithHyphen",
             WithMetadata("{name: a-}"),
             {std::string("4:18: metadata.name: name \"a-\"") + kNameRule}},
        Case{"NameWithSlash",
             WithMetadata("{name: a/../b}"),
             {std::string("4:18: metadata.name: name \"a/../b\"") + kNameRule}},
        Case{"LongName",
             WithMetadata("{name: " + std::string(254, 'a') + "}"),
             {"4:18: metadata.name: name of 254 characters is longer than 253 [BadName]"}},
        Case{"NumberAsName",
             WithMetadata("{name: 12}"),
             {"4:18: metadata.name: expected a string, found an integer; put \"12\" in quotes "
              "[WrongType]"}},
        Case{"Namespace",
             WithMetadata("{name: a, namespace: b}"),
             {"4:21: metadata.namespace: unknown field \"namespace\"; known are \"name\", "
              "\"labels\" and \"annotations\" [UnknownField]"}},
        Case{"LabelsAsList",
             WithMetadata("{name: a, labels: [x]}"),
             {"4:29: metadata.labels: expected a map, found a list; write one map, without \"- \" "
              "or brackets [WrongType]"}},
        Case{"EmptyLabels",
             WithMetadata("{name: a, labels: }"),
             {"4:29: metadata.labels: expected a map, found nothing; its fields are on the lines "
              "below, indented further [WrongType]"}},
        Case{
            "BooleanLabel",
            WithMetadata("{name: a, labels: {on: true}}"),
            {"4:34: metadata.labels.on: expected a string, found a boolean; put \"true\" in quotes "
             "[WrongType]"}},
        Case{"LabelWithoutKey",
             WithMetadata("{name: a, annotations: {\"\": x}}"),
             {"4:35: metadata.annotations: must not be empty [EmptyValue]"}}),
    NameOfCase);

// --- options ------------------------------------------------------------------------------------

std::string WithOptions(const std::string& options) {
  return Policy() + "options: " + options + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Options, LoaderReports,
    ::testing::Values(
        Case{"AsList",
             WithOptions("[]"),
             {"6:10: options: expected a map, found a list; write one map, without \"- \" or "
              "brackets [WrongType]"}},
        Case{"Misspelled",
             WithOptions("{retain_on_delete: true}"),
             {"6:11: options.retain_on_delete: unknown field \"retain_on_delete\", did you mean "
              "\"retainOnDelete\"? [UnknownField]"}},
        Case{"ModeOfAnotherTool",
             WithOptions("{mode: manage}"),
             {"6:17: options.mode: \"manage\" is not one of \"enforce\" and \"observe\" "
              "[BadValue]"}},
        Case{"MisspelledMode",
             WithOptions("{mode: Observe}"),
             {"6:17: options.mode: \"Observe\" is not one of \"enforce\" and \"observe\", did you "
              "mean \"observe\"? [BadValue]"}},
        Case{"ShortInterval",
             WithOptions("{interval: 999ms}"),
             {"6:21: options.interval: \"999ms\" is less than 1s [BadDuration]"}},
        Case{"LongInterval",
             WithOptions("{interval: 366d}"),
             {"6:21: options.interval: \"366d\" is more than 365d [BadDuration]"}},
        Case{
            "NoInterval",
            WithOptions("{interval: soon}"),
            {"6:21: options.interval: \"soon\" is not a duration such as 200ms, 30s, 5m, 1h or 90d "
             "[BadDuration]"}},
        Case{"IntervalAsNumber",
             WithOptions("{interval: 30}"),
             {"6:21: options.interval: expected a duration such as \"30s\", found an integer "
              "[WrongType]"}},
        Case{"FlagAsText",
             WithOptions("{protect: yes}"),
             {"6:20: options.protect: expected a boolean, found a string \"yes\"; write true or "
              "false [WrongType]"}},
        Case{"FlagAsNumber",
             WithOptions("{suspend: 1}"),
             {"6:20: options.suspend: expected a boolean, found an integer [WrongType]"}},
        Case{"BadProvider",
             WithOptions("{provider: \"a b\"}"),
             {"6:21: options.provider: \"a b\" is not the name of a provider [BadName]"}},
        Case{"EmptyProvider",
             WithOptions("{provider: \"\"}"),
             {"6:21: options.provider: \"\" is not the name of a provider [BadName]"}},
        Case{
            "RareOnes",
            Policy() + "options:\n"
                       "  dependsOn: [B, 1]\n"
                       "  ignoreChanges: [binding, \"bindings[x]\", \"bindings[0].principal\"]\n"
                       "  import: \" \"\n"
                       "  aliases: [a, -]\n"
                       "  customTimeouts: {create: 10ms, update: 25h, read: 1m}\n",
            {"7:15: options.dependsOn[0]: name \"B\" must consist of lower-case letters, digits, "
             "'-' and '.', and begin and end with a letter or digit [BadName]",
             "7:18: options.dependsOn[1]: expected a string, found an integer; put \"1\" in quotes "
             "[WrongType]",
             "8:19: options.ignoreChanges[0]: unknown field \"binding\", did you mean "
             "\"bindings\"? [UnknownField]",
             "8:28: options.ignoreChanges[1]: \"bindings[x]\" is not the path of a field such as "
             "\"bindings[0].principals\": an index such as [0] or a name such as [\"odd.name\"] is "
             "expected here [BadPath]",
             "8:43: options.ignoreChanges[2]: unknown field "
             "\"principal\", did you mean \"principals\"? [UnknownField]",
             "9:11: options.import: must not be empty [EmptyValue]",
             "10:13: options.aliases[0]: \"a\" is the name of this manifest: an alias is a former "
             "one [BadAlias]",
             "10:16: options.aliases[1]: name \"-\" must consist of lower-case letters, digits, "
             "'-' and '.', and begin and end with a letter or digit [BadName]",
             "11:28: options.customTimeouts.create: \"10ms\" is less than 1s [BadDuration]",
             "11:42: options.customTimeouts.update: \"25h\" is more than 24h [BadDuration]",
             "11:47: options.customTimeouts.read: unknown field \"read\"; known are \"create\", "
             "\"update\" and \"delete\" "
             "[UnknownField]"}},
        Case{"IgnoredIdentity",
             Policy() + "options: {ignoreChanges: [resourceId, \"bindings[0].relation\"]}\n",
             {"6:27: options.ignoreChanges[0]: \"resourceId\" says which resource it is: a change "
              "of "
              "it cannot be ignored [BadPath]"}},
        Case{"IgnoredPlaceInASet",
             Policy() + "options: {ignoreChanges: [\"bindings[0].principals[1]\"]}\n",
             {"6:27: options.ignoreChanges[0]: \"bindings[0].principals[1]\" is one of a set, in "
              "which no place means anything: ignore all of \"principals\" [BadPath]"}}),
    NameOfCase);

// --- the spec as such ---------------------------------------------------------------------------

INSTANTIATE_TEST_SUITE_P(
    Spec, LoaderReports,
    ::testing::Values(
        Case{"Missing", WithSpec(""), {"1:1: spec: required field is missing [MissingField]"}},
        Case{"Null",
             WithSpec("spec:"),
             {"4:1: spec: expected a map, found nothing; its fields are on the lines below, "
              "indented further [WrongType]"}},
        Case{
            "Text", WithSpec("spec: x"), {"4:7: spec: expected a map, found a string [WrongType]"}},
        Case{"MissingFields",
             WithSpec("spec: {}"),
             {"4:7: spec.resourceId: required field is missing [MissingField]"}},
        Case{"MisspelledFieldIsNotMissingToo",
             WithSpec("spec: {resource_id: a, bindings: []}"),
             {"4:8: spec.resource_id: unknown field \"resource_id\", did you mean \"resourceId\"? "
              "[UnknownField]",
              "4:34: spec.bindings: no bindings: the resource is open to everyone in the "
              "organization "
              "[EmptyPolicy, warning]"}},
        Case{"UnknownField",
             WithSpec("spec: {resourceId: \"monitor:1\", bindings: [], members: []}"),
             {"4:43: spec.bindings: no bindings: the resource is open to everyone in the "
              "organization "
              "[EmptyPolicy, warning]",
              "4:47: spec.members: unknown field \"members\"; known are \"resourceId\" and "
              "\"bindings\" [UnknownField]"}},
        Case{"Output",
             WithSpec("spec: {resourceId: \"monitor:1\", bindings: [], id: x}"),
             {"4:43: spec.bindings: no bindings: the resource is open to everyone in the "
              "organization [EmptyPolicy, warning]",
              "4:47: spec.id: \"id\" is an output of the kind: it cannot be declared "
              "[UnknownField]"}},
        Case{"NullField",
             WithSpec("spec: {resourceId: ~, bindings: []}"),
             {"4:20: spec.resourceId: expected a string, found nothing [WrongType]",
              "4:33: spec.bindings: no bindings: the resource is open to everyone in the "
              "organization "
              "[EmptyPolicy, warning]"}},
        Case{"MapAsText",
             WithSpec("spec: {resourceId: {a: b}, bindings: []}"),
             {"4:20: spec.resourceId: expected a string, found a map; write \"a:b\" without a "
              "space after the colon [WrongType]",
              "4:38: spec.bindings: no bindings: the resource is open to everyone in the "
              "organization "
              "[EmptyPolicy, warning]"}}),
    NameOfCase);

}  // namespace
}  // namespace bindery::manifests
