#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery::report {

/// A relative URI reference: SARIF wants percent-encoded paths with forward slashes. `prefix`: the
/// folder of a repository in which a relative `file` lies; empty: none is put before it. The path
/// of a folder ends with a slash where `file` does.
[[nodiscard]] std::string MakeUri(const std::string& file, const std::string& prefix = {});

/// Text of others in a message: "[text](place)" would become a link (SARIF 2.1.0, 3.11.6).
[[nodiscard]] std::string SarifText(std::string_view text);

/// What a rule finds: `summary` is a phrase without a full stop, `help` one sentence or several.
/// `page` under docs/ explains it, such as "drift.md". With what GitHub's code scanning requires of
/// a rule (GH2012 of Microsoft's validator).
[[nodiscard]] Json SarifRule(const std::string& id, const std::string& summary,
                             const std::string& help, const std::string& page);

/// A SARIF 2.1.0 log with one run of bindery. `version` may be empty.
[[nodiscard]] Json SarifLog(Json rules, Json results, const std::string& version);

}  // namespace bindery::report
