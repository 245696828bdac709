#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {

std::string AccountPage(const PageContext& context) {
  Frame frame;
  frame.title = "Account";
  frame.live = false;
  frame.has_json = false;
  if (context.user.empty()) {
    frame.summary = "Nobody has signed in.";
    return Document(context, frame, {});
  }
  frame.summary = context.user + " has the role " + context.role + ".";
  Html content = El(
      "p", {},
      "A viewer reads. An operator also checks, suspends and resumes resources. An approver also "
      "decides about held removals and rolls back. Groups are as of the sign-in.");
  if (context.may_sign_out) content.Add(ActionForm("/auth/logout", "Sign out", {}));
  return Document(context, frame, content);
}

}  // namespace bindery::web
