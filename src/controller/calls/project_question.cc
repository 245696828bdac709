#include "controller/calls/project_question.h"

#include <memory>
#include <utility>

#include "controller/calls/call_sender.h"
#include "providers/registry/providers.h"

namespace bindery::controller {

Expected<reconcilers::ProjectIdentity> AskForProject(const ProjectQuestion& question) {
  const cloud::Connection& connection = *question.connection;
  return providers::ProviderOfType(connection.type)
      .AskForProject(connection, question.question.number, question.timeout);
}

void AskForProject(const WorkThreads& threads, ProjectQuestion question,
                   std::function<void(Expected<reconcilers::ProjectIdentity>)> answered) {
  PostTo(std::weak_ptr(threads.blocking),
         [question = std::move(question), answered = std::move(answered)] {
           answered(AskForProject(question));
         });
}

}  // namespace bindery::controller
