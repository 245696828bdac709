// Each value of valid inputs in another type, and each key in another form: the output stays the
// same, or what the place says is reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/text/ascii.h"
#include "core/text/glob.h"
#include "unit/convert/exports.h"
#include "unit/convert/samples.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::convert {
namespace {

using ::testing::IsEmpty;

/// A change of one place of a document.
struct Mutation {
  std::string place;  ///< "resources[0].type"
  std::string key;    ///< The last key of the place.
  std::string change;
  Json document;
};

/// A change that may go unreported.
struct Allowance {
  const char* sample;  ///< A pattern.
  const char* place;   ///< A pattern.
  const char* change;  ///< A pattern.
  const char* why;
};

std::string WriteText(const Sample& sample, const Json& document) {
  if (!sample.yaml) return document.dump(1);
  if (!document.is_array()) return yaml::ToYaml(document);
  std::string text;
  for (const Json& one : document) text += "---\n" + yaml::ToYaml(one);
  return text;
}

std::string DescribeOutput(const Conversion& made) {
  std::string text = ManifestsOf(made);
  for (const HeldClaim& claim : made.held) text += "held: " + claim.origin + "\n";
  return text;
}

class Mutations {
 public:
  /// `visit`: gets the value of each place, the key of the place and the place; adds mutations.
  using Visit = std::function<void(Json&, const std::string&, const std::string&)>;

  // NOLINTNEXTLINE(misc-no-recursion): as deep as a sample
  static void Walk(Json& value, const std::string& key, const std::string& place,
                   const Visit& visit) {
    if (!place.empty()) visit(value, key, place);
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        Walk(value[i], key, place + "[" + std::to_string(i) + "]", visit);
      }
    }
    if (!value.is_object()) return;
    std::vector<std::string> keys;
    for (const auto& entry : value.items()) keys.push_back(entry.key());
    for (const std::string& one : keys) {
      Walk(value[one], one, place + (place.empty() ? "" : ".") + one, visit);
    }
  }
};

std::vector<Mutation> ListWrongTypes(const Sample& sample) {
  const Json wrong[] = {7, "zz", Json::array({"zz"}), {{"zz", "zz"}}, nullptr, true};
  Json document = ParseJson(sample.text).value();
  std::vector<Mutation> made;
  Mutations::Walk(
      document, "", "", [&](Json& value, const std::string& key, const std::string& place) {
        const Json before = value;
        for (const Json& other : wrong) {
          const bool same_type =
              other.type() == before.type() || (other.is_number() && before.is_number());
          if (same_type) continue;
          value = other;
          made.push_back({place, key, other.dump(), document});
        }
        value = before;
      });
  return made;
}

/// Each key with another case of its first letter, and a further key in each map.
std::vector<Mutation> ListWrongKeys(const Sample& sample) {
  Json document = ParseJson(sample.text).value();
  std::vector<Mutation> made;
  const auto visit = [&](Json& value, const std::string& /*key*/, const std::string& place) {
    if (!value.is_object()) return;
    const Json before = value;
    value["zzz"] = 7;
    made.push_back({place, "zzz", "a further key", document});
    for (const auto& entry : before.items()) {
      std::string other = entry.key();
      if (!std::isalpha(static_cast<unsigned char>(other[0]))) continue;
      other[0] = static_cast<char>(static_cast<unsigned char>(other[0]) ^ 0x20U);
      value = Json::object();
      for (const auto& each : before.items()) {
        value[each.key() == entry.key() ? other : each.key()] = each.value();
      }
      made.push_back({place, other, "another case of " + entry.key(), document});
    }
    value = before;
  };
  Mutations::Walk(document, "", "", visit);
  if (document.is_object()) visit(document, "", "");
  return made;
}

bool IsAllowed(const Sample& sample, const Mutation& mutation,
               const std::vector<Allowance>& allowed) {
  return std::ranges::any_of(allowed, [&](const Allowance& one) {
    return MatchesGlob(one.sample, sample.name) && MatchesGlob(one.place, mutation.place) &&
           MatchesGlob(one.change, mutation.change);
  });
}

/// Tools spell the same key in different ways.
std::string Spelled(const std::string& text) {
  std::string spelled = AsciiLower(text);
  std::erase(spelled, '_');
  return spelled;
}

/// Whether a line names the key of the place, or what stands there.
bool IsNamed(const std::vector<std::string>& lines, const Mutation& mutation) {
  return std::ranges::any_of(lines, [&](const std::string& line) {
    return Spelled(line).find(Spelled(mutation.key)) != std::string::npos ||
           line.find("zz") != std::string::npos ||
           (!mutation.place.empty() && line.find(mutation.place) != std::string::npos);
  });
}

std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

/// Why a mutation passes in silence; empty: it does not.
std::string FindSilence(const Sample& sample, const Mutation& mutation, const std::string& before,
                        bool same_is_enough) {
  const std::string where = std::string(sample.name) + ": " + mutation.place + " = " +
                            mutation.change + " (" + mutation.key + ")";
  const auto made = ConvertedFile(WriteText(sample, mutation.document), sample.file, sample.target);
  if (!made) return where + " is refused: " + made.error().message;
  const std::vector<std::string> left_out = LeftOut(*made);
  if (IsNamed(left_out, mutation)) return "";
  const bool same = DescribeOutput(*made) == before;
  if (same && same_is_enough) return "";
  if (left_out.empty()) return where + (same ? " is not reported" : " changes the output");
  return where + " is not named:" + JoinLines(left_out);
}

void ExpectNoSilence(std::vector<Mutation> (*list)(const Sample&), bool same_is_enough,
                     const std::vector<Allowance>& allowed) {
  for (const Sample& sample : ListSamples()) {
    const auto valid = ConvertedFile(WriteText(sample, ParseJson(sample.text).value()), sample.file,
                                     sample.target);
    ASSERT_TRUE(valid.has_value()) << sample.name << ": " << valid.error().message;
    EXPECT_THAT(LeftOut(*valid), IsEmpty()) << sample.name;
    EXPECT_GT(valid->drafts.size(), 0U) << sample.name;
    const std::string before = DescribeOutput(*valid);
    for (const Mutation& mutation : list(sample)) {
      if (IsAllowed(sample, mutation, allowed)) continue;
      EXPECT_EQ(FindSilence(sample, mutation, before, same_is_enough), "");
    }
  }
}

TEST(WrongTypes, AreReportedOrChangeNothing) {
  const std::vector<Allowance> allowed = {
      // The file is refused, with exit code 2.
      {"*", "version", "*", "the version tells the format"},
      {"*", "format_version", "*", "the version tells the format"},
      {"results*", "[0]", "*", "the first result tells the format"},
      {"Config Connector", "[0]", "*", "a manifest is a map"},
      // Other values that mean something.
      {"state", "*.index_key", "7", "the key of an instance by count is a number"},
      {"shown state", "*.index", "7", "likewise"},
      {"plan", "*.index", "7", "likewise"},
      {"checkpoint", "checkpoint.latest", "null", "likewise of a checkpoint"},
      {"program", "*", "null", "Pulumi takes a key without a value as absent"},
      {"program", "variables.me*", "*", "reported: what nothing refers to grants nothing"},
      {"program", "*.properties.project", "7", "Pulumi takes a number as a text"},
      {"program", "*.properties.topic", "7", "Pulumi takes a number as a text"},
      {"program", "*.aliases[0]", "?zz?", "an alias may be a text"},
      {"stack", "deployment", "null", "Pulumi writes null for a stack that was never updated"},
      {"* in YAML", "[?]", "null", "an empty document holds nothing"},
      {"Config Connector", "[?]", "null", "an empty document holds nothing"},
      {"state", "*.sensitive_attributes*.value", "*", "then all of the resource is sensitive"},
      {"Config Connector", "[4].spec", "null", "Kubernetes takes it as absent"},
      {"Config Connector", "*.metadata.labels", "null", "Kubernetes takes it as an empty map"},
      {"Config Connector", "*.metadata.annotations", "null", "Kubernetes takes it as an empty map"},
      // Null is the value of an attribute that is not set.
      {"state", "*.attributes.*", "null", "Terraform writes null so"},
      {"shown state", "*.values.*", "null", "Terraform writes null so"},
      {"configuration", "*", "null", "Terraform reads null so"},
      // True hides the value: the resource is left out, by its address.
      {"shown state", "*.sensitive_values*", "true", "a mark of all below"},
      {"plan", "*.after_unknown*", "true", "a mark of all below"},
      {"plan", "*.after_sensitive*", "true", "a mark of all below"},
      {"configuration", "provider.google", "{*", "a provider without a project"},
      {"configuration", "*.project", "7", "Terraform takes a number as a text"},
      {"configuration", "*.topic", "7", "Terraform takes a number as a text"},
      {"configuration", "variable.who.default", "*", "reported where the variable is used"},
      {"configuration", "*.lifecycle.prevent_destroy", "*", "reported as options.protect"},
  };
  ExpectNoSilence(&ListWrongTypes, true, allowed);
}

TEST(WrongKeys, AreReported) {
  const std::vector<Allowance> allowed = {
      {"*", "", "another case*", "the file is refused, with exit code 2, if its format is lost"},
      // Sections without access.
      {"state", "outputs*", "*", "outputs grant nothing"},
      {"state", "resources[4]*", "*", "a data source"},
      {"state", "*.instances[1]*", "*", "a deposed instance"},
      {"state", "*.sensitive_attributes*", "*", "steps of paths: the attribute counts as a whole"},
      {"state", "resources[3].instances[0].attributes", "*", "a resource without access"},
      {"shown state", "values.outputs*", "*", "outputs grant nothing"},
      {"shown state", "*.child_modules[0].resources[1]*", "*", "a deposed instance"},
      {"shown state", "*.sensitive_values*", "another case*", "a mark of what is not there"},
      {"plan", "variables*", "*", "variables grant nothing"},
      {"plan", "configuration*", "*", "the configuration is not what exists"},
      {"plan", "output_changes*", "*", "outputs grant nothing"},
      {"plan", "resource_changes[0].change.before", "*", "what exists is read from the state"},
      {"plan", "*.after_*", "another case*", "a mark of what is not there"},
      {"stack", "deployment.manifest*", "*", "how the stack was written"},
      {"stack", "deployment.secrets_providers*", "*", "how secrets are kept"},
      {"stack", "deployment.metadata*", "*", "how the stack was written"},
      {"stack", "deployment.resources[0]*", "*", "a resource without access"},
      {"stack", "deployment.resources[1].inputs*", "*", "the outputs count"},
      {"stack", "deployment.resources[2]*", "*", "a resource that is to be deleted"},
      {"stack", "deployment.resources[3]*", "*", "a resource that is only read"},
      {"stack", "deployment.pending_operations[0].resource", "*", "the resource itself is read"},
      {"checkpoint", "checkpoint.config", "*", "configuration grants nothing"},
      {"checkpoint", "checkpoint.latest.manifest", "*", "how the stack was written"},
      {"checkpoint", "*.outputs", "another case of condition", "a key without a value"},
      {"program", "config", "*", "configuration grants nothing"},
      {"program", "config.gcp:project", "a further key", "a description"},
      {"program", "variables*", "*", "reported: what nothing refers to grants nothing"},
      {"program", "resources", "another case of *", "a name of a resource"},
      {"program", "resources.google.properties", "a further key", "providers have many settings"},
      {"results in YAML", "[0]", "another case of assetType", "without the format it is refused"},
      {"Config Connector", "*.metadata.labels", "*", "a label of any key is one"},
      {"Config Connector", "*.metadata.annotations", "*of example.com/x", "of another program"},
      {"Config Connector", "*.status", "*", "what the cluster says of the resource"},
      {"Config Connector", "[4].spec", "a further key", "a field of a topic"},
      {"Config Connector", "[6].metadata", "*", "a list has no name"},
      {"configuration", "provider.google[?]", "a further key", "providers have many settings"},
      // Names of their own.
      {"configuration", "provider", "a further key", "a provider"},
      {"configuration", "locals", "a further key", "a local value"},
      {"configuration", "resource.google_*", "another case of ?", "a name of a resource"},
      {"configuration", "resource.google_*", "another case of all", "a name of a resource"},
      {"configuration", "*.for_each", "*", "a key of an instance"},
      // Keys without a value.
      {"state", "*.attributes", "another case of condition", "an empty list"},
      {"plan", "*.change.after", "another case of condition", "an empty list"},
      {"shown state", "*.condition[0]", "another case of description", "an empty text"},
  };
  ExpectNoSilence(&ListWrongKeys, false, allowed);
}

}  // namespace
}  // namespace bindery::convert
