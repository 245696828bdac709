#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/documents/loader.h"
#include "manifests/schema/kind_schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace {

using bindery::KindSchema;

const std::vector<const KindSchema*>& Kinds() {
  static const std::vector<const KindSchema*> kKinds = {
      &bindery::IamBindingSchema("AuthorizationPolicyIamBinding"),
      &bindery::IamBindingSchema("ManagementServerIamBinding"),
      &bindery::RestrictionPolicySchema()};
  return kKinds;
}

void Require(bool holds) {
  if (!holds) std::abort();
}

/// Whatever was read can be written, and reads back as the same value.
void RoundTrip(const bindery::yaml::ReadResult& read) {
  for (const bindery::yaml::Document& document : read.documents) {
    const bindery::Json value = bindery::yaml::ToJson(document.root);
    const bindery::yaml::ReadResult again = bindery::yaml::ReadYaml(bindery::yaml::ToYaml(value));
    // Escapes can make the written text larger than a document may be.
    if (!again.faults.empty() && again.faults.front().code == "TooLarge") continue;
    Require(again.faults.empty() && again.documents.size() == 1);
    Require(bindery::yaml::ToJson(again.documents.front().root).dump() == value.dump());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  for (const char* path : {"a.yaml", "a.json"}) {
    const bindery::FileContent content =
        bindery::LoadFile(text, path, bindery::ListedKinds(Kinds()));
    for (const bindery::Problem& problem : content.problems) {
      Require(!problem.message.empty() && problem.Text().find('\n') == std::string::npos);
    }
  }
  RoundTrip(bindery::yaml::ReadYaml(text));
  RoundTrip(bindery::yaml::ReadJson(text));
  return 0;
}
