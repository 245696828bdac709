// What the schemas prove of references: types that do not fit, values that will never be given.

#include <gmock/gmock.h>

#include "links_fixture.h"

namespace bindery::admission {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Links;
using testing::MakeField;

struct TypeCase {
  const char* name;
  std::string reference;
  manifests::Field field;
  manifests::Reference::Part part = manifests::Reference::Part::kWhole;
  std::string problem = "";  ///< Empty: it may fit.
};

void PrintTo(const TypeCase& tested, std::ostream* out) { *out << tested.name; }

class ReferenceTypes : public Links, public ::testing::WithParamInterface<TypeCase> {};

TEST_P(ReferenceTypes, AreProvenByTheSchemas) {
  const TypeCase& tested = GetParam();
  Declare("me", {});
  Declare("a", {tested.reference});
  manifests::Manifest manifest = *world.input.manifests.back();
  manifest.references = std::make_shared<const std::vector<manifests::Reference>>(
      1, manifests::Reference{tested.reference, "spec.f", 10, 3, &tested.field, tested.part});
  world.input.manifests.back() = std::make_shared<const manifests::Manifest>(std::move(manifest));
  if (tested.problem.empty()) {
    EXPECT_THAT(Problems(), IsEmpty());
  } else {
    EXPECT_THAT(Problems(), ElementsAre("a.yaml:10:3: spec.f: " + tested.reference + " is " +
                                        tested.problem + " [WrongType]"));
  }
}

manifests::Field ListOfThings() {
  manifests::Field id = MakeField("id", manifests::FieldType::kString);
  id.required = true;
  manifests::Field list = MakeField("things", manifests::FieldType::kList, {std::move(id)});
  list.item_type = manifests::FieldType::kObject;
  return list;
}

const manifests::Field kText = MakeField("text", manifests::FieldType::kString);
const manifests::Field kTexts = MakeField("texts", manifests::FieldType::kList);
const manifests::Field kThings = ListOfThings();

INSTANTIATE_TEST_SUITE_P(
    Cases, ReferenceTypes,
    ::testing::Values(
        TypeCase{"TextIntoText", "${me.orgId}", kText},
        TypeCase{"ItemIntoText", "${me.list[0]}", kText},
        TypeCase{"LabelIntoText", "${me.tags.any}", kText},
        TypeCase{"TextIntoItem", "${me.orgId}", kTexts, manifests::Reference::Part::kItem},
        TypeCase{"ListIntoList", "${me.list}", kTexts},
        TypeCase{"MapsIntoMaps", "${me.items}", kThings},
        TypeCase{"MapIntoMap", "${me.items[0]}", kThings, manifests::Reference::Part::kItem},
        TypeCase{"TextWithinText", "${me.list[0]}", kText, manifests::Reference::Part::kWithin},
        TypeCase{"ListIntoText", "${me.list}", kText, manifests::Reference::Part::kWhole,
                 "a list: expected a string"},
        TypeCase{"MapIntoText", "${me.items[0]}", kTexts, manifests::Reference::Part::kItem,
                 "a map: expected a string"},
        TypeCase{"ListIntoItem", "${me.list}", kTexts, manifests::Reference::Part::kItem,
                 "a list: expected a string"},
        TypeCase{"TextIntoList", "${me.orgId}", kTexts, manifests::Reference::Part::kWhole,
                 "a string: expected a list"},
        TypeCase{"MapsIntoTexts", "${me.items}", kTexts, manifests::Reference::Part::kWhole,
                 "a list of maps: expected a list of strings"},
        TypeCase{"MapOfTextsIntoText", "${me.tags}", kText, manifests::Reference::Part::kWhole,
                 "a map: expected a string"},
        TypeCase{"ListWithinText", "${me.items}", kText, manifests::Reference::Part::kWithin,
                 "a list: it cannot be part of a text, only alone"},
        TypeCase{"OtherMaps", "${me.others}", kThings, manifests::Reference::Part::kWhole,
                 "a list of maps without \"id\", which is required here"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(Links, ToValuesThatWillNeverBeGivenAreTold) {
  Declare("me", {});
  Declare("a", {"${me.list[1]}", "${me.items[0].id}", "${me.items[2].id}", "${me.name}",
                "${me.orgId}", "${me.tags.any}"});
  manifests::Manifest manifest = *world.input.manifests.front();
  manifest.spec = R"({"list": ["x", "y"], "items": [{}]})";
  world.input.manifests.front() = std::make_shared<const manifests::Manifest>(std::move(manifest));
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:11:3: spec.f1: ${me.items[0].id}: \"me\" (me.yaml:1) does not declare "
                  "\"items[0].id\" [MissingValue]",
                  "a.yaml:12:3: spec.f2: ${me.items[2].id}: \"me\" (me.yaml:1) does not declare "
                  "\"items[2]\": there is 1 item [MissingValue]",
                  "a.yaml:13:3: spec.f3: ${me.name}: \"me\" (me.yaml:1) does not declare \"name\" "
                  "[MissingValue]"));
}

TEST_F(Links, ToValuesThatAReferenceWillGiveAreFine) {
  Declare("other", {});
  Declare("me", {"${other.list}"});
  Declare("a", {"${me.list[7]}", "${me.items[0].id}", "${me.items[1].id}"});
  manifests::Manifest manifest = *world.input.manifests[1];
  manifest.spec = R"({"list": "${other.list}", "items": ["${other.items[0]}"]})";
  world.input.manifests[1] = std::make_shared<const manifests::Manifest>(std::move(manifest));
  EXPECT_EQ(Problems().size(), 1U) << "the second item";
}

}  // namespace
}  // namespace bindery::admission
