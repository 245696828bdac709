#include "controller/project_question.h"

#include <memory>
#include <utility>

#include "controller/call_sender.h"

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

}  // namespace bindery
