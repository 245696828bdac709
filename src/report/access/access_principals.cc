#include "report/access/access_principals.h"

#include <algorithm>
#include <map>

#include "core/text/ascii.h"
#include "report/access/observed_access.h"
#include "report/access/principal_match.h"

namespace bindery::report {
namespace {

/// "ana@example.com" of "user:Ana@example.com", the subject of "principal://…/subject/…".
std::string GetValue(std::string_view principal) {
  constexpr std::string_view kSubject = "/subject/";
  if (const auto subject = principal.find(kSubject);
      principal.starts_with("principal:") && subject != std::string_view::npos) {
    return AsciiLower(principal.substr(subject + kSubject.size()));
  }
  const auto colon = principal.find(':');
  return colon == std::string_view::npos ? AsciiLower(principal)
                                         : AsciiLower(principal.substr(colon + 1));
}

std::string Listed(const std::vector<std::string>& principals) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(principals.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + principals[i];
  }
  return principals.size() > kMost ? text + ", …" : text;
}

/// The matching named principals, each in one spelling.
template <typename Fits>
std::vector<std::string> Those(const std::set<std::string>& named, const Fits& fits) {
  std::map<std::string, std::string> found;  // by their normal form
  for (const std::string& principal : named) {
    const std::string plain = Undeleted(principal);
    if (fits(GetValue(plain))) {
      found.try_emplace(CommonNormalForm(plain), plain);
    }
  }
  std::vector<std::string> list;
  for (const auto& [normal, principal] : found) list.push_back(principal);
  return list;
}

}  // namespace

bool IsWholePrincipal(std::string_view principal) {
  return principal.find(':') != std::string_view::npos || !MembershipNote(principal).empty();
}

bool MayBeMeant(const std::string& asked, const std::string& principal) {
  return GetValue(Undeleted(principal)).find(GetValue(asked)) != std::string::npos;
}

AskedPrincipals FindPrincipals(const std::string& asked, const std::set<std::string>& named) {
  if (asked.empty() || IsWholePrincipal(asked)) return {{asked}, ""};
  const std::string wanted = AsciiLower(asked);
  auto found = Those(named, [&](const std::string& value) { return value == wanted; });
  if (found.empty()) {
    found = Those(named, [&](const std::string& value) { return value.starts_with(wanted + "@"); });
  }
  if (!found.empty()) {
    const bool as_asked = found.size() == 1 && found.front() == asked;
    std::string note = as_asked ? "" : "\"" + asked + "\" is " + Listed(found);
    return {std::move(found), std::move(note)};
  }
  const bool robot = wanted.ends_with("gserviceaccount.com");
  const std::string guess = (robot ? "serviceAccount:" : "user:") + asked;
  if (asked.find('@') != std::string::npos && HasPrincipalForm(guess)) {
    return {{guess}, "no policy names " + asked + "; answered for " + guess};
  }
  const auto alike = Those(
      named, [&](const std::string& value) { return value.find(wanted) != std::string::npos; });
  return {{},
          "no policy names \"" + asked + "\"" +
              (alike.empty() ? std::string() : "; those that have it in their names: ") +
              Listed(alike)};
}

std::string OfAnotherSort(const std::string& asked, const std::set<std::string>& named) {
  const std::string wanted = GetValue(asked);
  const auto others = Those(named, [&](const std::string& value) { return value == wanted; });
  return Listed(others);
}

}  // namespace bindery::report
