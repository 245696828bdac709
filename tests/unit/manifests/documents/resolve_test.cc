// Values in the place of references.

#include "manifests/documents/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"
#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kGiven = R"({"text": "editor", "number": 7, "half": 0.5, "yes": true,
  "nothing": null, "id": "abc-def-ghi", "list": ["org:1", "team:2"], "numbers": [1],
  "binding": {"relation": "viewer", "principals": ["org:1"]}, "odd key": {"x": "y"},
  "dollar": "${me.text}"})";

/// A manifest of the kind that is used here, with the spec as JSON.
std::shared_ptr<const Manifest> Made(const std::string& spec) {
  FileContent content =
      Load(R"({"apiVersion": "monitoring", "kind": "RestrictionPolicy", "metadata": {"name": "a"},)"
           "\n \"spec\": " +
               spec + "}",
           "teams/a.json");
  return content.manifests.empty() ? nullptr : content.manifests.front();
}

/// The manifest resolved; `me` gives kGiven.
tl::expected<std::shared_ptr<const Manifest>, ManifestError> ResolveIt(const Manifest& manifest) {
  return Resolve(
      manifest, datadog::RestrictionPolicySchema(),
      [](const std::string& name) { return name == "me" || name == "team.me"; },
      [](const std::string& name) -> Expected<Json> {
        if (name == "later") return Fail(Code::kUnavailable, "\"later\" was not read yet");
        if (name == "bad") return Fail(Code::kPermissionDenied, "not for you");
        return ParseJson(kGiven);
      });
}

struct ValueCase {
  const char* spec;
  const char* resolved;
};

void PrintTo(const ValueCase& tested, std::ostream* out) { *out << tested.spec; }

class Resolution : public ::testing::TestWithParam<ValueCase> {};

TEST_P(Resolution, PutsValuesInTheirPlace) {
  const auto manifest = Made(GetParam().spec);
  ASSERT_NE(manifest, nullptr);
  const auto resolved = ResolveIt(*manifest);
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_EQ((*resolved)->spec, GetParam().resolved);
  EXPECT_EQ((*resolved)->references, nullptr);
  EXPECT_EQ((*resolved)->name, "a");
  EXPECT_EQ((*resolved)->source, manifest->source);
  EXPECT_NE((*resolved)->digest, manifest->digest);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Resolution,
    ::testing::Values(
        ValueCase{R"({"resourceId": "dashboard:${me.id}", "bindings": []})",
                  R"({"bindings":[],"resourceId":"dashboard:abc-def-ghi"})"},
        ValueCase{R"({"resourceId": "a:${me.number}-${me.half}-${me.yes}", "bindings": []})",
                  R"({"bindings":[],"resourceId":"a:7-0.5-true"})"},
        ValueCase{R"({"resourceId": "a:1", "bindings": [{"relation": "${me.text}",
                      "principals": "${me.list}"}]})",
                  R"({"bindings":[{"principals":["org:1","team:2"],"relation":"editor"}],)"
                  R"("resourceId":"a:1"})"},
        ValueCase{R"({"resourceId": "a:1", "bindings": ["${me.binding}"]})",
                  R"({"bindings":[{"principals":["org:1"],"relation":"viewer"}],)"
                  R"("resourceId":"a:1"})"},
        ValueCase{R"({"resourceId": "a:1", "bindings": [{"relation": "x", "principals":
                      ["${me.list[1]}", "${me.binding.principals[0]}"]}]})",
                  R"({"bindings":[{"principals":["team:2","org:1"],"relation":"x"}],)"
                  R"("resourceId":"a:1"})"},
        ValueCase{R"({"resourceId": "a:${me[\"odd key\"].x}$${z}", "bindings": []})",
                  R"({"bindings":[],"resourceId":"a:y${z}"})"},
        // What a value holds is no template.
        ValueCase{R"({"resourceId": "a:${me.dollar}", "bindings": []})",
                  R"({"bindings":[],"resourceId":"a:${me.text}"})"},
        ValueCase{R"({"resourceId": "a:${team.me.id}${[\"team.me\"].text}", "bindings": []})",
                  R"({"bindings":[],"resourceId":"a:abc-def-ghieditor"})"}));

struct FaultCase {
  const char* spec;
  Code code;
  const char* message;
};

void PrintTo(const FaultCase& tested, std::ostream* out) { *out << tested.spec; }

class ResolutionFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(ResolutionFaults, AreToldWithTheirField) {
  const auto manifest = Made(GetParam().spec);
  ASSERT_NE(manifest, nullptr);
  const auto resolved = ResolveIt(*manifest);
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().code, GetParam().code);
  EXPECT_EQ(resolved.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ResolutionFaults,
    ::testing::Values(
        FaultCase{R"({"resourceId": "a:${later.id}", "bindings": []})", Code::kUnavailable,
                  "\"later\" was not read yet"},
        FaultCase{R"({"resourceId": "a:${bad.id}", "bindings": []})", Code::kPermissionDenied,
                  "not for you"},
        FaultCase{R"({"resourceId": "a:${me.other.x}", "bindings": []})", Code::kUnavailable,
                  "\"me\" does not give \"other.x\" yet, which spec.resourceId refers to"},
        FaultCase{R"({"resourceId": "a:${me.nothing}", "bindings": []})", Code::kUnavailable,
                  "\"me\" does not give \"nothing\" yet, which spec.resourceId refers to"},
        FaultCase{R"({"resourceId": "a:${me.list[2]}", "bindings": []})", Code::kUnavailable,
                  "\"me\" does not give \"list[2]\" yet, which spec.resourceId refers to"},
        FaultCase{R"({"resourceId": "a:${me.text.x}", "bindings": []})", Code::kUnavailable,
                  "\"me\" does not give \"text.x\" yet, which spec.resourceId refers to"},
        FaultCase{R"({"resourceId": "a:${me}", "bindings": []})", Code::kInvalidArgument,
                  "teams/a.json:2:28: spec.resourceId: ${me} names no field: write ${NAME.FIELD}"},
        FaultCase{
            R"({"resourceId": "a:${me.list}", "bindings": []})", Code::kInvalidArgument,
            "teams/a.json:2:28: spec.resourceId: ${me.list} is a list: it cannot be part of a "
            "text, only alone"},
        FaultCase{R"({"resourceId": "${me.number}", "bindings": []})", Code::kInvalidArgument,
                  "teams/a.json:2:26: spec.resourceId: expected a string, found an integer"},
        FaultCase{R"({"resourceId": "${me.text}", "bindings": "${me.number}"})",
                  Code::kInvalidArgument,
                  "teams/a.json:2:52: spec.bindings: expected a list, found an integer; "
                  "teams/a.json:2:26: spec.resourceId: \"editor\" is not of the form TYPE:ID, for "
                  "example \"dashboard:abc-def-ghi\""},
        FaultCase{R"({"resourceId": "a:1", "bindings": [{"relation": "x", "principals":
                      "${me.numbers}"}]})",
                  Code::kInvalidArgument,
                  "teams/a.json:3:24: spec.bindings[0].principals[0]: expected a string, found an "
                  "integer"},
        FaultCase{
            R"({"resourceId": "a:1", "bindings": ["${me.binding}", "${me.binding}"]})",
            Code::kInvalidArgument,
            "teams/a.json:2:63: spec.bindings[1].relation: relation \"viewer\" is declared twice "
            "(first in bindings[0]): list all its principals in one binding"}));

TEST(Resolve, TellsEachFaultAtItsOwnPlace) {
  const auto manifest = Made(
      R"({"resourceId": "${me.text}", "bindings": [{"relation": "a", "principals": "${me.text}"}]})");
  const auto resolved = ResolveIt(*manifest);
  ASSERT_FALSE(resolved);
  std::vector<std::string> places;
  for (const Problem& problem : resolved.error().problems) {
    EXPECT_EQ(problem.resource, "a");
    places.push_back(std::to_string(problem.line) + ":" + std::to_string(problem.column) + " " +
                     problem.path + " " + problem.code);
  }
  EXPECT_THAT(places, ElementsAre("2:85 spec.bindings[0].principals WrongType",
                                  "2:26 spec.resourceId BadResourceId"));
}

TEST(Resolve, LeavesAManifestWithoutReferencesAsItIs) {
  const auto manifest = Made(R"({"resourceId": "a:$${x}", "bindings": []})");
  const auto resolved = ResolveIt(*manifest);
  ASSERT_TRUE(resolved);
  EXPECT_EQ((*resolved)->digest, manifest->digest);
  EXPECT_EQ((*resolved)->spec, manifest->spec);
}

TEST(Resolve, AsksForEachManifestOnce) {
  const auto manifest =
      Made(R"({"resourceId": "a:${me.id}${me.text}", "bindings": "${other.list}"})");
  int asked = 0;
  const auto resolved = Resolve(
      *manifest, datadog::RestrictionPolicySchema(), [](const std::string&) { return false; },
      [&](const std::string&) -> Expected<Json> {
        ++asked;
        return ParseJson(R"({"id": "1", "text": "2", "list": []})");
      });
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_EQ(asked, 2);
}

TEST(Resolve, GivesEqualDigestsForEqualOutcomesOfOneTemplate) {
  const auto one = Made(R"({"resourceId": "a:${me.id}", "bindings": []})");
  const auto other = Made(R"({"resourceId": "${me.kind}:abc-def-ghi", "bindings": []})");
  EXPECT_EQ((*ResolveIt(*one))->digest, (*ResolveIt(*one))->digest);
  const auto resolved = Resolve(
      *other, datadog::RestrictionPolicySchema(), [](const std::string&) { return true; },
      [](const std::string&) -> Expected<Json> { return ParseJson(R"({"kind": "a"})"); });
  ASSERT_TRUE(resolved);
  EXPECT_EQ((*resolved)->spec, (*ResolveIt(*one))->spec);
  EXPECT_NE((*resolved)->digest, (*ResolveIt(*one))->digest);
}

TEST(Resolve, RefusesWhatGrowsTooLarge) {
  const auto manifest = Made(R"({"resourceId": "a:${me.big}", "bindings": []})");
  const auto resolved = Resolve(
      *manifest, datadog::RestrictionPolicySchema(), [](const std::string&) { return true; },
      [](const std::string&) -> Expected<Json> {
        return Json{{"big", std::string(2U << 20U, 'x')}};
      });
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().code, Code::kInvalidArgument);
  EXPECT_THAT(resolved.error().message, HasSubstr("teams/a.json:1:1: spec: document is larger"));
}

}  // namespace
}  // namespace bindery::manifests
