// A manifest that gets another name or another shape takes away what it takes away under the same
// limits as one that says less.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_words.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using testing::kAna;
using testing::kBob;
using ::testing::SizeIs;

constexpr const char* kAdmin = "roles/networksecurity.admin";

enum class Shape { kBindingOfTwo, kBindingOfOne, kBindingOfOther, kMember, kAbsent, kEmptyPolicy };

struct ReshapedCase {
  const char* why;
  Shape before;
  Shape after;
  const char* name;  ///< Afterwards; before it is "q".
};

class Reshaped : public ::testing::TestWithParam<ReshapedCase> {
 protected:
  Reshaped() {
    world_.settings.guard = {50, 1.0};
    world_.settings.guard.hold_severity = Severity::kHigh;
    world_.Configure();
    world_.cloud->AddTarget(EngineWorld::TargetName("t"));
  }

  void Put(const std::string& name, Shape shape) {
    const std::string target = EngineWorld::TargetName("t");
    const auto put = [&](const char* kind, const Json& spec) {
      world_.Put(name, {"cloudnative:networksecurity/v1", kind}, spec);
    };
    switch (shape) {
      case Shape::kBindingOfTwo:
        world_.Declare(name, "t", kAdmin, {kAna, kBob});
        break;
      case Shape::kBindingOfOne:
        world_.Declare(name, "t", kAdmin, {kAna});
        break;
      case Shape::kBindingOfOther:
        world_.Declare(name, "t", kAdmin, {"user:zoe@example.com"});
        break;
      case Shape::kMember:
        put("AuthorizationPolicyIamMember", {{"name", target}, {"role", kAdmin}, {"member", kAna}});
        break;
      case Shape::kAbsent:
        put("AuthorizationPolicyIamMember",
            {{"name", target}, {"role", kAdmin}, {"member", kAna}, {"absent", true}});
        break;
      case Shape::kEmptyPolicy:
        put("AuthorizationPolicyIamPolicy",
            {{"name", target},
             {"bindings", {{{"role", "roles/viewer"}, {"members", {"user:zoe@example.com"}}}}}});
        break;
    }
  }

  EngineWorld world_;
};

TEST_P(Reshaped, WaitsForAnApprovalAsOneThatSaysLess) {
  const ReshapedCase& c = GetParam();
  Put("q", c.before);
  world_.Pass();
  const auto before = world_.Grants("t");
  if (std::string(c.name) != "q") world_.Remove("q");
  Put(c.name, c.after);
  world_.Pass();
  world_.Pass();
  world_.NextInterval();
  for (const std::string& grant : before) {
    EXPECT_THAT(world_.Grants("t"), ::testing::Contains(grant)) << c.why;
  }
  EXPECT_NE(world_.HoldDigest(), "") << c.why;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Reshaped,
    ::testing::Values(
        ReshapedCase{"narrowed", Shape::kBindingOfTwo, Shape::kBindingOfOne, "q"},
        ReshapedCase{"narrowed, later name", Shape::kBindingOfTwo, Shape::kBindingOfOne, "r"},
        ReshapedCase{"narrowed, earlier name", Shape::kBindingOfTwo, Shape::kBindingOfOne, "a"},
        ReshapedCase{"policy, same name", Shape::kBindingOfTwo, Shape::kEmptyPolicy, "q"},
        ReshapedCase{"policy, later name", Shape::kBindingOfTwo, Shape::kEmptyPolicy, "z"},
        ReshapedCase{"policy, earlier name", Shape::kBindingOfTwo, Shape::kEmptyPolicy, "a"},
        ReshapedCase{"absent, same name", Shape::kMember, Shape::kAbsent, "q"},
        ReshapedCase{"absent, later name", Shape::kMember, Shape::kAbsent, "z"},
        ReshapedCase{"binding of another, same name", Shape::kMember, Shape::kBindingOfOther, "q"},
        ReshapedCase{"binding of another, later name", Shape::kMember, Shape::kBindingOfOther, "z"},
        ReshapedCase{"binding of another, earlier name", Shape::kMember, Shape::kBindingOfOther,
                     "a"},
        ReshapedCase{"member to policy, same name", Shape::kMember, Shape::kEmptyPolicy, "q"},
        ReshapedCase{"member to policy, earlier name", Shape::kMember, Shape::kEmptyPolicy, "a"},
        ReshapedCase{"member to policy, later name", Shape::kMember, Shape::kEmptyPolicy, "z"}));

}  // namespace
}  // namespace bindery::controller
