// The keys of one provider.

#include <array>

#include "config/choice_slot.h"
#include "config/config_keys.h"

namespace bindery {
namespace {

constexpr std::array<std::string_view, 2> kProviderTypes = {"cloudnative", "monitoring"};
constexpr std::array<std::string_view, 5> kCredentialsTypes = {"none", "applicationDefault", "file",
                                                               "accessToken", "accessTokenFile"};

using config_internal::Choice;

using P = ProviderConfig;

constexpr std::string_view kCloudnative = "cloudnative";
constexpr std::string_view kMonitoring = "monitoring";

Slot Endpoint(P& provider, const char* service) {
  return ServiceUrlSlot{&provider.endpoints[service]};
}

constexpr std::array kProviderKeys = {
    Key<P>{"type", [](P& p) -> Slot { return Choice(p.type, kProviderTypes); },
           "Which package of kinds the provider serves."},
    Key<P>{"embedded", [](P& p) -> Slot { return &p.embedded; },
           "Served by the cloud inside this program; the default unless endpoints or credentials "
           "are given."},
    Key<P>{"quota.requestsPerSecond",
           [](P& p) -> Slot { return &p.quota.requests_per_second; },
           "The most requests to send in a second; 0 for no limit.",
           {0, 100'000}},
    Key<P>{"quota.burst",
           [](P& p) -> Slot { return &p.quota.burst; },
           "How many requests may be sent at once; 0 for one second's worth.",
           {0, 100'000}},
    Key<P>{"quota.headroom",
           [](P& p) -> Slot { return &p.quota.headroom; },
           "The part of the limit a service announces that is left to others who share it.",
           {0, 0.95}},
    Key<P>{"project",
           [](P& p) -> Slot { return &p.project; },
           "Completes resource names that carry no project.",
           {},
           false,
           kCloudnative},
    Key<P>{"location",
           [](P& p) -> Slot { return &p.location; },
           "The location of lookups that give none.",
           {},
           false,
           kCloudnative},
    Key<P>{"endpoints.networksecurity",
           [](P& p) -> Slot { return Endpoint(p, "networksecurity"); },
           "Base URL of the network security API.",
           {},
           false,
           kCloudnative},
    Key<P>{"endpoints.backupdr",
           [](P& p) -> Slot { return Endpoint(p, "backupdr"); },
           "Base URL of the backup and disaster recovery API.",
           {},
           false,
           kCloudnative},
    Key<P>{"endpoints.migrationcenter",
           [](P& p) -> Slot { return Endpoint(p, "migrationcenter"); },
           "Base URL of the migration center API.",
           {},
           false,
           kCloudnative},
    Key<P>{"endpoints.cloudresourcemanager",
           [](P& p) -> Slot { return Endpoint(p, "cloudresourcemanager"); },
           "Base URL of the resource manager API, which tells what project a number is.",
           {},
           false,
           kCloudnative},
    Key<P>{"credentials.type",
           [](P& p) -> Slot { return Choice(p.credentials.type, kCredentialsTypes); },
           "Where access tokens come from.",
           {},
           false,
           kCloudnative},
    Key<P>{"credentials.file",
           [](P& p) -> Slot { return &p.credentials.file; },
           "The credential file, or the file that holds the access token; read again when it "
           "changes.",
           {},
           false,
           kCloudnative},
    Key<P>{"credentials.token",
           [](P& p) -> Slot { return &p.credentials.token; },
           "The access token itself, better as ${env:NAME}.",
           {},
           true,
           kCloudnative},
    Key<P>{"quotaProject",
           [](P& p) -> Slot { return &p.quota_project; },
           "The project that calls are counted and billed to, instead of the credentials' choice.",
           {},
           false,
           kCloudnative},
    Key<P>{"universeDomain",
           [](P& p) -> Slot { return &p.universe_domain; },
           "The domain of the services' hosts, instead of the credentials' or googleapis.com.",
           {},
           false,
           kCloudnative},
    Key<P>{"site",
           [](P& p) -> Slot { return &p.site; },
           "The Datadog site, such as datadoghq.eu.",
           {},
           false,
           kMonitoring},
    Key<P>{"apiUrl",
           [](P& p) -> Slot { return ServiceUrlSlot{&p.api_url}; },
           "The base URL of the API, instead of a site.",
           {},
           false,
           kMonitoring},
    Key<P>{"apiKeyFile",
           [](P& p) -> Slot { return &p.api_key_file; },
           "The file that holds the API key; else DD_API_KEY.",
           {},
           false,
           kMonitoring},
    Key<P>{"appKeyFile",
           [](P& p) -> Slot { return &p.app_key_file; },
           "The file that holds the application key; else DD_APP_KEY.",
           {},
           false,
           kMonitoring},
    Key<P>{"bearerTokenFile",
           [](P& p) -> Slot { return &p.bearer_token_file; },
           "The file that holds an access token, instead of keys; else DD_BEARER_TOKEN.",
           {},
           false,
           kMonitoring},
};

}  // namespace

std::span<const Key<ProviderConfig>> ProviderKeys() { return kProviderKeys; }

std::string_view ToString(ProviderType type) {
  return kProviderTypes.at(static_cast<std::size_t>(type));
}

}  // namespace bindery
