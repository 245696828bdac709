// Three-valued answers: what is unknown, and what is known not to be provided.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

Activation SomeKnown() {
  Activation activation = IamActivation();
  activation.Set("request.time", Value(Timestamp{1'795'256'430, 0}));
  activation.Set("resource.type", Value(std::string("storage.googleapis.com/Bucket")));
  activation.SetAbsent("destination.ip");
  return activation;
}

TEST(EvalUnknown, AnUnknownAttributeMakesTheValueUnknown) {
  Check(
      {
          {"resource.name", "unknown: resource.name"},
          {"resource.name == 'a'", "unknown: resource.name"},
          {"!resource.name.startsWith('a')", "unknown: resource.name"},
          {"resource.name == resource.service", "unknown: resource.name, resource.service"},
          {"size([resource.name])", "unknown: resource.name"},
          {"{'a': resource.name}.a", "unknown: resource.name"},
          {"resource.name == 'a' ? 1 : 2", "unknown: resource.name"},
          {"request.time.getFullYear() == 2026", "true"},
          {"request.auth.access_levels", "unknown: request.auth.access_levels"},
          {"'x' in request.auth.access_levels", "unknown: request.auth.access_levels"},
          {"has(request.auth.claims)", "unknown: request.auth.claims"},
          {"resource.name == 'a' || true", "true"},
      },
      SomeKnown());
}

TEST(EvalUnknown, ASideThatDecidesMakesUpForTheUnknown) {
  Check(
      {
          {"resource.name == 'a' && false", "false"},
          {"false && resource.name == 'a'", "false"},
          {"resource.name == 'a' || true", "true"},
          {"resource.name == 'a' && true", "unknown: resource.name"},
          {"resource.name == 'a' || false", "unknown: resource.name"},
          {"resource.name == 'a' || resource.service == 'b' || resource.name == 'c'",
           "unknown: resource.name, resource.service"},
          {"request.time < timestamp('2020-01-01T00:00:00Z') && resource.name == 'a'", "false"},
      },
      SomeKnown());
}

TEST(EvalUnknown, TheUnknownComesBeforeAFailure) {
  Check(
      {
          {"resource.name == 'a' && 1 / 0 == 1", "unknown: resource.name"},
          {"1 / 0 == 1 || resource.name == 'a'", "unknown: resource.name"},
          {"[resource.name, 1 / 0]", "unknown: resource.name"},
          {"1 / 0 == 1 ? resource.name : 'a'", "error: divide by zero"},
      },
      SomeKnown());
}

TEST(EvalUnknown, MacrosGatherWhatTheyDependOn) {
  Check(
      {
          {"['a', 'b'].exists(x, x == resource.name)", "unknown: resource.name"},
          {"['a', 'b'].exists(x, x == resource.name || x == 'b')", "true"},
          {"['a', 'b'].all(x, x == resource.name && x == 'a')", "false"},
          {"['a'].exists_one(x, x == resource.name)", "unknown: resource.name"},
          {"['a'].map(x, x + resource.name)", "unknown: resource.name"},
          {"['a'].filter(x, x == resource.name)", "unknown: resource.name"},
          {"[resource.name].exists(x, true)", "unknown: resource.name"},
      },
      SomeKnown());
}

TEST(EvalUnknown, FunctionsOfTheContextAreUnknownWithTheirArguments) {
  Check(
      {
          {"resource.matchTag('123/env', 'prod')",
           "unknown: resource.matchTag(\"123/env\", \"prod\")"},
          {"resource.hasTagKey('env') || true", "true"},
          {"api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', []).hasOnly(['roles/a'])",
           "unknown: api.getAttribute(\"iam.googleapis.com/modifiedGrantsByRole\", [])"},
          {"compute.isForwardingRuleCreationOperation()",
           "unknown: compute.isForwardingRuleCreationOperation()"},
          {"resource.hasTagKey(resource.name)", "unknown: resource.name"},
      },
      SomeKnown());
}

TEST(EvalUnknown, WhatIsNotProvidedDoesNotGrant) {
  Check(
      {
          {"destination.ip == '10.0.0.1'", "error: not provided: destination.ip"},
          {"destination.ip != '10.0.0.1'", "error: not provided: destination.ip"},
          {"!(destination.ip == '10.0.0.1')", "error: not provided: destination.ip"},
          {"destination.ip == '10.0.0.1' || true", "true"},
          {"destination.ip == '10.0.0.1' && false", "false"},
          {"has(destination.ip)", "false"},
          {"destination.ip == '10.0.0.1' || resource.name == 'a'", "unknown: resource.name"},
      },
      SomeKnown());
}

TEST(EvalUnknown, AllThatIsBeneathAPathIsAsThePath) {
  Activation activation;
  activation.SetUnknown("resource");
  activation.Set("resource.type", Value(std::string("t")));
  activation.SetAbsent("destination");
  Check(
      {
          {"resource.type", "\"t\""},
          {"resource.name", "unknown: resource.name"},
          {"resource.name.startsWith('a')", "unknown: resource.name"},
          {"resource.matchTag('a', 'b')", "unknown: resource"},
          {"has(resource.name)", "unknown: resource.name"},
          {"has(resource.type)", "true"},
          {"destination.ip == 'a'", "error: not provided: destination.ip"},
          {"has(destination.ip)", "false"},
      },
      activation);
}

}  // namespace
}  // namespace bindery::cel
