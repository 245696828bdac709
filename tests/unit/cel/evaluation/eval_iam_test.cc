// What IAM adds: date, extract, hasOnly; whole conditions.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalIam, DatesAreMidnightInUtc) {
  Check({
      {"date('2026-11-21')", "timestamp(\"2026-11-21T00:00:00Z\")"},
      {"date('2026-02-30')", "error: invalid date \"2026-02-30\""},
      {"date('2026-11-21T00:00:00Z')", "error: invalid date"},
      {"date('0000-01-01')", "error: timestamp out of range"},
      {"date(1)", "error: no such overload: date(int)"},
  });
}

TEST(EvalIam, ExtractTakesWhatIsBetweenPrefixAndSuffix) {
  Activation activation;
  activation.Set("n", Value(std::string("projects/_/buckets/acme/objects/a/objects/b")));
  Check(
      {
          {"n.extract('buckets/{name}/objects')", "\"acme\""},
          {"n.extract('objects/{rest}')", "\"a/objects/b\""},
          {"n.extract('{all}')", "\"projects/_/buckets/acme/objects/a/objects/b\""},
          {"n.extract('{first}/buckets')", "\"projects/_\""},
          {"n.extract('objects/{x}/objects/')", "\"a\""},
          {"n.extract('zones/{z}/')", "\"\""},
          {"n.extract('buckets/{b}/zones')", "\"\""},
          {"n.extract('buckets/')", "error: invalid argument: extract"},
          {"n.extract('a/{}/b')", "error: invalid argument: extract"},
          {"n.extract('a/{b-c}/b')", "error: invalid argument: extract"},
          {"n.extract('}{')", "error: invalid argument: extract"},
      },
      activation);
}

TEST(EvalIam, HasOnlyAllowsNothingElse) {
  Check({
      {"['a', 'b'].hasOnly(['b', 'c', 'a'])", "true"},
      {"['a', 'd'].hasOnly(['b', 'c', 'a'])", "false"},
      {"[].hasOnly(['a'])", "true"},
      {"['a'].hasOnly([])", "false"},
      {"'a'.hasOnly(['a'])", "error: no such overload: hasOnly(string, list)"},
  });
}

TEST(EvalIam, ConditionsOfPractice) {
  Activation activation = IamActivation();
  activation.Set("request.time", Value(*ParseTimestamp("2026-11-21T10:20:30Z")));  // A Saturday.
  activation.Set("resource.name", Value(std::string("projects/_/buckets/acme-logs")));
  activation.SetFunction("api.getAttribute", [](std::span<const Value> args) {
    return Outcome(args.size() == 2 ? args[1] : Value());
  });
  Check(
      {
          {"request.time < timestamp('2027-01-01T00:00:00Z')", "true"},
          {"request.time.getHours('Europe/Berlin') >= 9 && "
           "request.time.getHours('Europe/Berlin') <= 17 && "
           "request.time.getDayOfWeek('Europe/Berlin') >= 1 && "
           "request.time.getDayOfWeek('Europe/Berlin') <= 5",
           "false"},
          {"resource.name.startsWith('projects/_/buckets/acme-')", "true"},
          {"resource.name.startsWith('projects/') && resource.type == 'x'",
           "unknown: resource.type"},
          {"api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', [])"
           ".hasOnly(['roles/viewer'])",
           "true"},
          {"request.time < timestamp('not a time')", "error: invalid timestamp"},
          {"request.time - timestamp('2026-11-21T10:20:00Z') < duration('60s')", "true"},
      },
      activation);
}

}  // namespace
}  // namespace bindery::cel
