#pragma once

namespace bindery::testing {

inline constexpr const char* kViewer = "roles/viewer";
inline constexpr const char* kEditor = "roles/editor";
inline constexpr const char* kAna = "user:ana@example.com";
inline constexpr const char* kBob = "user:bob@example.com";
inline constexpr const char* kEve = "user:eve@example.com";
inline constexpr const char* kAnaViews = "roles/viewer user:ana@example.com";
inline constexpr const char* kBobViews = "roles/viewer user:bob@example.com";
inline constexpr const char* kEveViews = "roles/viewer user:eve@example.com";
inline constexpr const char* kEveOwns = "roles/owner user:eve@example.com";
inline constexpr const char* kReady = "Ready ReconciliationSucceeded";
/// Bindings of a policy in the cloud.
inline constexpr const char* kAnaOnT =
    R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])";
inline constexpr const char* kOwnerByHand =
    R"([{"role":"roles/owner","members":["user:eve@example.com"]}])";

}  // namespace bindery::testing
