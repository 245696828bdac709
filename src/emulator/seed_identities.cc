#include <chrono>
#include <set>

#include "core/text/time_text.h"
#include "emulator/google/jwt.h"
#include "emulator/rate_limit.h"
#include "emulator/seed_nodes.h"

namespace bindery::emulator {
namespace {

using yaml::Node;
using yaml::NodeKind;

/// {permission, resources}: the permission on the resources only.
Json ReadNarrowPermission(const Node& item) {
  RefuseUnknown(item, {"permission", "resources"});
  Json rule = {{"permission", Field(item, {"permission"}, true)}};
  const Node* resources = item.Find("resources");
  if (resources == nullptr) FaultAt(item, "missing resources");
  rule["resources"] = Json::array();
  for (const Node& glob : NeedKind(*resources, NodeKind::kList, "resources").items) {
    rule["resources"].push_back(Text(glob, "resources"));
  }
  if (rule["resources"].empty()) {
    FaultAt(*resources, "resources: an empty list; leave the entry out to grant nothing");
  }
  return rule;
}

void CheckRateLimits(const Node& list) {
  for (const Node& item : NeedKind(list, NodeKind::kList, "rateLimits").items) {
    if (const auto read = StandingLimitFromJson(ToJson(item)); !read) {
      FaultAt(item, "rateLimits: " + read.error().message);
    }
  }
}

void CheckLifetime(const Node& node) {
  const auto lifetime = ParseDuration(Text(node, "tokenLifetime"));
  if (!lifetime || *lifetime < std::chrono::seconds(1) || *lifetime > std::chrono::hours(12) ||
      *lifetime % std::chrono::seconds(1) != std::chrono::milliseconds(0)) {
    FaultAt(node, "tokenLifetime: expected whole seconds from 1s to 12h");
  }
}

/// Copies the texts of the present names.
void TakeTexts(const Node& map, std::initializer_list<const char*> names, Json& into) {
  for (const char* name : names) {
    if (const std::string text = Field(map, {name}, false); !text.empty()) into[name] = text;
  }
}

void TakePermissions(const Node& map, Json& into) {
  if (const Node* permissions = map.Find("permissions")) {
    into["permissions"] = ReadPermissions(*permissions);
  }
}

/// The items of a list that may be left out.
const std::vector<Node>& Items(const Node& map, const char* name) {
  static const std::vector<Node> kNone;
  const Node* list = map.Find(name);
  if (list == nullptr || list->kind == NodeKind::kNull) return kNone;
  return NeedKind(*list, NodeKind::kList, name).items;
}

Json ReadKeys(const Node& account) {
  Json keys = Json::array();
  std::set<std::string> ids;
  for (const Node& item : Items(account, "keys")) {
    NeedKind(item, NodeKind::kMap, "keys");
    RefuseUnknown(item, {"id", "publicKey"});
    const std::string id = Field(item, {"id"}, true);
    const std::string pem = Field(item, {"publicKey"}, true);
    if (!ids.insert(id).second) FaultAt(item, "keys: \"" + id + "\" is there twice");
    if (const auto key = PublicKey::FromPem(pem); !key) {
      FaultAt(*item.Find("publicKey"), "publicKey: " + key.error().message);
    }
    keys.push_back(Json{{"id", id}, {"publicKey", pem}});
  }
  return keys;
}

}  // namespace

Json ReadPermissions(const Node& list) {
  Json permissions = Json::array();
  for (const Node& item : NeedKind(list, NodeKind::kList, "permissions").items) {
    permissions.push_back(item.kind == NodeKind::kMap ? ReadNarrowPermission(item)
                                                      : Json(Text(item, "permissions")));
  }
  return permissions;
}

Entry ReadCredential(const Node& item) {
  NeedKind(item, NodeKind::kMap, "credentials");
  RefuseUnknown(item, {"token", "bearerToken", "accessToken", "apiKey", "appKey", "applicationKey",
                       "permissions", "expires", "expireTime", "expired", "user", "principal"});
  Json value = Json::object();
  const std::string token = Field(item, {"token", "bearerToken", "accessToken"}, false);
  const std::string api_key = Field(item, {"apiKey"}, false);
  const std::string app_key = Field(item, {"appKey", "applicationKey"}, false);
  if (token.empty() == api_key.empty()) {
    FaultAt(item, "a credential has either a token, or an apiKey and an appKey");
  }
  if (!api_key.empty() && app_key.empty()) FaultAt(item, "missing appKey");
  if (!token.empty()) value["token"] = token;
  if (!api_key.empty()) value["apiKey"] = api_key;
  if (!api_key.empty()) value["appKey"] = app_key;
  if (const Node* permissions = item.Find("permissions")) {
    value["permissions"] = ReadPermissions(*permissions);
  }
  if (const Node* expires = Find(item, {"expires", "expireTime"})) {
    const std::string time = Text(*expires, "expires");
    if (const auto parsed = ParseRfc3339(time); !parsed) {
      FaultAt(*expires, "expires: " + parsed.error().message);
    }
    value["expires"] = time;
  }
  if (const Node* expired = item.Find("expired"); expired != nullptr && expired->AsBool()) {
    value["expires"] = "1970-01-01T00:00:00Z";
  }
  for (const char* name : {"user", "principal"}) {
    if (const std::string text = Field(item, {name}, false); !text.empty()) value[name] = text;
  }
  return {std::string(section::kCredentials), token.empty() ? api_key + "/" + app_key : token,
          std::move(value)};
}

Entry ReadServiceAccount(const Node& item) {
  NeedKind(item, NodeKind::kMap, "serviceAccounts");
  RefuseUnknown(item, {"email", "project", "uniqueId", "keys", "permissions", "impersonators"});
  const std::string email = Field(item, {"email"}, true);
  if (email.find('@') == std::string::npos) {
    FaultAt(*item.Find("email"), "email: \"" + email + "\" is not an e-mail address");
  }
  Json value = {{"email", email}};
  TakeTexts(item, {"project", "uniqueId"}, value);
  if (item.Find("keys") != nullptr) value["keys"] = ReadKeys(item);
  TakePermissions(item, value);
  for (const Node& who : Items(item, "impersonators")) {
    value["impersonators"].push_back(Text(who, "impersonators"));
  }
  return {std::string(section::kServiceAccounts), email, std::move(value)};
}

Entry ReadRefreshToken(const Node& item) {
  NeedKind(item, NodeKind::kMap, "refreshTokens");
  RefuseUnknown(item,
                {"clientId", "clientSecret", "refreshToken", "user", "permissions", "revoked"});
  Json value = Json::object();
  for (const char* name : {"clientId", "clientSecret", "refreshToken", "user"}) {
    value[name] = Field(item, {name}, true);
  }
  if (const Node* revoked = item.Find("revoked")) {
    value["revoked"] = NeedKind(*revoked, NodeKind::kBool, "revoked").AsBool();
  }
  TakePermissions(item, value);
  const std::string key = StringMember(value, "refreshToken");
  return {std::string(section::kRefreshTokens), key, std::move(value)};
}

Entry ReadIdentityPool(const Node& item) {
  NeedKind(item, NodeKind::kMap, "identityPools");
  RefuseUnknown(item, {"audience", "subjectTokenType", "subjectTokens"});
  const std::string audience = Field(item, {"audience"}, true);
  if (audience.rfind("//iam.googleapis.com/", 0) != 0 ||
      audience.find("/providers/") == std::string::npos) {
    FaultAt(*item.Find("audience"),
            "audience: \"" + audience +
                "\" is not of the form //iam.googleapis.com/…/providers/PROVIDER");
  }
  Json value = {{"audience", audience},
                {"subjectTokenType", Field(item, {"subjectTokenType"}, true)},
                {"subjectTokens", Json::array()}};
  for (const Node& subject : Items(item, "subjectTokens")) {
    NeedKind(subject, NodeKind::kMap, "subjectTokens");
    RefuseUnknown(subject, {"token", "subject", "permissions"});
    Json one = {{"token", Field(subject, {"token"}, true)},
                {"subject", Field(subject, {"subject"}, true)}};
    TakePermissions(subject, one);
    value["subjectTokens"].push_back(std::move(one));
  }
  return {std::string(section::kIdentityPools), audience, std::move(value)};
}

Entry ReadMetadata(const Node& node) {
  NeedKind(node, NodeKind::kMap, "metadata");
  RefuseUnknown(node, {"serviceAccount", "project", "universeDomain"});
  Json value = {{"serviceAccount", Field(node, {"serviceAccount"}, true)}};
  TakeTexts(node, {"project", "universeDomain"}, value);
  return {std::string(section::kMetadata), "metadata", std::move(value)};
}

Entry ReadOptions(const Node& node) {
  NeedKind(node, NodeKind::kMap, "options");
  RefuseUnknown(
      node, {"preserveMemberCase", "acceptConditions", "conditionsOnBasicRoles", "unsupportedRoles",
             "allowedMemberDomains", "checkPrincipals", "tokenLifetime", "rateLimits"});
  for (const Node::Entry& field : node.fields) {
    if (field.key == "tokenLifetime") {
      CheckLifetime(field.value);
    } else if (field.key == "rateLimits") {
      CheckRateLimits(field.value);
    } else {
      const bool list = field.key == "unsupportedRoles" || field.key == "allowedMemberDomains";
      NeedKind(field.value, list ? NodeKind::kList : NodeKind::kBool, field.key);
    }
  }
  return {std::string(section::kOptions), "options", ToJson(node)};
}

}  // namespace bindery::emulator
