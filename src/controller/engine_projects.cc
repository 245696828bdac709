// What project a number is: asked once, and only where a manifest names one by its number.

#include <utility>

#include "controller/call_sender.h"
#include "controller/engine.h"

namespace bindery {

Expected<ProjectIdentity> AskForProject(const ProjectQuestion& question) {
  const Connection& connection = *question.connection;
  const std::string& url = connection.BaseUrl(kResourceManager);
  if (url.empty()) return Fail(Code::kNotFound, "the provider has no resource manager");
  const auto call = ReadingProject(url, question.question.number, question.timeout);
  if (!call) return Fail(call.error());
  const auto body = Send(*call, *connection.transport, *connection.authorizer);
  if (!body) return Fail(body.error());
  auto identity = UnderstandProject(*call, *body);
  if (identity && identity->number != question.question.number) {
    return Fail(Code::kNotFound, "the service answered for project " + identity->number);
  }
  return identity;
}

void AskForProject(const WorkThreads& threads, ProjectQuestion question,
                   std::function<void(Expected<ProjectIdentity>)> answered) {
  PostTo(std::weak_ptr(threads.blocking),
         [question = std::move(question), answered = std::move(answered)] {
           answered(AskForProject(question));
         });
}

void Engine::AskForProjects(const Now& now) {
  ProjectNames& names = catalog_.project_names();
  std::erase_if(ask_again_, [&](const auto& item) {
    if (item.second > now.mono) return false;
    names.AskAgain(item.first);
    return true;
  });
  for (const ProjectNames::Question& question : names.TakeQuestions()) {
    const auto connection = connections_.find(question.provider);
    if (connection == connections_.end()) {
      names.GiveUp(question.number, "there is no provider \"" + question.provider + "\"");
      resolve_due_ = true;
      continue;
    }
    ++questions_;
    actions_.questions.push_back({question, connection->second, settings_.call_timeout});
  }
}

void Engine::Identified(const ProjectNames::Question& question,
                        const Expected<ProjectIdentity>& answer, const Now& now) {
  constexpr std::chrono::seconds kPatience(30);
  --questions_;
  StoreChange change;
  const std::vector<TargetKey> doubted = catalog_.DoubtedTargets();
  if (answer) {
    catalog_.Identify(question.number, answer->id, change);
    LetGoOf(change.forget_targets, now);
  } else if (IsTerminal(answer.error().code)) {
    const std::string why = "the service does not tell its id: " + ToString(answer.error());
    catalog_.project_names().GiveUp(question.number, why);
    Emit(change,
         {now.wall, EventType::kWarning, "ProjectUnknown", "", "projects/" + question.number,
          why + "; manifests that name it by number are taken as they stand, unless others "
                "may name the same policy by the project's id (needs "
                "resourcemanager.projects.get)",
          "bindery"});
  } else {
    ask_again_[question] = now.mono + kPatience;
    return;
  }
  resolve_due_ = true;
  for (const TargetKey& key : doubted) {
    TargetEntry* target = catalog_.FindTarget(key);
    if (target == nullptr) continue;
    target->confirmed_body = {};
    Enqueue(key, Priority::kChange, now.mono);
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
}

/// Nothing is to be done about these targets any more.
void Engine::LetGoOf(const std::vector<Target>& targets, const Now& now) {
  for (const Target& target : targets) {
    const TargetKey key(target);
    Unqueue(key);
    LeavePass(key);
    DropHold(target, now);
  }
}

}  // namespace bindery
