#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "admission/links.h"
#include "support/admission_fixture.h"

namespace bindery::testing {

inline manifests::Field MakeField(std::string name, manifests::FieldType type,
                                  manifests::FieldList fields = {}) {
  manifests::Field field;
  field.name = std::move(name);
  field.type = type;
  field.fields = std::move(fields);
  return field;
}

inline const manifests::KindSchema& Schema() {
  static const manifests::KindSchema kSchema = [] {
    manifests::KindSchema schema;
    schema.token = {"v1", "Thing"};
    manifests::Field items = MakeField("items", manifests::FieldType::kList,
                                       {MakeField("id", manifests::FieldType::kString)});
    items.item_type = manifests::FieldType::kObject;
    manifests::Field others = MakeField("others", manifests::FieldType::kList,
                                        {MakeField("x", manifests::FieldType::kString)});
    others.item_type = manifests::FieldType::kObject;
    manifests::Field signed_uri = MakeField("signedUri", manifests::FieldType::kString);
    signed_uri.secret = true;
    schema.inputs = {MakeField("name", manifests::FieldType::kString),
                     MakeField("list", manifests::FieldType::kList), std::move(items)};
    schema.outputs = {
        MakeField("orgId", manifests::FieldType::kString),
        MakeField("tags", manifests::FieldType::kStringMap), std::move(others),
        MakeField("upload", manifests::FieldType::kObject,
                  {std::move(signed_uri), MakeField("expires", manifests::FieldType::kString)})};
    return schema;
  }();
  return kSchema;
}

/// Manifests of the kind "Thing" that refer to each other.
class Links : public ::testing::Test {
 protected:
  /// A manifest on a target of its own, in "NAME.yaml", with these references and dependencies.
  void Declare(const std::string& name, const std::vector<std::string>& references,
               const std::vector<std::string>& depends_on = {},
               const std::vector<std::string>& aliases = {}) {
    manifests::Manifest manifest =
        *AdmissionFixture::MakeManifest(name, "on-" + name + " viewer", name + ".yaml", 1);
    manifest.token = &Schema().token;
    std::vector<manifests::Reference> all;
    for (const std::string& text : references) {
      const auto i = static_cast<int>(all.size());
      all.push_back({text, "spec.f" + std::to_string(i), 10 + i, 3});
    }
    if (!all.empty()) {
      manifest.references =
          std::make_shared<const std::vector<manifests::Reference>>(std::move(all));
    }
    manifests::ExtraOptions rare;
    rare.depends_on = depends_on;
    rare.aliases = aliases;
    rare.depends_on_at.resize(depends_on.size(), {20, 5});
    rare.aliases_at.resize(aliases.size(), {30, 7});
    if (!(rare == manifests::ExtraOptions{})) {
      manifest.options.rare = std::make_shared<const manifests::ExtraOptions>(std::move(rare));
    }
    world.input.manifests.push_back(
        std::make_shared<const manifests::Manifest>(std::move(manifest)));
  }

  std::vector<std::string> Problems() {
    world.input.schema_of = [](const TypeToken& token) {
      return token == Schema().token ? &Schema() : nullptr;
    };
    std::vector<std::string> texts;
    for (const admission::LinkFault& fault : admission::CheckLinks(world.input)) {
      EXPECT_EQ(fault.problem.resource, fault.manifest->name);
      texts.push_back(fault.problem.Text() + " [" + fault.problem.code + "]");
    }
    return texts;
  }

  AdmissionFixture world;
};

}  // namespace bindery::testing
