#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "controller/engine/dry_run.h"
#include "controller/engine/plan_part.h"
#include "fakes/engine_world.h"
#include "foreseen_text.h"

namespace bindery::testing {

/// One thing that happens to the directory, to the clouds, or by an operator's word.
struct Happening {
  enum class What {
    kDeclare,   ///< Part of a policy, in one of several shapes.
    kRestrict,  ///< A restriction policy.
    kRefer,     ///< A manifest with a reference.
    kRemove,
    kGrant,    ///< Somebody grants something.
    kReplace,  ///< Somebody replaces a policy.
    kVanish,   ///< A target goes.
    kSuspend,  ///< Or the other way round.
    kApprove,
    kDeny,
    kPass,  ///< The directory is read and brought into force.
    kTime,  ///< Some time goes by, and the directory rests.
  };
  What what = What::kPass;
  int name = 0;
  int target = 0;
  int role = 0;
  int members = 0;  ///< One bit each.
  int variant = 0;
};

inline void showValue(const Happening& one, std::ostream& os) {
  constexpr const char* kNames[] = {"declare", "restrict", "refer",   "remove", "grant", "replace",
                                    "vanish",  "suspend",  "approve", "deny",   "pass",  "time"};
  os << "{" << kNames[static_cast<int>(one.what)] << " m" << one.name << " t" << one.target << " r"
     << one.role << " members " << one.members << " variant " << one.variant << "}";
}

inline constexpr int kSceneNames = 6;
inline constexpr int kSceneTargets = 4;
inline constexpr int kSceneRoles = 3;
inline constexpr int kSceneMembers = 3;

/// What the dry run starts from.
enum class RunStart {
  kAnew,     ///< As a command does: from the store and the directory.
  kBefore,   ///< A twin of the engine that just started.
  kRunning,  ///< A twin of one that goes on.
};

/// By target.
using GrantTexts = std::map<std::string, std::set<std::string>>;

/// What a pass writes.
struct PassOutcome {
  GrantTexts added = {};
  GrantTexts removed = {};
};

inline std::string GetText(const PassOutcome& outcome) {
  std::ostringstream text;
  const auto list = [&text](const char* sign, const auto& by_target) {
    for (const auto& [target, grants] : by_target) {
      for (const std::string& grant : grants) text << sign << target << " " << grant << "\n";
    }
  };
  list("+ ", outcome.added);
  list("- ", outcome.removed);
  return text.str();
}

class PlannedWorld {
 public:
  PlannedWorld(int limit, bool settles, bool doubts) {
    world_.settings.guard.max_removed_grants = limit;
    world_.settings.guard.max_removed_fraction = 1;
    if (settles) world_.settings.settle = std::chrono::seconds(10);
    if (doubts) world_.settings.confirm_emptied = std::chrono::seconds(2);
    // What is read again by the clock is no part of a pass.
    world_.settings.recheck.interval = std::chrono::hours(1000);
    world_.Configure();
    for (int i = 0; i < kSceneTargets; ++i) world_.cloud->AddTarget(Target(i));
    world_.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    Look();
  }

  void Do(const Happening& one) {
    using What = Happening::What;
    switch (one.what) {
      case What::kDeclare:
        Declare(one);
        break;
      case What::kRestrict:
        world_.Remove(Name(one.name));
        world_.DeclareRestriction(Name(one.name), Board(one.target), "editor", Teams(one.members));
        SetOptions(one);
        break;
      case What::kRefer:
        Refer(one);
        break;
      case What::kRemove:
        world_.Remove(Name(one.name));
        break;
      case What::kGrant:
        if (Exists(one.target)) {
          world_.cloud->Grant(Target(one.target), Role(one.role),
                              Member(one.members % kSceneMembers));
        }
        break;
      case What::kReplace:
        world_.cloud->AddTarget(Target(one.target), Bindings(one).dump());
        break;
      case What::kVanish:
        if (one.variant == 0) world_.cloud->RemoveTarget(Target(one.target));
        break;
      case What::kSuspend:
        std::ignore = world_.engine->commands().Suspend({Name(one.name)}, one.variant % 3 > 0,
                                                        "ops", world_.now);
        break;
      case What::kApprove:
        std::ignore = world_.engine->commands().Approve(world_.HoldDigest(), "ops", world_.now);
        break;
      case What::kDeny:
        std::ignore = world_.engine->commands().Deny(world_.HoldDigest(), "ops", world_.now);
        break;
      case What::kPass:
        Look();
        world_.Work();
        break;
      case What::kTime:
        world_.Advance(std::chrono::seconds(10));
        Look();
        world_.Work();
        break;
    }
  }

  /// What the dry run says, and what the pass after it comes to.
  std::pair<PassOutcome, PassOutcome> Compare(RunStart start) {
    // What was begun and not ended is no part of the pass to come.
    world_.Work();
    std::optional<controller::DryRun> run;
    if (start == RunStart::kRunning) {
      Look();
      world_.Work();
      run.emplace(*world_.engine, world_.now);
      run->Work({}, Recorded());
      world_.engine->scans().CheckAll(world_.now);
    } else {
      world_.Restart();
      const controller::ScanInput scan = world_.Look();
      if (start == RunStart::kAnew) {
        run.emplace(world_.kinds, world_.settings, world_.now);
        run->engine().SetConnections(world_.Connections());
        world_.Load(run->engine());
        run->Scan(scan);
        run->Work({}, Recorded());
      }
      if (world_.engine->scans().Scan(scan, world_.now).confirm) {
        std::ignore = world_.engine->scans().Scan(scan, world_.now);
      }
      if (start == RunStart::kBefore) {
        run.emplace(*world_.engine, world_.now);
        run->Work({}, Recorded());
      }
    }
    PassOutcome planned = Planned(*run);
    const GrantTexts before = Policies();
    world_.Work();
    world_.Advance(std::chrono::hours(1));
    world_.Work();
    return {std::move(planned), Happened(before)};
  }

  /// What plans of single manifests by a part of the claims come to.
  struct Parts {
    int planned = 0;  ///< By a part.
    std::string differing = {};
  };
  /// Each manifest is planned by its part, where that is enough, and with all others.
  Parts CompareParts() {
    world_.Work();
    Look();
    world_.Work();
    Parts parts;
    const controller::Catalog& catalog = world_.engine->catalog();
    for (int i = 0; i < kSceneNames; ++i) {
      const controller::ResourceEntry* entry = catalog.claims().FindResource(Name(i));
      if (entry == nullptr || !entry->accepted) continue;
      const auto part = controller::FindPart(catalog, {Name(i)});
      if (!part) continue;
      controller::DryRun of_part(*world_.engine, *part, world_.now);
      of_part.Work({Name(i)}, Recorded());
      if (!controller::FindOpenOutcomes(of_part).empty()) continue;
      ++parts.planned;
      controller::DryRun of_all(*world_.engine, world_.now);
      of_all.Work({}, Recorded());
      const auto& target = *entry->place.target;
      const std::string one = TextOfForeseen(of_part, target);
      const std::string all = TextOfForeseen(of_all, target);
      if (one != all) parts.differing += Name(i) + ":\n" + one + "with all:\n" + all;
    }
    return parts;
  }

  /// All targets, each by its part, and those whose outcome a part leaves open by one more part, as
  /// far as parts are found; with all others.
  Parts CompareInParts() {
    world_.Work();
    Look();
    world_.Work();
    Parts parts;
    controller::DryRun of_all(*world_.engine, world_.now);
    of_all.Work({}, Recorded());
    const auto compare = [&](const controller::DryRun& run, const TargetKey& target) {
      ++parts.planned;
      const std::string one = TextOfForeseen(run, *target);
      const std::string all = TextOfForeseen(of_all, *target);
      if (one != all) parts.differing += target->name + ":\n" + one + "with all:\n" + all;
    };
    std::vector<std::string> open;
    std::vector<TargetKey> open_targets;
    const controller::Catalog& catalog = world_.engine->catalog();
    for (const auto& [key, target] : catalog.claims().targets()) {
      const auto part = controller::FindPlannedPart(catalog, std::span(&key, 1));
      if (!part || part->names.empty()) return parts;
      controller::DryRun run(*world_.engine, part->claims, world_.now);
      run.Work(part->names, Recorded());
      const controller::OpenOutcomes left = controller::FindOpenOutcomes(run);
      if (left.need_all) return parts;
      if (!left.resources.contains(part->names.front())) {
        compare(run, key);
        continue;
      }
      open.insert(open.end(), part->names.begin(), part->names.end());
      open_targets.push_back(key);
    }
    const auto part = controller::FindPart(catalog, open);
    if (open.empty() || !part) return parts;
    controller::DryRun run(*world_.engine, *part, world_.now);
    run.Work(open, Recorded());
    for (const TargetKey& target : open_targets) compare(run, target);
    return parts;
  }

 private:
  /// Reads that know the policies on record.
  [[nodiscard]] controller::DryRun::Reads Recorded() const {
    controller::DryRun::Reads reads;
    reads.stored = world_.Policies();
    return reads;
  }
  static std::string Name(int name) { return "m" + std::to_string(name % kSceneNames); }
  static std::string Target(int target) {
    return EngineWorld::TargetName("t" + std::to_string(target % kSceneTargets));
  }
  static std::string Board(int target) { return "dashboard:b" + std::to_string(target % 2); }
  static std::string Role(int role) {
    constexpr const char* kRoles[kSceneRoles] = {
        "roles/networksecurity.editor", "roles/networksecurity.viewer",
        "roles/networksecurity.interceptDeploymentExternalUser"};
    return kRoles[role % kSceneRoles];
  }
  static std::string Member(int member) { return "user:u" + std::to_string(member) + "@x.example"; }
  static std::vector<std::string> FindMembers(int bits) {
    std::vector<std::string> members;
    for (int i = 0; i < kSceneMembers; ++i) {
      if ((bits >> i) % 2 == 1) members.push_back(Member(i));
    }
    return members;
  }
  static std::vector<std::string> Teams(int bits) {
    std::vector<std::string> teams = {"org:1"};
    for (int i = 0; i < kSceneMembers; ++i) {
      if ((bits >> i) % 2 == 1) teams.push_back("team:t" + std::to_string(i));
    }
    return teams;
  }
  static Json Bindings(const Happening& one) {
    Json bindings = Json::array();
    for (int role = 0; role <= one.role % kSceneRoles; ++role) {
      const auto members = FindMembers(one.members);
      if (!members.empty()) bindings.push_back({{"role", Role(role)}, {"members", members}});
    }
    return bindings;
  }
  [[nodiscard]] bool Exists(int target) const {
    return world_.cloud->Grants(Target(target)) != std::vector<std::string>{"no such target"};
  }

  void Declare(const Happening& one) {
    world_.Remove(Name(one.name));
    Json spec = {{"name", Target(one.target)}, {"role", Role(one.role)}};
    std::string kind = "AuthorizationPolicyIamBinding";
    if (one.variant % 4 == 1) {
      kind = "AuthorizationPolicyIamMember";
      spec["member"] = Member(one.members % kSceneMembers);
    } else if (one.variant % 4 == 2) {
      kind = "AuthorizationPolicyIamPolicy";
      spec.erase("role");
      spec["bindings"] = Bindings(one);
    } else {
      spec["members"] = FindMembers(one.members);
    }
    world_.Put(Name(one.name), {"cloudnative:networksecurity/v1", kind}, spec);
    SetOptions(one);
  }
  void SetOptions(const Happening& one) {
    manifests::Options options;
    const int sort = one.variant / 4;
    if (sort == 1) options.mode = Mode::kObserve;
    if (sort == 2) options.suspend = true;
    if (sort == 3) options.retain_on_delete = one.members % 2 == 0;
    if (sort == 4) options.protect = true;
    if (sort == 5 || sort == 6) {
      auto rare = std::make_shared<manifests::ExtraOptions>();
      rare->depends_on = {Name(one.name + 1 + one.members % 2)};
      rare->depends_on_at = {{1, 1}};
      options.rare = std::move(rare);
    }
    world_.manifests.at(Name(one.name)).options = options;
  }
  /// Whoever is declared by another manifest, where that is a binding.
  void Refer(const Happening& one) {
    const std::string other = Name(one.name + 1);
    const auto found = world_.manifests.find(other);
    if (found == world_.manifests.end()) return;
    if (found->second.token->kind != "AuthorizationPolicyIamBinding") return;
    world_.Remove(Name(one.name));
    const std::string id = "t" + std::to_string(one.target % kSceneTargets);
    world_.DeclareYaml(
        "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
        "metadata: {name: " +
        Name(one.name) + "}\nspec: {name: locations/global/authorizationPolicies/" + id +
        ", role: " + Role(one.role) + ", members: \"${" + other + ".members}\"}\n");
  }

  void Look() {
    world_.facts.newest = world_.now.wall;
    if (world_.Scan().confirm) world_.Scan();
  }

  [[nodiscard]] GrantTexts Policies() const {
    GrantTexts policies;
    for (int i = 0; i < kSceneTargets; ++i) {
      const std::vector<std::string> grants = world_.cloud->Grants(Target(i));
      policies[Target(i)] = {grants.begin(), grants.end()};
    }
    for (int i = 0; i < 2; ++i) {
      std::set<std::string>& grants = policies[Board(i)];
      for (const Json& binding : world_.cloud->Restriction(Board(i))) {
        for (const Json& principal : binding["principals"]) {
          grants.insert(StringMember(binding, "relation") + " " + principal.get<std::string>());
        }
      }
    }
    return policies;
  }
  static PassOutcome Planned(controller::DryRun& run) {
    PassOutcome planned;
    for (const auto& [target, foreseen] : run.foreseen()) {
      const reconcilers::TargetPlan& written = foreseen.written;
      for (const Grant& grant : written.adds()) planned.added[target.name].insert(GetText(grant));
      for (const Grant& grant : written.removes()) {
        planned.removed[target.name].insert(GetText(grant));
      }
    }
    return planned;
  }
  [[nodiscard]] PassOutcome Happened(const GrantTexts& before) const {
    PassOutcome happened;
    for (const auto& [target, grants] : Policies()) {
      const std::set<std::string>& had = before.at(target);
      for (const std::string& grant : grants) {
        if (!had.contains(grant)) happened.added[target].insert(grant);
      }
      for (const std::string& grant : had) {
        if (!grants.contains(grant)) happened.removed[target].insert(grant);
      }
    }
    return happened;
  }

  EngineWorld world_;
};

}  // namespace bindery::testing
