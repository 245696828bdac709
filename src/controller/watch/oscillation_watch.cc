#include "controller/watch/oscillation_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/text/time_text.h"
#include "manifests/schema/check_text.h"

namespace bindery::controller {
namespace {

/// A name without its project, and the project: "projects/PROJECT/REST".
struct InProject {
  std::string_view project;
  std::string_view rest;
};

InProject SplitProject(std::string_view name) {
  constexpr std::string_view kProjects = "projects/";
  if (!name.starts_with(kProjects)) return {"", name};
  name.remove_prefix(kProjects.size());
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return {name, ""};
  return {name.substr(0, slash), name.substr(slash)};
}

/// Both may name one policy: by project id and number, or through two providers.
bool MayBeOne(const Target& one, const Target& other) {
  if (one.kind != other.kind || one == other) return false;
  if (one.name == other.name) return true;
  const InProject a = SplitProject(one.name);
  const InProject b = SplitProject(other.name);
  return one.scope == other.scope && a.rest == b.rest &&
         manifests::IsDecimal(a.project) != manifests::IsDecimal(b.project);
}

}  // namespace

void OscillationWatch::SetInterval(std::chrono::milliseconds interval) {
  interval_ = interval;
  breaker_.SetLimits(OscillationBreaker::LimitsFor(interval));
}

void OscillationWatch::PassTime(const Now& now) {
  if (now.mono < sweep_due_) return;
  breaker_.Sweep(now.mono);
  sweep_due_ = now.mono + interval_;
}

std::optional<Event> OscillationWatch::NoteRound(const TargetKey& key, const Sha256Digest& before,
                                                 const Sha256Digest& after, const Now& now) {
  const auto standing = breaker_.Wrote(key, before, after, now.mono, now.wall);
  if (!standing || !standing->tripped_now) return std::nullopt;
  return Event{now.wall, EventType::kWarning, std::string(reason::kOscillating),
               "",       key->name,           WhyPaused(key),
               "bindery"};
}

/// Manifests on what may be the same policy; empty if none exists.
std::string OscillationWatch::FindRival(const TargetKey& key) const {
  for (const auto& [other, target] : catalog_.claims().targets()) {
    if (!MayBeOne(*key, *other) || target.resources.empty()) continue;
    const ResourceEntry& entry = *target.resources.front();
    const std::string through = key->name == other->name
                                    ? "through provider \"" + entry.place.provider.str() + "\""
                                    : "as \"" + other->name + "\"";
    return fmt::format("{} ({}) declares what may be the same policy, {}", entry.name,
                       entry.source().Text(), through);
  }
  return "";
}

std::string OscillationWatch::WhyPaused(const TargetKey& key) const {
  const auto standing = breaker_.Find(key);
  if (!standing) return "it is changed back and forth";
  const std::string rival = FindRival(key);
  return fmt::format(
      "written {} times since {}, last at {}, and changed back each time: {}; differences are "
      "reported, and it is written again rarely (bindery reconcile tries now)",
      standing->rounds, FormatRfc3339(standing->since), FormatRfc3339(standing->last),
      rival.empty() ? "another writer has it otherwise (bindery history and bindery drift show its "
                      "changes)"
                    : rival);
}

}  // namespace bindery::controller
