#include "web/manifest_link.h"

#include <algorithm>
#include <string_view>

#include "httpd/url.h"
#include "web/parts.h"

namespace bindery::web {

std::string RepositoryAddress(const std::string& pattern, const std::string& file, int line) {
  constexpr std::string_view kPath = "{path}";
  constexpr std::string_view kLine = "{line}";
  std::string address;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::string_view rest = std::string_view(pattern).substr(at);
    if (rest.starts_with(kPath)) {
      address += httpd::PercentEncode(file, "/");
      at += kPath.size();
    } else if (rest.starts_with(kLine)) {
      address += std::to_string(std::max(line, 1));
      at += kLine.size();
    } else {
      address += pattern[at++];
    }
  }
  return address;
}

Html ManifestLink(const PageContext& context, const std::string& file, int line) {
  const std::string place = FindPlace(file, line);
  if (place.empty() || context.repository_url.empty()) return Breakable(place);
  return El("a",
            {{"href", RepositoryAddress(context.repository_url, file, line)},
             {"class", "word"},
             {"rel", "noreferrer"}},
            Breakable(place));
}

Html ManifestLink(const PageContext& context, const std::optional<report::SourceLine>& source) {
  return source ? ManifestLink(context, source->file, source->line) : Html();
}

Html ManifestName(const PageContext& context, const std::optional<report::SourceLine>& source,
                  std::string_view more) {
  std::string place = web::FindPlace(source);
  if (place.empty()) return {};
  place += more;
  const std::string look = NameClass(place);
  if (context.repository_url.empty()) {
    return El("span", {{"class", look}, {"title", place}}, InOneLine(place));
  }
  return El("a",
            {{"href", RepositoryAddress(context.repository_url, source->file, source->line)},
             {"class", look},
             {"title", place},
             {"rel", "noreferrer"}},
            InOneLine(place));
}

}  // namespace bindery::web
