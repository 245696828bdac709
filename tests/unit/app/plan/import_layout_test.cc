#include "app/plan/import_layout.h"

#include <string>

#include "support/matchers.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

TEST(ImportLayout, FilesAndNamesTellProjectKindAndResource) {
  struct Case {
    const char* kind;
    const char* target;
    const char* place;
    const char* file;
    const char* name;
  };
  const Case cases[] = {
      {"pubsub:Topic", "projects/acme/topics/Orders_eu", "projects/acme",
       "acme/pubsub-topic/orders-eu.yaml", "acme-topic-orders-eu"},
      {"cloudkms:CryptoKey", "projects/acme/locations/eu/keyRings/r/cryptoKeys/k", "projects/acme",
       "acme/cloudkms-crypto-key/eu-r-k.yaml", "acme-crypto-key-eu-r-k"},
      {"AuthorizationPolicyIamBinding", "projects/acme/locations/global/authorizationPolicies/p",
       "projects/acme", "acme/authorization-policy/p.yaml", "acme-authorization-policy-p"},
      {"cloudresourcemanager:Project", "projects/acme", "projects/acme",
       "acme/cloudresourcemanager-project/acme.yaml", "acme-project"},
      {"cloudresourcemanager:Folder", "folders/20", "folders/20",
       "folder-20/cloudresourcemanager-folder/20.yaml", "folder-20"},
      {"storage:Bucket", "b/media.example.com", "projects/acme",
       "acme/storage-bucket/media-example-com.yaml", "acme-bucket-media-example-com"},
      {"storage:Bucket", "b/media", "", "other/storage-bucket/media.yaml", "other-bucket-media"},
      {"storage:Bucket", "b/any", "projects/_", "other/storage-bucket/any.yaml",
       "other-bucket-any"},
      {"x:Y", "projects/acme/ys/../..", "projects/acme", "acme/x-y/resource.yaml",
       "acme-y-resource"},
  };
  const auto layout = ImportLayout::Parse(ImportLayout::kDefault);
  ASSERT_TRUE(layout.has_value());
  for (const Case& one : cases) {
    const TargetWords words = MakeWords(one.kind, one.target, one.place);
    EXPECT_EQ(layout->GetFile(words), one.file) << one.target;
    EXPECT_EQ(NamePrefix(words), one.name) << one.target;
  }
}

TEST(ImportLayout, HasEachWordAtMostOnce) {
  const TargetWords words = MakeWords("pubsub:Topic", "projects/acme/topics/t", "projects/acme");
  EXPECT_EQ(ImportLayout::Parse("kind/project")->GetFile(words), "pubsub-topic/acme.yaml");
  for (const char* text : {"", "/", "project/", "project/project", "team", "../project"}) {
    EXPECT_THAT(ImportLayout::Parse(text),
                FailsWith(Code::kInvalidArgument, HasSubstr("is no layout")))
        << text;
  }
}

}  // namespace
}  // namespace bindery::app
