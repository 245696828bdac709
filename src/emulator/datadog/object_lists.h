#pragma once

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Call::operation of a list of objects with restriction policies; Call::target is their type.
inline constexpr const char* kObjectsList = "object.list";

/// Classifies a list of dashboards, monitors, …; leaves `call` unchanged for any other request.
/// True for such a list.
bool ClassifyObjectList(const httpd::Request& request, Call& call);

/// One page of the objects of the call's type. This cloud has an object for each restriction policy
/// with bindings.
[[nodiscard]] httpd::Response ServeObjectList(Cloud& cloud, const Call& call,
                                              const httpd::Request& request);

}  // namespace bindery::emulator
