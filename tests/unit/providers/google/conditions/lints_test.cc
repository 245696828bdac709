#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/cel/trees.h"
#include "unit/providers/google/conditions/findings.h"

namespace bindery::google::conditions {
namespace {

using cel::Row;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

const std::string kDrg = "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', ";

TEST(CheckCondition, CountsLogicalOperators) {
  EXPECT_THAT(FindingsOf(Row("true", " || ", 13)), IsEmpty());
  EXPECT_THAT(FindingsOf("!" + Row("true", " && !", 13)), IsEmpty());
  EXPECT_THAT(FindingsOf(Row("true", " || ", 14)),
              ElementsAre("102: Logical operators count must not be more than 12 "
                          "[ConditionComplexityCheck]"));
  EXPECT_THAT(FindingsOf("'a && b || c' != '' // && true"), IsEmpty());
}

TEST(CheckCondition, HoldsHasOnlyAndItsDefaultToTheRules) {
  const Checked kCases[] = {
      {kDrg + "[]).hasOnly(['roles/a', 'roles/b'])", {}},
      {kDrg + "[]).hasOnly([resource.name])",
       {"73: hasOnly() takes a list of constants only [HasOnlyListConstCheck]"}},
      {kDrg + "[]).hasOnly(['a'] + ['b'])",
       {"73: hasOnly() takes a list of constants only [HasOnlyListConstCheck]"}},
      {kDrg + "[]).hasOnly([" + Row("'roles/r'", ", ", 10) + "])", {}},
      {kDrg + "[]).hasOnly([" + Row("'roles/r'", ", ", 11) + "])",
       {"73: the list of hasOnly() must not have more than 10 elements, it has 11 "
        "[HasOnlyListLengthCheck]"}},
      {kDrg + "['x']).hasOnly(['roles/a'])",
       {"61: the default value of iam.googleapis.com/modifiedGrantsByRole must be [] "
        "[DrgGetAttributeDefaultValueCheck]"}},
      {"api.getAttribute('other', 'x') == 'y'", {}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ElementsAreArray(one.findings)) << one.expression;
  }
}

TEST(CheckCondition, RefusesTimesThatNoCalendarHas) {
  for (const char* literal :
       {"timestamp('2027-13-01T00:00:00Z')", "timestamp('2027-02-30T00:00:00Z')",
        "timestamp('2027-04-31T12:00:00.5+02:00')", "timestamp('2027-01-01T25:00:00Z')",
        "timestamp('2027-01-01T10:61:00-01:00')", "date('2027-02-29')", "date('2027-00-10')"}) {
    const std::vector<Finding> findings =
        CheckCondition("request.time < " + std::string(literal) + " || resource.name == 'a'");
    ASSERT_EQ(findings.size(), 1U) << literal;
    EXPECT_EQ(findings.front().unit, "DateTimeCheck") << literal;
    EXPECT_EQ(findings.front().severity, Severity::kError) << literal;
  }
  EXPECT_THAT(FindingsOf("request.time < date('2027-02-29')"),
              ElementsAre("21: \"2027-02-29\" does not exist: no calendar and no clock has it "
                          "[DateTimeCheck]"));
  EXPECT_THAT(FindingsOf("request.time < date('2028-02-29')"), IsEmpty());
}

TEST(CheckCondition, WarnsOfTimesThatAreNone) {
  const Checked kCases[] = {
      {"request.time < timestamp('2027-13-01')",
       {"26: \"2027-13-01\" is not a time such as \"2027-06-01T00:00:00Z\": this part "
        "of the condition never grants [DateTimeCheck, warning]"}},
      {"request.time < timestamp('2027-06-01T00:00:00')",
       {"26: \"2027-06-01T00:00:00\" is not a time such as \"2027-06-01T00:00:00Z\": this part "
        "of the condition never grants [DateTimeCheck, warning]"}},
      {"request.time + duration('1 hour') < date('2027-01-01')",
       {"25: \"1 hour\" is not a duration such as \"3600s\": this part of the condition never "
        "grants [DateTimeCheck, warning]"}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ElementsAreArray(one.findings)) << one.expression;
  }
}

TEST(CheckCondition, WarnsOfTimeZonesThatDoNotExist) {
  const std::string end = ": this part of the condition never grants [DateTimeCheck, warning]";
  EXPECT_THAT(FindingsOf("request.time.getHours('Europe/Nowhere') < 9"),
              ElementsAre("23: unknown time zone \"Europe/Nowhere\"" + end));
  EXPECT_THAT(FindingsOf("date('2027-01-01').getDayOfWeek('CEST') == 1"),
              ElementsAre("33: unknown time zone \"CEST\"" + end));
  EXPECT_THAT(FindingsOf("(request.time + duration('1h')).getMinutes('+2:00') == 1"),
              ElementsAre("44: unknown time zone \"+2:00\"" + end));
  EXPECT_THAT(FindingsOf("request.time.getMilliseconds('localtime') == 1"),
              ElementsAre("30: unknown time zone \"localtime\"" + end));
  for (const char* zone : {"Europe/Berlin", "UTC", "+02:00", "-09:30", "02:00", "Etc/GMT+1"}) {
    EXPECT_THAT(FindingsOf("request.time.getHours('" + std::string(zone) + "') < 9"), IsEmpty())
        << zone;
  }
}

TEST(CheckCondition, WarnsOfExpiryWhenItKnowsTheTime) {
  const std::string until = "request.time < timestamp('2027-01-01T00:00:00Z')";
  CheckContext context;
  context.now = *cel::ParseTimestamp("2026-12-31T23:59:59Z");
  EXPECT_THAT(FindingsOf(until, context), IsEmpty());
  context.now = *cel::ParseTimestamp("2027-01-01T00:00:00Z");
  EXPECT_THAT(FindingsOf(until + " && resource.name == 'a'", context),
              ElementsAre("1: the condition is expired: it holds for no time after "
                          "2027-01-01T00:00:00Z [DateTimeCheck, warning]"));
  EXPECT_THAT(FindingsOf("request.time.getFullYear() < 2027", context),
              ElementsAre("1: the condition is expired: it holds for no time after "
                          "2027-01-01T00:00:00Z [DateTimeCheck, warning]"));
  EXPECT_THAT(FindingsOf("request.time.getFullYear() <= 2027", context), IsEmpty());
  EXPECT_THAT(FindingsOf(until + " || resource.name == 'a'", context), IsEmpty());
  EXPECT_THAT(FindingsOf(until), IsEmpty());
}

TEST(CheckCondition, HoldsGettersToTheirRanges) {
  const Checked kCases[] = {
      {"request.time.getMonth() == 12",
       {"28: The value being compared to the specified timestamp function (getMonth) must be in "
        "range [0, 11]. [DateTimeRangeCheck, warning]"}},
      {"7 > request.time.getDayOfWeek('Europe/Berlin')",
       {"1: The value being compared to the specified timestamp function (getDayOfWeek) must be "
        "in range [0, 6]. [DateTimeRangeCheck, warning]"}},
      {"request.time.getDate() in [1, 31, 0]",
       {"35: The value being compared to the specified timestamp function (getDate) must be in "
        "range [1, 31]. [DateTimeRangeCheck, warning]"}},
      {"request.time.getHours() < 24 && request.time.getMinutes() != -1",
       {"27: The value being compared to the specified timestamp function (getHours) must be in "
        "range [0, 23]. [DateTimeRangeCheck, warning]",
        "62: The value being compared to the specified timestamp function (getMinutes) must be in "
        "range [0, 59]. [DateTimeRangeCheck, warning]"}},
      {"request.time.getDayOfYear() <= 365 && request.time.getMilliseconds() >= 0", {}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ElementsAreArray(one.findings)) << one.expression;
  }
}

TEST(CheckCondition, WarnsOfEmptyAndFullRanges) {
  const std::string empty =
      "the effective time range is empty: no request.time satisfies this "
      "[EffectiveTimeRangeCheck, warning]";
  const std::string full =
      "the effective time range is full: every request.time satisfies this "
      "[EffectiveTimeRangeCheck, warning]";
  const Checked kCases[] = {
      {"request.time < date('2027-01-01') && request.time > date('2028-01-01')", {"1: " + empty}},
      {"request.time < date('2028-01-01') || request.time > date('2027-01-01')", {"1: " + full}},
      {"resource.name == 'a' && (request.time < date('2028-01-01') || "
       "!(request.time < date('2027-01-01')))",
       {"26: " + full}},
      {"request.time < date('2027-01-01') && resource.name == 'a' && "
       "request.time > date('2028-01-01')",
       {"1: " + empty}},
      {"request.time.getFullYear() == 2027 && request.time > date('2028-01-01')", {"1: " + empty}},
      {"request.time.getFullYear() == 2026 || request.time.getFullYear() == 2027", {}},
      {"request.time < date('2027-01-01') || resource.name == 'a'", {}},
      {"request.time > date('2027-01-01') && request.time < date('2028-01-01')", {}},
      {"resource.name == 'a' || true", {}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ElementsAreArray(one.findings)) << one.expression;
  }
}

TEST(CheckCondition, WarnsOfUnknownServicesAndTypes) {
  const Checked kCases[] = {
      {"resource.service == 'storag.googleapis.com'",
       {"21: \"storag.googleapis.com\" is not known as a value of resource.service, did you mean "
        "\"storage.googleapis.com\"? [ResourceServiceLiteralCheck, warning]"}},
      {"'storage.googleapis.com/Buckets' != resource.type",
       {"1: \"storage.googleapis.com/Buckets\" is not known as a value of resource.type, did you "
        "mean \"storage.googleapis.com/Bucket\"? [ResourceTypeLiteralCheck, warning]"}},
      {"resource.type in ['storage.googleapis.com/Object', 'x']",
       {"52: \"x\" is not known as a value of resource.type [ResourceTypeLiteralCheck, warning]"}},
      {"resource.type == 'compute.googleapis.com/Anything'", {}},
      {"resource.type == 'compute.googleapis.com/instances'",
       {"18: \"compute.googleapis.com/instances\" is not known as a value of resource.type "
        "[ResourceTypeLiteralCheck, warning]"}},
      {"resource.type == 'spanner.googleapis.com/DatabaseRole'", {}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ElementsAreArray(one.findings)) << one.expression;
  }
}

TEST(CheckCondition, WarnsOfAttributesTheResourceDoesNotHave) {
  CheckContext context;
  context.service = "backupdr.googleapis.com";
  const std::string after =
      " is not available for resources of backupdr.googleapis.com: this part of the condition "
      "never grants [RestrictedAttributesCheck, warning]";
  EXPECT_THAT(FindingsOf("resource.name == 'a' || request.host == 'b' || "
                         "'l' in request.auth.access_levels",
                         context),
              ElementsAre("25: request.host" + after, "55: request.auth.access_levels" + after));
  EXPECT_THAT(FindingsOf("compute.matchLoadBalancingSchemes(['INTERNAL'])", context),
              ElementsAre("1: compute.matchLoadBalancingSchemes()" + after));
  EXPECT_THAT(FindingsOf("request.host == 'b'"), IsEmpty()) << "whose policy it is is not known";
}

/// A condition, the services whose resources give what it asks for, and one that does not.
struct AttributeCase {
  const char* expression;
  std::vector<const char*> given;
  std::vector<const char*> not_given;
};

TEST(CheckCondition, SaysNeverOnlyWhereTheServiceDoesNotGiveTheAttribute) {
  const AttributeCase cases[] = {
      {"request.path.startsWith('/admin')",
       {"iap.googleapis.com", "run.googleapis.com"},
       {"storage.googleapis.com", "pubsub.googleapis.com", "cloudresourcemanager.googleapis.com"}},
      {"request.host == 'a'",
       {"iap.googleapis.com", "run.googleapis.com"},
       {"spanner.googleapis.com"}},
      {"'l' in request.auth.access_levels",
       {"iap.googleapis.com", "beyondcorp.googleapis.com"},
       {"run.googleapis.com", "storage.googleapis.com"}},
      {"destination.port == 22", {"iap.googleapis.com"}, {"compute.googleapis.com"}},
      {"destination.ip == '10.0.0.1'", {"iap.googleapis.com"}, {"secretmanager.googleapis.com"}},
      {"compute.isForwardingRuleCreationOperation()",
       {"compute.googleapis.com"},
       {"iap.googleapis.com"}},
      {"compute.matchLoadBalancingSchemes(['INTERNAL'])",
       {"compute.googleapis.com"},
       {"run.googleapis.com"}},
      // Where the service knows no such attribute, the default counts: it may grant.
      {"api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', []).hasOnly(['roles/viewer'])",
       {"cloudresourcemanager.googleapis.com", "iam.googleapis.com", "pubsub.googleapis.com"},
       {}},
      {"api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('a/')",
       {"storage.googleapis.com", "pubsub.googleapis.com"},
       {}},
      {"resource.matchTag('1/env', 'prod') && resource.hasTagKeyId('tagKeys/1')",
       {"pubsub.googleapis.com", "storage.googleapis.com"},
       {}},
      {"request.time < timestamp('2027-06-01T00:00:00Z') && resource.name != 'a'",
       {"pubsub.googleapis.com"},
       {}},
  };
  for (const AttributeCase& one : cases) {
    CheckContext context;
    for (const char* service : one.given) {
      context.service = service;
      EXPECT_THAT(FindingsOf(one.expression, context), IsEmpty()) << one.expression << service;
    }
    for (const char* service : one.not_given) {
      context.service = service;
      const std::vector<Finding> findings = CheckCondition(one.expression, context);
      ASSERT_EQ(findings.size(), 1U) << one.expression << service;
      EXPECT_EQ(findings.front().unit, "RestrictedAttributesCheck");
      EXPECT_EQ(findings.front().severity, Severity::kWarning);
      // What is below a project, a folder or an organization may give it.
      context.inherited = true;
      EXPECT_THAT(FindingsOf(one.expression, context), IsEmpty()) << one.expression << service;
      context.inherited = false;
    }
  }
}

TEST(CheckCondition, NoAllowPolicyKnowsTheAttributesOfBoundaries) {
  const std::string after =
      " is an attribute of principal access boundary policies: this part of the condition never "
      "grants [RestrictedAttributesCheck, warning]";
  CheckContext context;
  context.service = "cloudresourcemanager.googleapis.com";
  context.inherited = true;
  EXPECT_THAT(FindingsOf("principal.type == 'x' || principal.subject == 'y'", context),
              ElementsAre("1: principal.type" + after, "26: principal.subject" + after));
}

TEST(CheckCondition, WarnsOfConditionsOnBasicRoles) {
  CheckContext context;
  context.role = "roles/viewer";
  EXPECT_THAT(FindingsOf("true", context),
              ElementsAre("1: Conditions can't be set on primitive roles: services that hold to "
                          "this refuse one on \"roles/viewer\" [BindingRoleAllowConditionCheck, "
                          "warning]"));
  for (const char* other : {"roles/compute.viewer", "roles/browser", "projects/p/roles/viewer"}) {
    context.role = other;
    EXPECT_THAT(FindingsOf("true", context), IsEmpty()) << other;
  }
  context.role = "roles/admin";
  EXPECT_THAT(FindingsOf("true", context),
              ElementsAre("1: a condition on \"roles/admin\" may be refused, as one on roles/owner "
                          "is [BindingRoleAllowConditionCheck, warning]"));
}

TEST(CheckCondition, RefusesConditionsOnBasicRolesWhereTheServiceDoes) {
  CheckContext context;
  context.basic_refused = true;
  for (const char* role : {"roles/owner", "roles/editor", "roles/viewer"}) {
    context.role = role;
    EXPECT_THAT(FindingsOf("true", context),
                ElementsAre("1: Conditions can't be set on primitive roles: grant a narrower role "
                            "than \"" +
                            std::string(role) + "\" [BindingRoleAllowConditionCheck]"));
  }
  context.role = "roles/compute.viewer";
  EXPECT_THAT(FindingsOf("true", context), IsEmpty());
}

TEST(CheckCondition, SaysOnlySoMuch) {
  const std::string expression =
      "[" + Row("timestamp('x')", ", ", 2000) + "] == [] || " + Row("true", " || ", 20);
  const std::vector<Finding> findings = CheckCondition(expression);
  EXPECT_EQ(findings.size(), 20U);
  EXPECT_EQ(findings.back().unit, "ConditionComplexityCheck");
}

}  // namespace
}  // namespace bindery::google::conditions
