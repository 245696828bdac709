#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "providers/google/credentials/field_reader.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// Where the token of the other identity provider comes from: `credential_source` of an
/// `external_account` file. It is read again for every exchange.
struct SubjectTokenSource {
  std::string file;  ///< Either this or `url`.
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< Sent to `url`.
  std::string json_field;  ///< The member that holds the token; empty: the text itself is it.

  /// The token. kUnauthenticated, naming the source, if none exists; kUnavailable when the URL does
  /// not answer.
  [[nodiscard]] Expected<std::string> Get(const TokenContext& context, MonoTime give_up_at) const;

  /// "file "PATH"" or the URL without its query.
  [[nodiscard]] std::string Name() const;
};

/// Reads `credential_source`. A fault is left in the reader; kinds that are not supported
/// (AWS, executables, certificates) are faults of code kUnimplemented, which say what to do
/// instead.
[[nodiscard]] SubjectTokenSource ParseSubjectTokenSource(FieldReader& file);

}  // namespace bindery::google
