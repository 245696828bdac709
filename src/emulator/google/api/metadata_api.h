#pragma once

#include <string>

#include "emulator/call.h"
#include "emulator/identities.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// The metadata server of a machine that runs as the seeded service account. Without a seeded
/// `metadata` there is none: every path is a 404.
[[nodiscard]] httpd::Response ServeMetadata(Identities& identities, const Call& call,
                                            const httpd::Request& request);

/// A text in the metadata server's dress: errors have HTML's type, as its own do.
[[nodiscard]] httpd::Response MetadataText(int status, std::string body);

}  // namespace bindery::emulator
