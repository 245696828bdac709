#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bindery::google {

// The members that an allow policy accepts, by their text alone. All pure. The forms are from
// https://cloud.google.com/iam/docs/principal-identifiers.

/// Whether the e-mail address is one of a service account: of a user's, of Google's, of any
/// universe.
[[nodiscard]] bool IsServiceAccountAddress(std::string_view address);

/// The member with the type that its address has: "serviceAccount:a@p.iam.gserviceaccount.com" for
/// "user:a@p.iam.gserviceaccount.com", "user:ana@example.com" for
/// "serviceAccount:ana@example.com". Empty where the type fits, or nothing can be told.
[[nodiscard]] std::string MemberOfItsType(std::string_view member);

/// The sort of a "principal:" or "principalSet:" identifier.
enum class PrincipalForm : std::uint8_t {
  kAllowed,       ///< One of allow policies, or of a host whose forms are not known.
  kOfDenyPolicy,  ///< Of deny policies: "principal://goog/…".
  kAlsoAccount,   ///< What deny policies call a service account: allow policies write its address.
  kOfBoundary,    ///< What principal access boundaries call all of a project, folder or workspace.
  kPoolWithoutProject,  ///< "principalSet://iam.googleapis.com/POOL/…"
  kProjectId,           ///< The id of a project where its number is wanted.
  kWholePool,           ///< A pool without the part that says who of it.
  kOtherType,       ///< One identity as "principalSet:", or a set as "principal:": nobody is meant.
  kMisspelledHost,  ///< A host that is none, but near to one.
  kMisspelledPart,  ///< "attributes.x": what says who of the host is none, but near to one.
  kUnknownSet,      ///< Of a project, folder or organization: a type that is not documented.
  kNoKubernetesAccount,  ///< A subject of a pool of clusters without "ns/NAMESPACE/sa/ACCOUNT".
};

/// Requires: the text begins with one of the two types and "://".
[[nodiscard]] PrincipalForm FormOfPrincipal(std::string_view member);

/// The pool in a member of the form kProjectId: "projects/P/locations/global/…Pools/POOL".
[[nodiscard]] std::string_view PoolInPrincipal(std::string_view member);

/// What an allow policy calls who the identifier of a deny policy names: "user:ana@example.com" of
/// "principal://goog/subject/ana@example.com". Empty where it has no such name.
[[nodiscard]] std::string NameInAllowPolicy(std::string_view member);

/// The host that the writer of one of the form kMisspelledHost meant.
[[nodiscard]] std::string IntendedHost(std::string_view member);

/// The part that the writer of one of the form kMisspelledPart meant: "attribute.x".
[[nodiscard]] std::string IntendedPart(std::string_view member);

/// The account that the writer of "serviceAccount:a@p.iam.gserviceaccount.con" meant, whose domain
/// is near to that of accounts. Empty: nothing is near.
[[nodiscard]] std::string IntendedAccount(std::string_view member);

}  // namespace bindery::google
