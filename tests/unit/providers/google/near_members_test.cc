// Members that are near to what an allow policy takes, and mean nobody as they are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "providers/google/roles/checks.h"

namespace bindery::google {
namespace {

using ::testing::HasSubstr;

TEST(CheckMember, FindsTheNearMissesOfWhatSaysWho) {
  const struct {
    const char* member;
    const char* said;  ///< A part of it; empty: it is right.
  } cases[] = {
      {"principal://https://iam.googleapis.com/locations/global/workforcePools/p/subject/s",
       "BadMember: "},
      {"principalSet://HTTP://iam.googleapis.com/locations/global/workforcePools/p/*",
       "names an unknown service, did you mean \"iam.googleapis.com\"?"},
      {"principalSet://https://example.com/x", "did you mean \"example.com\"?"},
      {"principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/gh/"
       "attributes.repository/a/b",
       "does not say who, did you mean \"attribute.repository\"?"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/attribute/team",
       "does not say who, did you mean \"attribute.NAME\"?"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/groups/eng",
       "does not say who, did you mean \"group\"?"},
      {"principal://iam.googleapis.com/locations/global/workforcePools/p/Subject/s",
       "does not say who, did you mean \"subject\"?"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/department/eng", ""},
      {"principal://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount",
       "UnlikelyMember (warning): "},
      {"principal://cloudresourcemanager.googleapis.com/folders/1/type/ServiceAgent",
       "write principalSet://cloudresourcemanager.googleapis.com/folders/1/type/ServiceAgent"},
      {"principalSet://cloudresourcemanager.googleapis.com/projects/1/type/serviceAccount",
       "does not say who, did you mean \"ServiceAccount\"?"},
      {"principalSet://cloudresourcemanager.googleapis.com/projects/1/type/User",
       "(warning): \"principalSet://cloudresourcemanager.googleapis.com/projects/1/type/User\" "
       "names a type that is not documented"},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/"
       "acme.svc.id.goog/subject/n/s",
       "(warning): "},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/"
       "acme.hub.id.goog/subject/ns/n/sa/",
       "names no Kubernetes service account: write /subject/ns/NAMESPACE/sa/ACCOUNT"},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/"
       "acme.hub.id.goog/subject/ns/n/sa/s",
       ""},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/gh/"
       "subject/n/s",
       ""},
      {"user:*@example.com", "UnlikelyMember (warning): "},
      {"group:team-*@example.com", "names one address, and no pattern"},
      {"serviceAccount:*@acme.iam.gserviceaccount.com", "names one address, and no pattern"},
      {"serviceAccount:a@acme.iam.gserviceaccount.con",
       "did you mean \"serviceAccount:a@acme.iam.gserviceaccount.com\"?"},
      {"serviceAccount:a@acme.iam.gservicaccount.com",
       "did you mean \"serviceAccount:a@acme.iam.gserviceaccount.com\"?"},
      {"serviceAccount:a@acme.iam.gserviceaccount",
       "did you mean \"serviceAccount:a@acme.iam.gserviceaccount.com\"?"},
      {"serviceAccount:1-compute@developer.gserviceacount.com",
       "did you mean \"serviceAccount:1-compute@developer.gserviceaccount.com\"?"},
  };
  for (const auto& one : cases) {
    const auto failure = CheckMember(one.member);
    const std::string said =
        failure ? failure->code + (failure->warning ? " (warning): " : ": ") + failure->message
                : "";
    EXPECT_EQ(said.empty(), *one.said == 0) << one.member << ": " << said;
    EXPECT_THAT(said, HasSubstr(one.said)) << one.member;
  }
}

}  // namespace
}  // namespace bindery::google
