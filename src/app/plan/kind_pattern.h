#pragma once

#include <string_view>

#include "manifests/schema/schema.h"

namespace bindery::app {

/// Whether a kind is one of those that a pattern of the command line asks for, in any case. A text
/// is to be part of one of the kind's tokens; one with `*` or `?` is to match a token as a whole,
/// with or without its package ("pubsub/v1:Topic*"), or the name of the kind alone. The empty
/// pattern asks for all.
[[nodiscard]] bool FitsKindPattern(const manifests::KindSchema& kind, std::string_view pattern);

}  // namespace bindery::app
