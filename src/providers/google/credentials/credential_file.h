#pragma once

#include <memory>
#include <string>

#include "cloud/credentials/small_file.h"
#include "core/base/expected.h"
#include "providers/google/credentials/flows.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

struct LoadedCredential {
  ParsedCredential parsed;
  std::string quota_project;
  std::string universe_domain;
  cloud::FileVersion version;
  std::string warning;  ///< About who may read the file; empty: none.
};

/// Reads a JSON credential file of any supported `type`. kUnauthenticated when it cannot be read,
/// kInvalidArgument naming the field when it is wrong, kUnimplemented for kinds that are not
/// supported, with what to use instead.
[[nodiscard]] Expected<LoadedCredential> LoadCredentialFile(const std::string& path,
                                                            const TokenContext& context);

/// Tokens by what the file says at the time: a key that is replaced there is taken up with the next
/// token. While the new content cannot be used, the old one is tried.
[[nodiscard]] std::unique_ptr<TokenSource> FollowCredentialFile(std::string path,
                                                                LoadedCredential loaded,
                                                                TokenContext context);

}  // namespace bindery::google
