#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cloud/policy_call.h"

namespace bindery {

/// Between the pages in the body of a list. No JSON text contains it (RFC 7464).
inline constexpr char kPageSeparator = '\x1e';

/// The most pages of one list that are read: a longer list is an error, not a truncation.
inline constexpr std::size_t kMaxPages = 100;

/// How a list continues that a service answers in pages. Stateless.
class Pager {
 public:
  virtual ~Pager() = default;
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  /// Takes the page at `url`: may reduce `body` to what is needed of it. The URL of the page after
  /// it; nothing after the last page.
  [[nodiscard]] virtual std::optional<std::string> Take(const std::string& url,
                                                        std::string& body) const = 0;

 protected:
  Pager() = default;
};

/// Takes the answer to `call` as it was sent. True: `call` asks for the next page now. False:
/// `response` is the answer to the whole call: a good one has the bodies of all pages as the pager
/// reduced them, with kPageSeparator between them. kFailedPrecondition for a list of too many pages
/// or bytes.
[[nodiscard]] bool TakePage(PolicyCall& call, Expected<HttpResponse>& response);

}  // namespace bindery
