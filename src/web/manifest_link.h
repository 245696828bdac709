#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/codec/source_line.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

/// The address of a line of a file in the repository: `pattern` with the file in the place of
/// {path} and the line, at least 1, in the place of {line}.
[[nodiscard]] std::string RepositoryAddress(const std::string& pattern, const std::string& file,
                                            int line);

/// "payments.yaml:12", as a link to that line in the repository where
/// PageContext::repository_url is set; empty for what is in no file.
[[nodiscard]] Html ManifestLink(const PageContext& context, const std::string& file, int line);
[[nodiscard]] Html ManifestLink(const PageContext& context,
                                const std::optional<report::SourceLine>& source);
/// The same in a column of a list: as InOneLine(), with `more` behind the line.
[[nodiscard]] Html ManifestName(const PageContext& context,
                                const std::optional<report::SourceLine>& source,
                                std::string_view more = "");

}  // namespace bindery::web
