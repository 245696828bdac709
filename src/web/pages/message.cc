#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {

std::string MessagePage(const PageContext& context, const Message& message) {
  Frame frame;
  frame.title = message.title;
  frame.summary = Capital(message.text);  // Messages begin as they do after a colon.
  frame.live = false;
  frame.has_json = false;
  return Document(context, frame,
                  El("p", {}, El("a", {{"href", message.link}}, message.link_text)));
}

}  // namespace bindery::web
