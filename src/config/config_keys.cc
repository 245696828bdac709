#include "config/config_keys.h"

#include <array>
#include <optional>

namespace bindery::config {
namespace {

constexpr double kSecond = 1'000;
constexpr double kDay = 86'400'000;

constexpr std::array<std::string_view, 2> kModes = {"enforce", "observe"};
constexpr std::array<std::string_view, 3> kUndeclaredRoles = {"remove", "keep", "report"};
constexpr std::array<std::string_view, 2> kBindingKeys = {"role", "roleAndCondition"};
constexpr std::array<std::string_view, 2> kDefaultAccounts = {"keep", "drift"};
constexpr std::array<std::string_view, 2> kProofs = {"grant", "form"};
constexpr std::array<std::string_view, 4> kLevels = {"debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kLogFormats = {"text", "json"};
constexpr std::array<std::string_view, 5> kHoldSeverities = {"low", "medium", "high", "critical",
                                                             "none"};

using C = Config;

constexpr std::array kConfigKeys = {
    Key<C>{"manifests.directory", [](C& c) -> Slot { return &c.manifests.directory; },
           "The directory of manifests to keep true."},
    Key<C>{"manifests.recursive", [](C& c) -> Slot { return &c.manifests.recursive; },
           "Whether folders below the directory are read too."},
    Key<C>{"manifests.rescanInterval",
           [](C& c) -> Slot { return &c.manifests.rescan_interval; },
           "How often the whole directory is read again, whatever the watcher said.",
           {kSecond, kDay}},
    Key<C>{"manifests.debounce",
           [](C& c) -> Slot { return &c.manifests.debounce; },
           "How long the directory must have been quiet before a change is read.",
           {0, 60 * kSecond}},
    Key<C>{"manifests.settle",
           [](C& c) -> Slot { return &c.manifests.settle; },
           "How long the directory must have said the same, and nothing been written in it, before "
           "something is removed because it is not declared; 0: two scans are enough.",
           {0, kDay}},
    Key<C>{
        "manifests.verifyContent",
        [](C& c) -> Slot { return &c.manifests.verify_content; },
        "In that time every manifest file is read again, spread over the time, though its time "
        "stamps did not change; 0: never. Where time stamps prove nothing (network file systems, "
        "FUSE, read-only images) every scan reads all files.",
        {0, 365 * kDay}},
    Key<C>{"manifests.repositoryUrl", [](C& c) -> Slot { return &c.manifests.repository_url; },
           "The address of a manifest in its repository, for links of the dashboard: {path} stands "
           "for the file below manifests.directory, {line} for its line."},
    Key<C>{"manifests.maxFiles",
           [](C& c) -> Slot { return &c.manifests.max_files; },
           "A directory with more manifest files is refused as a whole; whatever bears the "
           "name of one counts.",
           {1, 1'000'000}},
    Key<C>{"manifests.maxBytes",
           [](C& c) -> Slot { return &c.manifests.max_bytes; },
           "A directory whose manifest files are larger together is refused as a whole.",
           {1, 2'147'483'647}},
    Key<C>{"store.url", [](C& c) -> Slot { return StoreUrlSlot{&c.store}; },
           "Where the state is kept: sqlite:PATH, or postgresql://USER@HOST/DATABASE for replicas "
           "that "
           "share it (docs/fleet.md)."},
    Key<C>{
        "store.witness", [](C& c) -> Slot { return &c.store_witness; },
        "The file that tells the next start how far the store was, so that an older one in its "
        "place is noticed: one for each store, where a restore of the store does not put it back "
        "too. Without a path it is in the state folder of the unit or the user."},
    Key<C>{"reconcile.interval",
           [](C& c) -> Slot { return &c.reconcile.interval; },
           "How often every target is observed again.",
           {kSecond, 365 * kDay}},
    Key<C>{"reconcile.shortestInterval",
           [](C& c) -> Slot { return &c.reconcile.shortest_interval; },
           "How often a target that drifts again and again may be observed; 0s: every interval.",
           {0, 365 * kDay}},
    Key<C>{"reconcile.longestInterval",
           [](C& c) -> Slot { return &c.reconcile.longest_interval; },
           "How long a target that never drifts may go unobserved; 0s: an interval.",
           {0, 365 * kDay}},
    Key<C>{"reconcile.requestsPerMinute",
           [](C& c) -> Slot { return &c.reconcile.requests_per_minute; },
           "How many observations a minute may take, of all targets; 0: one a target in an "
           "interval.",
           {0, 1'000'000}},
    Key<C>{"reconcile.exactInterval",
           [](C& c) -> Slot { return &c.reconcile.exact_interval; },
           "How often a target is observed itself that scans with hints show as it was observed "
           "last (docs/scan.md); 0s: every interval.",
           {0, 365 * kDay}},
    Key<C>{"reconcile.jitter",
           [](C& c) -> Slot { return &c.reconcile.jitter; },
           "The part of the interval by which observations are spread.",
           {0, 1}},
    Key<C>{"reconcile.concurrency",
           [](C& c) -> Slot { return &c.reconcile.concurrency; },
           "The maximum number of targets worked on concurrently.",
           {1, 1024}},
    Key<C>{"reconcile.shareChecks", [](C& c) -> Slot { return &c.reconcile.share_checks; },
           "Replicas that stand by read targets for the one at work (docs/fleet.md)."},
    Key<C>{"reconcile.mode", [](C& c) -> Slot { return Choice(c.reconcile.mode, kModes); },
           "enforce repairs drift; observe only reports it and writes nothing."},
    Key<C>{
        "reconcile.undeclaredRoles",
        [](C& c) -> Slot { return Choice(c.reconcile.undeclared_roles, kUndeclaredRoles); },
        "remove makes a policy what the directory declares for it; keep writes roles that nothing "
        "declares back as they are; report does so, too, and each grant that nothing declares is "
        "open drift, of all kinds."},
    Key<C>{"reconcile.bindingKey",
           [](C& c) -> Slot { return Choice(c.reconcile.binding_key, kBindingKeys); },
           "What one binding declares alone on a target: role, or roleAndCondition, so that one "
           "role can have a binding for each condition."},
    Key<C>{"reconcile.fullReadEvery",
           [](C& c) -> Slot { return &c.reconcile.full_read_every; },
           "One of this many checks of a target reads its whole policy; the others only ask "
           "whether its etag moved, where etags can be relied on. 1: every check reads it.",
           {1, 100}},
    Key<C>{"reconcile.shutdownTimeout",
           [](C& c) -> Slot { return &c.reconcile.shutdown_timeout; },
           "How long work under way may take to finish when the daemon is told to stop.",
           {0, 3'600 * kSecond}},
    Key<C>{
        "reconcile.confirmEmptied",
        [](C& c) -> Slot { return &c.reconcile.confirm_emptied; },
        "How long a policy must be answered without most of what it held, or a lookup with another "
        "id, before anything is done about it; 0s: no wait.",
        {0, 3'600 * kSecond}},
    Key<C>{"reconcile.releaseMissing",
           [](C& c) -> Slot { return &c.reconcile.release_missing; },
           "How long a target must not be found before what a manifest that is gone granted on it "
           "counts as gone with it.",
           {kSecond, 365 * kDay}},
    Key<C>{"reconcile.warnBeforeExpiry",
           [](C& c) -> Slot {
             return DurationListSlot{&c.reconcile.warn_before_expiry, 5};
           },
           "How long before the end of a grant's condition warning events tell of it; an empty "
           "list: never.",
           {kSecond, 365 * kDay}},
    Key<C>{"targets", [](C& c) -> Slot { return TargetRulesSlot{&c.targets}; },
           "Settings of single targets: rules that are tried in order, before the defaults."},
    Key<C>{
        "kinds", [](C& c) -> Slot { return TextListSlot{&c.kinds}; },
        "Files with kinds of Google Cloud resources that bindery does not know; they take effect "
        "at the next start."},
    Key<C>{"protectedPrincipals.add",
           [](C& c) -> Slot { return TextListSlot{&c.protected_principals.add}; },
           "Patterns of principals whose undeclared grants stay and are no drift."},
    Key<C>{"protectedPrincipals.grants",
           [](C& c) -> Slot { return ProtectedGrantsSlot{&c.protected_principals.grants}; },
           "Undeclared grants under some conditions that stay and are no drift."},
    Key<C>{"protectedPrincipals.remove",
           [](C& c) -> Slot { return TextListSlot{&c.protected_principals.remove}; },
           "Patterns of principals whose undeclared grants are drift, although bindery knows them "
           "as service agents or default accounts; wins over add."},
    Key<C>{"protectedPrincipals.defaultAccounts",
           [](C& c) -> Slot {
             return Choice(c.protected_principals.default_accounts, kDefaultAccounts);
           },
           "keep leaves roles/editor to the default accounts of a project; drift treats them like "
           "other accounts. Not of the two kinds that replace whole policies."},
    Key<C>{"justInTime.proof", [](C& c) -> Slot { return Choice(c.just_in_time, kProofs); },
           "What bindings of Privileged Access Manager are told by: the grant behind each, as the "
           "service tells it, or the form of their condition alone."},
    Key<C>{"guard.maxRemovedGrants", [](C& c) -> Slot { return &c.guard.max_removed_grants; },
           "What removes more grants within guard.window is held until it is approved."},
    Key<C>{"guard.maxRemovedFraction",
           [](C& c) -> Slot { return &c.guard.max_removed_fraction; },
           "The same, as a part of what the directory held, in all, on a provider and on a target; "
           "counts from 10 removals on, and in a small directory from half of it on.",
           {0, 1}},
    Key<C>{"guard.maxRemovedFromContainers",
           [](C& c) -> Slot { return &c.guard.max_removed_from_containers; },
           "The same number for the policies of organizations, folders, projects and billing "
           "accounts, together."},
    Key<C>{"guard.maxRemovedByKind",
           [](C& c) -> Slot { return CountMapSlot{&c.guard.max_removed_by_kind}; },
           "The same number for the policies of single kinds: patterns such as pubsub:*, and how "
           "many grants may go from all policies that one matches.",
           {0, 2'147'483'647}},
    Key<C>{"guard.window",
           [](C& c) -> Slot { return &c.guard.window; },
           "How long a removal counts against these limits.",
           {60 * kSecond, 7 * kDay}},
    Key<C>{"guard.holdSeverity",
           [](C& c) -> Slot { return Choice(c.guard.hold_severity, kHoldSeverities); },
           "A grant that a manifest no longer declares waits for an approval, whatever the number, "
           "when its loss is that severe or worse; none: only numbers count."},
    Key<C>{"transport.caFile", [](C& c) -> Slot { return &c.transport.ca_file; },
           "A PEM file of the certificate authorities to trust instead of the system's."},
    Key<C>{"transport.proxy",
           [](C& c) -> Slot { return &c.transport.proxy; },
           "The proxy to the clouds, http://, https:// or socks5h://; empty for what the "
           "environment says, none for no proxy.",
           {},
           true},
    Key<C>{"transport.noProxy", [](C& c) -> Slot { return &c.transport.no_proxy; },
           "Hosts, domains and networks that are reached without the proxy, comma-separated; empty "
           "for no_proxy of the environment."},
    Key<C>{"transport.connectTimeout",
           [](C& c) -> Slot { return &c.transport.connect_timeout; },
           "How long a connection may take to be made.",
           {1, 600 * kSecond}},
    Key<C>{"transport.timeout",
           [](C& c) -> Slot { return &c.transport.timeout; },
           "How long one call may take from its start to the last byte of the answer.",
           {1, 600 * kSecond}},
    Key<C>{"embeddedCloud.store", [](C& c) -> Slot { return &c.embedded_cloud.store; },
           "The SQLite file of the embedded cloud."},
    Key<C>{"embeddedCloud.seed", [](C& c) -> Slot { return &c.embedded_cloud.seed; },
           "What the embedded cloud holds at first."},
    Key<C>{"embeddedCloud.listen", [](C& c) -> Slot { return &c.embedded_cloud.listen; },
           "Where the embedded cloud listens."},
    Key<C>{"embeddedCloud.maxConnections",
           [](C& c) -> Slot { return &c.embedded_cloud.max_connections; },
           "How many connections it holds; beyond that the one that has been idle for the longest "
           "time is closed.",
           {1, 100'000}},
    Key<C>{"server.listen", [](C& c) -> Slot { return &c.server.listen; },
           "Where metrics, health, API and dashboard are served."},
    Key<C>{"server.socket", [](C& c) -> Slot { return &c.server.socket; },
           "The UNIX socket that commands of this machine use."},
    Key<C>{"server.webConfigFile", [](C& c) -> Slot { return &c.server.web_config; },
           "TLS, users and limits of the listener, in the form that exporters of Prometheus share; "
           "empty for plain HTTP without authentication."},
    Key<C>{"server.insecure", [](C& c) -> Slot { return &c.server.insecure; },
           "Permits listeners beyond loopback without authentication."},
    Key<C>{
        "server.allowedHosts", [](C& c) -> Slot { return TextListSlot{&c.server.allowed_hosts}; },
        "Names and addresses, besides localhost and its own, by which the listener may be asked: "
        "name, *.domain or * for any."},
    Key<C>{
        "server.maxConnections",
        [](C& c) -> Slot { return &c.server.max_connections; },
        "How many connections the listener holds; beyond that the one that has been idle for the "
        "longest time is closed.",
        {1, 100'000}},
    Key<C>{"server.maxConnectionsPerPeer",
           [](C& c) -> Slot { return &c.server.max_connections_per_peer; },
           "How many of them one IPv4 address, or one IPv6 /64, may have.",
           {1, 100'000}},
    Key<C>{"server.maxSocketConnections",
           [](C& c) -> Slot { return &c.server.max_socket_connections; },
           "How many connections the UNIX socket holds.",
           {1, 100'000}},
    Key<C>{"server.maxStreams",
           [](C& c) -> Slot { return &c.server.max_streams; },
           "The maximum number of event streams.",
           {1, 10'000}},
    Key<C>{"server.maxStreamsPerReader",
           [](C& c) -> Slot { return &c.server.max_streams_per_reader; },
           "The maximum number of them per user, or per address without authentication.",
           {1, 10'000}},
    Key<C>{"logging.level", [](C& c) -> Slot { return Choice(c.logging.level, kLevels); },
           "The least important lines that are written."},
    Key<C>{"logging.format", [](C& c) -> Slot { return Choice(c.logging.format, kLogFormats); },
           "text for people, json for machines."},
    Key<C>{"tracing.endpoint", [](C& c) -> Slot { return &c.tracing.endpoint; },
           "The base URL of the collector that traces go to by OTLP over HTTP; empty: they go "
           "nowhere."},
    Key<C>{"tracing.sampleRatio",
           [](C& c) -> Slot { return &c.tracing.sample_ratio; },
           "The part of the traces that is exported.",
           {0, 1}},
    Key<C>{
        "tracing.headersFile", [](C& c) -> Slot { return &c.tracing.headers_file; },
        "The file of headers the collector wants, one Name: value a line; read for each export."},
    Key<C>{"tracing.serviceName", [](C& c) -> Slot { return &c.tracing.service_name; },
           "What this daemon is called in traces."},
    Key<C>{"tracing.timeout",
           [](C& c) -> Slot { return &c.tracing.timeout; },
           "How long one export may take.",
           {1, 600 * kSecond}},
    Key<C>{"drift.severity", [](C& c) -> Slot { return SeverityRulesSlot{&c.drift.severity}; },
           "How bad differences are: rules that are tried in order, before the built-in ones."},
    Key<C>{"drift.accept", [](C& c) -> Slot { return AcceptedDriftSlot{&c.drift.accept}; },
           "Differences that may stay for some time: they are neither repaired nor counted as "
           "drift."},
    Key<C>{"reports.directory", [](C& c) -> Slot { return &c.reports.directory; },
           "Where drift reports are written."},
    Key<C>{"reports.formats",
           [](C& c) -> Slot { return ChoiceList(c.reports.formats, kReportFormatNames); },
           "The formats to write; an empty list writes none."},
    Key<C>{"reports.keep",
           [](C& c) -> Slot { return &c.reports.keep; },
           "How many reports of each format are kept.",
           {1, 1'000'000}},
    Key<C>{"reports.maxBytes",
           [](C& c) -> Slot { return &c.reports.max_bytes; },
           "The oldest reports are deleted where all of them are larger together.",
           {1, 2'147'483'647}},
    Key<C>{"reports.interval",
           [](C& c) -> Slot { return &c.reports.interval; },
           "The longest time without a report when nothing changes; 0s: no limit.",
           {0, 365 * kDay}},
    Key<C>{"reports.minimumInterval",
           [](C& c) -> Slot { return &c.reports.minimum_interval; },
           "The least time between two reports: what changes meanwhile is in the next one.",
           {0, kDay}},
    Key<C>{
        "attribution.directory", [](C& c) -> Slot { return &c.attribution.directory; },
        "Where exports of the clouds' audit logs are put, which say who made a difference; empty: "
        "nothing is said of it."},
    Key<C>{"attribution.interval",
           [](C& c) -> Slot { return &c.attribution.interval; },
           "How often that directory is looked through.",
           {kSecond, kDay}},
    Key<C>{"notifications.source", [](C& c) -> Slot { return &c.notifications.source; },
           "Who speaks, as the source of CloudEvents; empty: /bindery/ and the name of the host."},
    Key<C>{"notifications.webhooks",
           [](C& c) -> Slot { return WebhooksSlot{&c.notifications.webhooks}; },
           "Who is told of events, by names of your choice."},
    Key<C>{"retention.events",
           [](C& c) -> Slot { return &c.retention.events; },
           "How long events, and entries of audit logs, are kept.",
           {kSecond, 36'500 * kDay}},
    Key<C>{"retention.revisions",
           [](C& c) -> Slot { return &c.retention.revisions; },
           "How many recorded policies of each target are kept.",
           {1, 1'000'000}},
    Key<C>{"hardening.noNewPrivileges",
           [](C& c) -> Slot { return &c.server.hardening.no_new_privileges; },
           "Whether the daemon gives up the right to gain privileges."},
    Key<C>{"hardening.seccomp", [](C& c) -> Slot { return &c.server.hardening.seccomp; },
           "Whether the daemon gives up system calls it never needs: to run programs, to trace, to "
           "mount. Needs hardening.noNewPrivileges."},
    Key<C>{"hardening.landlock", [](C& c) -> Slot { return &c.server.hardening.landlock; },
           "Whether the daemon gives up writing outside its own folders, where the kernel has "
           "Landlock. Needs hardening.noNewPrivileges."},
    Key<C>{"hardening.coreDumps", [](C& c) -> Slot { return &c.server.hardening.core_dumps; },
           "Whether a crash may leave a core file, which holds secrets."},
};

}  // namespace

std::span<const Key<Config>> ConfigKeys() { return kConfigKeys; }

}  // namespace bindery::config
