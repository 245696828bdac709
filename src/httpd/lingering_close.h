#pragma once

// Private to src/httpd: how a connection ends without cutting off its last answer. The functions
// end in one call of `done`, which keeps the arguments alive and has to close the connection.

#include <boost/beast/core/flat_buffer.hpp>
#include <functional>

#include "httpd/byte_stream.h"

namespace bindery::httpd {

/// Sends no more, and reads and drops what the peer still sends: unread bytes would turn the close
/// into a reset, which can overtake the answer.
void CloseSlowly(ByteStream& stream, boost::beast::flat_buffer& buffer, std::function<void()> done);

/// Ends TLS with a message, so that the peer knows that nothing was cut off. Only for a secure
/// stream.
void SayGoodbye(ByteStream& stream, std::function<void()> done);

}  // namespace bindery::httpd
