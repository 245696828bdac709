// Texts in conditions that no request has.

#include "providers/google/conditions/unmet_literals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/providers/google/conditions/findings.h"

namespace bindery::google::conditions {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLimit = "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', [])";

/// Warnings of the context.
void ExpectWarning(const std::string& expression, const CheckContext& context, const char* column,
                   const char* part, const char* unit) {
  const std::vector<std::string> found = FindingsOf(expression, context);
  ASSERT_EQ(found.size(), 1U) << expression;
  EXPECT_THAT(found.front(), ::testing::StartsWith(std::string(column) + ": ")) << expression;
  EXPECT_THAT(found.front(), HasSubstr(part)) << expression;
  EXPECT_THAT(found.front(), HasSubstr("[" + std::string(unit) + ", warning]")) << expression;
}

TEST(UnmetLiterals, AMisspeltAttributeLimitsNothing) {
  struct Case {
    const char* asked;
    const char* intended;  ///< Empty: nothing is said.
  };
  const Case cases[] = {
      {"iam.googleapis.com/modifiedGrantsbyrole", "iam.googleapis.com/modifiedGrantsByRole"},
      {"iam.googleapis.com/modifiedGrantByRole", "iam.googleapis.com/modifiedGrantsByRole"},
      {"iam.googleapi.com/modifiedGrantsByRole", "iam.googleapis.com/modifiedGrantsByRole"},
      {"modifiedGrantsByRole", "iam.googleapis.com/modifiedGrantsByRole"},
      {"storage.googleapis.com/modifiedGrantsByRole", "iam.googleapis.com/modifiedGrantsByRole"},
      {"storage.googleapis.com/objectListprefix", "storage.googleapis.com/objectListPrefix"},
      {"iam.googleapis.com/modifiedGrantsByRole", ""},
      {"storage.googleapis.com/objectListPrefix", ""},
      {"aiplatform.googleapis.com/memoryScope", ""},
      {"aiplatform.googleapis.com/sessionUserId", ""},
      {"example.googleapis.com/somethingElse", ""},
  };
  for (const Case& c : cases) {
    const std::string expression =
        "api.getAttribute('" + std::string(c.asked) + "', []).hasOnly(['roles/pubsub.editor'])";
    if (c.intended[0] == 0) {
      EXPECT_THAT(FindingsOf(expression), IsEmpty()) << expression;
    } else {
      const std::string meant = "did you mean \"" + std::string(c.intended) + "\"?";
      ExpectWarning(expression, {}, "18", meant.c_str(), "ApiAttributeLiteralCheck");
    }
  }
}

TEST(UnmetLiterals, OnlyRolesMayBeGranted) {
  EXPECT_THAT(FindingsOf(kLimit + std::string(".hasOnly(['roles/a', 'projects/p/roles/b', "
                                              "'organizations/1/roles/c'])")),
              IsEmpty());
  EXPECT_THAT(FindingsOf(kLimit + std::string(".hasOnly([])")), IsEmpty());
  for (const char* text : {"viewer", "roles/", "Roles/viewer", "projects/p", "*", ""}) {
    // One warning for the list.
    ExpectWarning(kLimit + std::string(".hasOnly(['") + text + "', 'roles/a', 'editor'])", {}, "74",
                  "is not the name of a role", "RoleLiteralCheck");
  }
  // Values of other attributes are other texts.
  EXPECT_THAT(FindingsOf("api.getAttribute('a.googleapis.com/b', []).hasOnly(['viewer'])"),
              IsEmpty());
}

TEST(UnmetLiterals, TagsHaveNamesAndIds) {
  // The documented forms, and names that the program does not know.
  for (const char* expression :
       {"resource.hasTagKey('123456789012/env')", "resource.hasTagKey('my-project/env')",
        "resource.hasTagKey('example.com:my-project/env')", "resource.hasTagKey(resource.name)",
        "resource.hasTagKeyId('tagKeys/123456789012')",
        "resource.matchTag('123456789012/env', 'prod')",
        "resource.matchTag('123456789012/env', 'a b (c)@d:e')",
        "!resource.matchTag('my-project/env', 'prod')",
        "resource.matchTagId('tagKeys/123456789012', 'tagValues/567890123456')"}) {
    EXPECT_THAT(FindingsOf(expression), IsEmpty()) << expression;
  }
  struct Case {
    const char* expression;
    const char* column;
    const char* part;
  };
  const Case cases[] = {
      {"resource.hasTagKey('tagKeys/1')", "20", "\"tagKeys/1\" is the ID of a tag key"},
      {"resource.hasTagKey('env')", "20", "is not the whole name of a tag key"},
      {"resource.hasTagKey('/env')", "20", "is not the whole name of a tag key"},
      {"resource.matchTag('env', 'prod')", "19", "is not the whole name of a tag key"},
      {"resource.matchTag('1/env', 'tagValues/2')", "28", "is the ID of a tag value"},
      {"resource.matchTag('1/env', '1/env/prod')", "28", "is not the short name of a tag value"},
      {"resource.hasTagKeyId('acme/env')", "22", "is not an ID, such as \"tagKeys/1234\""},
      {"resource.matchTagId('tagValues/1', 'tagValues/2')", "21", "such as \"tagKeys/1234\""},
      {"resource.matchTagId('tagKeys/1', 'prod')", "34", "such as \"tagValues/1234\""},
  };
  for (const Case& c : cases) ExpectWarning(c.expression, {}, c.column, c.part, "TagLiteralCheck");
}

TEST(UnmetLiterals, OfABucketAllNamesBeginWithIt) {
  struct Case {
    const char* expression;
    const char* begin;
    bool warned;
  };
  constexpr const char* kData = "projects/_/buckets/acme-data";
  constexpr const char* kAny = "projects/_/buckets/";
  const Case cases[] = {
      {"resource.name == 'projects/_/buckets/acme-data'", kData, false},
      {"resource.name == 'projects/_/buckets/acme-data/objects/a.txt'", kData, false},
      {"resource.name.startsWith('projects/_/buckets/acme-data/objects/a')", kData, false},
      {"resource.name.startsWith('projects/_/buckets/acme-data/managedFolders/f')", kData, false},
      {"resource.name.startsWith('projects/_/buckets/acme-d')", kData, false},
      {"resource.name.startsWith('')", kData, false},
      {"resource.name.startsWith('projects/')", kData, false},
      {"resource.name in ['projects/_/buckets/acme-data/objects/a']", kData, false},
      {"resource.name.endsWith('.txt')", kData, false},
      {"resource.name.extract('objects/{all}') == 'a'", kData, false},
      {"resource.name != 'b/acme-data'", kData, false},
      {"resource.name.startsWith(resource.type)", kData, false},
      {"resource.name.startsWith('projects/_/buckets/other')", kAny, false},
      {"resource.name.startsWith('b/acme-data')", "", false},
      {"resource.name.startsWith('b/acme-data')", kData, true},
      {"resource.name.startsWith('b/acme-data')", kAny, true},
      {"resource.name.startsWith('//storage.googleapis.com/projects/_')", kData, true},
      {"resource.name.startsWith('gs://acme-data')", kData, true},
      {"resource.name.startsWith('projects/acme/buckets/acme-data')", kData, true},
      {"resource.name.startsWith('projects/_/buckets/other')", kData, true},
      {"resource.name.startsWith('projects/_/buckets/acme-data-old')", kData, true},
      {"'projects/_/buckets/other' == resource.name", kData, true},
      {"resource.name == 'projects/_/buckets/'", kData, true},
      {"resource.name in ['acme-data']", kData, true},
      {"request.time < timestamp('2030-01-01T00:00:00Z') && (resource.name == 'x' || "
       "resource.name.startsWith('projects/_/buckets/acme-data'))",
       kData, true},
      // What is not so holds everywhere.
      {"!resource.name.startsWith('projects/_/buckets/other')", kData, false},
      {"resource.name.startsWith('projects/_/buckets/other') == false", kData, false},
      {"resource.name == 'projects/_/buckets/other' ? false : true", kData, false},
      {"!(resource.name == 'a' || resource.name == 'b')", kData, false},
  };
  for (const Case& c : cases) {
    CheckContext context;
    context.service = "storage.googleapis.com";
    context.names_begin = c.begin;
    const std::vector<Finding> found = CheckCondition(c.expression, context);
    ASSERT_EQ(found.size(), c.warned ? 1U : 0U) << c.expression << c.begin;
    if (!c.warned) continue;
    EXPECT_EQ(found.front().unit, "ResourceNameLiteralCheck") << c.expression;
    EXPECT_EQ(found.front().severity, Severity::kWarning) << c.expression;
  }
}

TEST(UnmetLiterals, NothingOfOtherServicesIsBelowAResource) {
  struct Case {
    const char* expression;
    const char* service;
    const char* unit;  ///< Empty: nothing is said.
  };
  constexpr const char* kStorage = "storage.googleapis.com";
  const Case cases[] = {
      {"resource.type == 'storage.googleapis.com/Object'", kStorage, ""},
      {"resource.type in ['storage.googleapis.com/Bucket']", kStorage, ""},
      {"resource.service == 'storage.googleapis.com'", kStorage, ""},
      {"resource.type != 'compute.googleapis.com/Instance'", kStorage, ""},
      {"!(resource.type == 'compute.googleapis.com/Instance')", kStorage, ""},
      {"!(resource.service == 'compute.googleapis.com')", kStorage, ""},
      {"resource.type == 'cloud.googleapis.com/Location'", "cloudkms.googleapis.com", ""},
      {"resource.type == 'cloudkms.googleapis.com/CryptoKey'", "cloudkms.googleapis.com", ""},
      {"resource.type == 'compute.googleapis.com/Instance'", "iap.googleapis.com", ""},
      {"resource.type == 'compute.googleapis.com/Instance'", "", ""},
      {"resource.type == 'compute.googleapis.com/Instance'", kStorage, "ResourceTypeLiteralCheck"},
      {"resource.type in ['storage.googleapis.com/Object', 'compute.googleapis.com/Instance']",
       kStorage, "ResourceTypeLiteralCheck"},
      {"resource.service == 'compute.googleapis.com'", kStorage, "ResourceServiceLiteralCheck"},
      {"resource.type == 'storage.googleapis.com/Object'", "secretmanager.googleapis.com",
       "ResourceTypeLiteralCheck"},
  };
  for (const Case& c : cases) {
    CheckContext context;
    context.service = c.service;
    const std::vector<Finding> found = CheckCondition(c.expression, context);
    ASSERT_EQ(found.size(), c.unit[0] == 0 ? 0U : 1U) << c.expression << c.service;
    if (!found.empty()) {
      EXPECT_EQ(found.front().unit, c.unit) << c.expression;
      EXPECT_THAT(found.front().message, HasSubstr("this part of the condition never holds"));
    }
    // All services are below a project.
    context.inherited = true;
    EXPECT_THAT(FindingsOf(c.expression, context), IsEmpty()) << c.expression;
  }
}

}  // namespace
}  // namespace bindery::google::conditions
