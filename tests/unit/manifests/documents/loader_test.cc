#include "manifests/documents/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "core/text/digest.h"
#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr const char* kIam = R"yaml(# Team payments.
apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata:
  name: payments-viewers
  labels: {team: payments, tier: "1"}
  annotations: {why: because}
spec:
  name: projects/acme/locations/global/authorizationPolicies/payments
  role: roles/networksecurity.viewer
  members: [user:ana@example.com, group:sre@example.com]
  condition:
    title: until-june
    expression: request.time < timestamp("2027-06-01T00:00:00Z")
options: {provider: real, mode: observe, interval: 90s, suspend: true, protect: true,
          retainOnDelete: true}
)yaml";

TEST(Loader, ReadsAManifest) {
  const FileContent content = Load(kIam, "teams/payments.yaml");
  EXPECT_THAT(ListProblems(content), IsEmpty());
  EXPECT_EQ(content.path, "teams/payments.yaml");
  EXPECT_EQ(content.digest, Sha256Hex(kIam));
  ASSERT_THAT(content.manifests, SizeIs(1));
  const Manifest& manifest = *content.manifests[0];
  EXPECT_EQ(manifest.name, "payments-viewers");
  EXPECT_EQ(manifest.token->Text(), "cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding");
  EXPECT_EQ(manifest.labels, R"({"team":"payments","tier":"1"})");
  EXPECT_EQ(manifest.annotations, R"({"why":"because"})");
  EXPECT_EQ(manifest.source.Text(), "teams/payments.yaml:2");
  EXPECT_EQ(
      manifest.spec,
      R"json({"condition":{"expression":"request.time < timestamp(\"2027-06-01T00:00:00Z\")",)json"
      R"("title":"until-june"},"members":["user:ana@example.com","group:sre@example.com"],)"
      R"("name":"projects/acme/locations/global/authorizationPolicies/payments",)"
      R"("role":"roles/networksecurity.viewer"})");
  Options options;
  options.provider = "real";
  options.mode = Mode::kObserve;
  options.interval = 90s;
  options.suspend = true;
  options.protect = true;
  options.retain_on_delete = true;
  EXPECT_EQ(manifest.options, options);
}

TEST(Loader, ReadsTheRareOptions) {
  const FileContent content = Load(Policy() +
                                   "options:\n"
                                   "  dependsOn: [b, c.d]\n"
                                   "  ignoreChanges: [\"bindings[0].principals\"]\n"
                                   "  import: dashboard:abc-def-ghi\n"
                                   "  aliases: [old]\n"
                                   "  customTimeouts: {create: 1s, update: 24h, delete: 5m}\n");
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  const Manifest& manifest = *content.manifests[0];
  const ExtraOptions& rare = manifest.options.extra_options();
  EXPECT_THAT(rare.depends_on, ElementsAre("b", "c.d"));
  EXPECT_THAT(rare.ignore_changes, ElementsAre("bindings[0].principals"));
  EXPECT_EQ(rare.import_id, "dashboard:abc-def-ghi");
  EXPECT_THAT(rare.aliases, ElementsAre("old"));
  EXPECT_EQ(rare.create_timeout, 1s);
  EXPECT_EQ(rare.update_timeout, 24h);
  EXPECT_EQ(rare.delete_timeout, 5min);
  ASSERT_THAT(rare.depends_on_at, SizeIs(2));
  EXPECT_EQ(rare.depends_on_at[1].line, 7);
  EXPECT_EQ(rare.depends_on_at[1].column, 18);
  EXPECT_TRUE(manifest.linked());
  EXPECT_NE(manifest.digest, Load(Policy()).manifests.at(0)->digest);
}

TEST(Loader, WhatIsOnlyReadAndHasNoResultsWaitsForNoOtherManifest) {
  KindSchema rule;
  rule.token = {"v1", "Rule"};
  rule.read_only = true;
  rule.inputs.Add(TextField("text", ""));
  const std::vector<const KindSchema*> kinds = {&rule};
  const std::string head = "apiVersion: v1\nkind: Rule\nmetadata: {name: a}\n";
  const FileContent good =
      LoadFile(head + "spec: {text: \"$${b.id}\"}\n", "a.yaml", ListedKinds(kinds));
  EXPECT_THAT(ListProblems(good), IsEmpty());
  const FileContent bad =
      LoadFile(head + "spec: {text: \"x ${b.id}\"}\noptions: {dependsOn: [b]}\n", "a.yaml",
               ListedKinds(kinds));
  EXPECT_THAT(
      ListProblems(bad),
      ElementsAre(::testing::HasSubstr("4:17: spec.text: \"${b.id}\": a manifest of the kind Rule"),
                  ::testing::HasSubstr("waits for no other manifest")));
  EXPECT_THAT(bad.manifests, IsEmpty());
}

TEST(Loader, ALookupTakesNoOptionOfWriters) {
  KindSchema lookup;
  lookup.token = {"v1", "getThing"};
  lookup.read_only = true;
  lookup.outputs.Add(Field());
  const std::vector<const KindSchema*> kinds = {&lookup};
  const std::string head = "apiVersion: v1\nkind: getThing\nmetadata: {name: a}\n";
  const FileContent good = LoadFile(
      head + "options: {dependsOn: [b], aliases: [c], provider: p, interval: 1m, suspend: true}\n",
      "a.yaml", ListedKinds(kinds));
  EXPECT_THAT(ListProblems(good), IsEmpty());
  EXPECT_THAT(good.manifests, SizeIs(1));
  const FileContent bad = LoadFile(head +
                                       "options:\n  mode: observe\n  protect: false\n"
                                       "  retainOnDelete: true\n  ignoreChanges: [x]\n"
                                       "  import: x\n  customTimeouts: {create: 1m}\n"
                                       "  expired: keep\n",
                                   "a.yaml", ListedKinds(kinds));
  std::vector<std::string> wanted;
  int line = 4;
  for (const char* name : {"mode", "protect", "retainOnDelete", "ignoreChanges", "import",
                           "customTimeouts", "expired"}) {
    wanted.push_back(std::to_string(++line) + ":3: options." + name + ": option \"" + name +
                     "\" has no meaning for a lookup: it reads and never writes [Unsupported]");
  }
  EXPECT_EQ(ListProblems(bad), wanted);
}

TEST(Loader, WhatExpiresMayBeTakenOutWhereThereAreConditions) {
  const std::string text = kIam;
  const std::string before = text.substr(0, text.find("options:"));
  const FileContent remove = Load(before + "options: {expired: remove}\n");
  ASSERT_THAT(remove.manifests, SizeIs(1));
  EXPECT_TRUE(remove.manifests[0]->options.remove_expired);
  EXPECT_FALSE(Load(before + "options: {expired: keep}\n").manifests.at(0)->options.remove_expired);
  EXPECT_THAT(
      ListProblems(Load(Policy() + "options: {expired: keep}\n")),
      ::testing::ElementsAre(::testing::HasSubstr(
          "option \"expired\" has no meaning for RestrictionPolicy: it has no conditions")));
}

TEST(Loader, RareOptionsWithoutContentAreNone) {
  const FileContent content =
      Load(Policy() + "options: {dependsOn: [], aliases: [], customTimeouts: {}}\n");
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->options.rare, nullptr);
  EXPECT_FALSE(content.manifests[0]->linked());
  EXPECT_EQ(content.manifests[0]->digest, Load(Policy()).manifests.at(0)->digest);
}

TEST(Loader, OptionsAreAbsentUnlessWritten) {
  const FileContent content = Load(Policy());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->options, Options{});
  const FileContent enforced = Load(Policy() + "options: {mode: enforce}\n");
  ASSERT_THAT(enforced.manifests, SizeIs(1));
  EXPECT_EQ(enforced.manifests[0]->options.mode, Mode::kEnforce);
}

TEST(Loader, ATextWithoutDocumentsHoldsNothing) {
  for (const char* text : {"", "\n", "# nothing yet\n", "---\n---\n", "\xEF\xBB\xBF"}) {
    const FileContent content = Load(text);
    EXPECT_THAT(content.manifests, IsEmpty()) << text;
    EXPECT_THAT(content.problems, IsEmpty()) << text;
  }
  EXPECT_THAT(Load("", "a.json").problems, IsEmpty());
}

TEST(Loader, TellsAFileThatWasEmptiedFromOneThatDeclaresNothing) {
  for (const char* text : {"", "\n", " \t\r\n", "\xEF\xBB\xBF"}) {
    EXPECT_TRUE(Load(text).blank) << text;
    EXPECT_TRUE(Load(text, "a.json").blank) << text;
  }
  for (const char* text :
       {"# nothing any more\n", "---\n", "---\n# gone\n---\n", "null\n", "~\n"}) {
    EXPECT_TRUE(Load(text).blank) << text;
  }
  EXPECT_FALSE(Load("{}").blank);
  EXPECT_FALSE(Load(Policy("one") + "---\n").blank);
}

TEST(Loader, ReadsSeveralDocuments) {
  const FileContent content =
      Load("---\n" + Policy("one") + "---\n# only this\n---\n" + Policy("two") + "---\n");
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(2));
  EXPECT_EQ(content.manifests[0]->source.line, 2);
  EXPECT_EQ(content.manifests[1]->name, "two");
  EXPECT_EQ(content.manifests[1]->source.line, 10);
}

TEST(Loader, ABadDocumentDoesNotHideTheGoodOnes) {
  const FileContent content = Load(Policy("one") + "---\na: [\n---\n" + Policy("B") + "---\n" +
                                   Policy("two") + "---\nx: 1\nx: 2\n---\n" + Policy("three"));
  ASSERT_THAT(content.manifests, SizeIs(3));
  EXPECT_EQ(content.manifests[0]->name, "one");
  EXPECT_EQ(content.manifests[1]->name, "two");
  EXPECT_EQ(content.manifests[2]->name, "three");
  EXPECT_THAT(
      ListProblems(content),
      ElementsAre(
          "7:4: not valid YAML: \"]\" is missing: what begins here is not closed [InvalidSyntax]",
          "11:18: metadata.name: name \"B\" must consist of lower-case letters, "
          "digits, '-' and '.', and begin and end with a letter or digit [BadName]",
          "22:1: x: duplicate key \"x\" (first on line 21) [DuplicateKey]"));
}

TEST(Loader, AProblemNamesItsResourceWhereThatCouldBeRead) {
  const FileContent content = Load(Policy("one") + "status: {}\n---\nkind: x\n");
  ASSERT_THAT(content.problems, SizeIs(3));
  EXPECT_EQ(content.problems[0].resource, "one");
  EXPECT_EQ(content.problems[0].Text(),
            "a.yaml:6:1: status: unknown field \"status\": a manifest declares, the status is kept "
            "by bindery; remove it");
  EXPECT_EQ(content.problems[1].resource, "");
  EXPECT_EQ(content.problems[1].severity, ProblemSeverity::kError);
}

TEST(Loader, WarningsDoNotKeepAManifestOut) {
  const FileContent content = Load(
      "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: a}\n"
      "spec:\n  resourceId: security_rule:x\n  bindings:\n"
      "  - {relation: anything, principals: [\"user:ana@example.com\"]}\n");
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_THAT(ListProblems(content),
              ElementsAre("5:15: spec.resourceId: unknown resource type \"security_rule\", did you "
                          "mean \"security-rule\"? [UnknownResourceType, warning]",
                          "7:39: spec.bindings[0].principals[0]: \"user:ana@example.com\" names an "
                          "e-mail address: principals are named by their UUID, which the lookup "
                          "getUser finds [UnlikelyPrincipal, warning]"));
}

TEST(Loader, ReadsJsonFiles) {
  const std::string text =
      "{\"apiVersion\": \"monitoring\",\n \"kind\": \"RestrictionPolicy\",\n"
      " \"metadata\": {\"name\": \"a\"},\n \"spec\": {\"resourceId\": \"monitor:1\",\n"
      "  \"bindings\": [{\"relation\": \"viewer\", \"principals\": [\"org:1\"]}]}}\n";
  const FileContent content = Load(text, "a.json");
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->source.Text(), "a.json:1");
  // JSON is YAML: the same manifest either way, wherever it stands.
  EXPECT_EQ(Load(text, "a.yaml").manifests.at(0)->digest, content.manifests[0]->digest);
}

TEST(Loader, ReportsProblemsOfJsonFilesWithTheirPlace) {
  EXPECT_THAT(
      ListProblems(Load("{\"apiVersion\": \"monitoring\", \"kind\": \"RestrictionPolicy\",\n"
                        " \"metadata\": {\"name\": \"a\"}, \"spec\": {\"resourceId\": 5}}",
                        "b.json")),
      ElementsAre("2:52: spec.resourceId: expected a string, found an integer; put \"5\" in "
                  "quotes [WrongType]"));
  EXPECT_THAT(ListProblems(Load("{\"a\": 1,}", "b.json")),
              ElementsAre("1:8: not valid JSON: a comma before \"}\": remove it, none follows the "
                          "last value [InvalidSyntax]"));
  EXPECT_THAT(ListProblems(Load("apiVersion: monitoring\n", "b.json")),
              ElementsAre("1:1: not valid JSON: this is YAML: give the file a name that ends in "
                          ".yaml [InvalidSyntax]"));
}

TEST(Loader, DoubledDollarsAreLiteral) {
  const std::string text =
      "apiVersion: cloudnative:backupdr/v1\nkind: ManagementServerIamBinding\n"
      "metadata: {name: a, labels: {x: \"$${y}\"}}\n"
      "spec:\n  name: locations/l/managementServers/m\n  role: roles/backupdr.viewer\n"
      "  members: [user:a@example.com]\n"
      "  condition: {title: \"a $${b} $ $$ $x {c}\", expression: \"'$$${d}' != ''\"}\n";
  const FileContent content = Load(text);
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->spec,
            R"({"condition":{"expression":"'$${d}' != ''","title":"a ${b} $ $$ $x {c}"},)"
            R"("members":["user:a@example.com"],"name":"locations/l/managementServers/m",)"
            R"("role":"roles/backupdr.viewer"})");
  EXPECT_EQ(content.manifests[0]->labels, R"({"x":"${y}"})");
}

TEST(Loader, EqualManifestsHaveEqualDigests) {
  const Sha256Digest digest = Load(Policy()).manifests.at(0)->digest;
  EXPECT_EQ(Load("# moved\n\n" + Policy(), "other/file.yml").manifests.at(0)->digest, digest);
  EXPECT_EQ(Load("spec: {bindings: [{principals: [\"org:1\"], relation: editor}], resourceId: "
                 "'dashboard:abc-def-ghi'}\nkind: RestrictionPolicy\nmetadata: {name: a, labels: "
                 "{}}\napiVersion: monitoring\noptions: {suspend: false}\n")
                .manifests.at(0)
                ->digest,
            digest);
  EXPECT_EQ(Load(Policy() + "options: {interval: 60s}\n").manifests.at(0)->digest,
            Load(Policy() + "options: {interval: 1m}\n").manifests.at(0)->digest);
}

TEST(Loader, EveryDifferenceChangesTheDigest) {
  std::set<Sha256Digest> digests;
  std::string other_spec = Policy();
  other_spec.replace(other_spec.find("editor"), 6, "viewer");
  std::string labelled = Policy();
  labelled.replace(labelled.find("{name: a}"), 9, "{name: a, labels: {x: y}}");
  std::string annotated = Policy();
  annotated.replace(annotated.find("{name: a}"), 9, "{name: a, annotations: {x: y}}");
  const std::vector<std::string> texts = {Policy(),
                                          Policy("b"),
                                          other_spec,
                                          labelled,
                                          annotated,
                                          Policy() + "options: {provider: p}\n",
                                          Policy() + "options: {mode: enforce}\n",
                                          Policy() + "options: {mode: observe}\n",
                                          Policy() + "options: {interval: 1m}\n",
                                          Policy() + "options: {suspend: true}\n",
                                          Policy() + "options: {protect: true}\n",
                                          Policy() + "options: {retainOnDelete: true}\n"};
  for (const std::string& text : texts) {
    const FileContent content = Load(text);
    ASSERT_THAT(content.manifests, SizeIs(1)) << text;
    EXPECT_TRUE(digests.insert(content.manifests[0]->digest).second) << text;
  }
}

TEST(Loader, GivesUpCountingProblemsAtAThousand) {
  std::string text = "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata:\n  name: a\n";
  for (int i = 0; i < 1500; ++i) text += "  q" + std::to_string(i) + ": 1\n";
  const FileContent content = Load(text);
  ASSERT_THAT(content.problems, SizeIs(1001));
  EXPECT_EQ(content.problems.back().Text(), "a.yaml: 501 more problems");
  EXPECT_EQ(content.problems.back().code, "TooManyProblems");
}

TEST(Problem, TextLeavesOutWhatIsUnknown) {
  Problem problem;
  problem.message = "it is wrong";
  EXPECT_EQ(problem.Text(), "it is wrong");
  problem.file = "a.yaml";
  EXPECT_EQ(problem.Text(), "a.yaml: it is wrong");
  problem.line = 3;
  EXPECT_EQ(problem.Text(), "a.yaml:3: it is wrong");
  problem.column = 4;
  problem.path = "spec.x";
  EXPECT_EQ(problem.Text(), "a.yaml:3:4: spec.x: it is wrong");
}

}  // namespace
}  // namespace bindery::manifests
