#include <array>

#include "config/config_keys.h"

namespace bindery::config {
namespace {

constexpr double kSecondMillis = 1'000;
constexpr double kDayMillis = 86'400'000;

constexpr std::array<std::string_view, 2> kFormats = {"cloudevents", "slack"};
constexpr std::array<std::string_view, 2> kTypes = {"Normal", "Warning"};
constexpr std::array<std::string_view, 5> kLeastSeverities = {"any", "low", "medium", "high",
                                                              "critical"};

using W = WebhookConfig;

constexpr std::array kWebhookKeys = {
    Key<W>{"url",
           [](W& w) -> Slot { return &w.url; },
           "Where messages go: https://, or http:// on this machine.",
           {},
           true},
    Key<W>{"urlFile", [](W& w) -> Slot { return &w.url_file; },
           "The file that holds the URL, where that is a secret; read again for each message."},
    Key<W>{"format", [](W& w) -> Slot { return Choice(w.format, kFormats); },
           "What a message looks like."},
    Key<W>{"secretFile", [](W& w) -> Slot { return &w.secret_file; },
           "The file with the secret that signs messages, whsec_ and base64; of several lines each "
           "gives a signature."},
    Key<W>{"filter.reasons", [](W& w) -> Slot { return TextListSlot{&w.filter.reasons}; },
           "Only events with a reason that fits one of these patterns, and none that begins with "
           "!."},
    Key<W>{"filter.types", [](W& w) -> Slot { return ChoiceList(w.filter.types, kTypes); },
           "Only events of these types."},
    Key<W>{"filter.minSeverity",
           [](W& w) -> Slot { return Choice(w.filter.least_severity, kLeastSeverities); },
           "Only events of drift that is at least so bad; any: also events that have no severity."},
    Key<W>{"filter.labels", [](W& w) -> Slot { return TextMapSlot{&w.filter.labels}; },
           "Only events that concern a resource with all of these labels."},
    Key<W>{"filter.kinds", [](W& w) -> Slot { return TextListSlot{&w.filter.kinds}; },
           "Only events that concern a resource of a kind that fits, as with reasons."},
    Key<W>{"filter.resources", [](W& w) -> Slot { return TextListSlot{&w.filter.resources}; },
           "Only events that concern a resource whose name fits, as with reasons."},
    Key<W>{"filter.targets", [](W& w) -> Slot { return TextListSlot{&w.filter.targets}; },
           "Only events of a target whose name fits, as with reasons."},
    Key<W>{"timeout",
           [](W& w) -> Slot { return &w.timeout; },
           "How long the receiver may take to answer.",
           {100, 120 * kSecondMillis}},
    Key<W>{"rateLimit.perMinute",
           [](W& w) -> Slot { return &w.per_minute; },
           "The maximum number of messages per minute; waiting events are joined in the next one.",
           {1, 6'000}},
    Key<W>{"rateLimit.burst",
           [](W& w) -> Slot { return &w.burst; },
           "The maximum number of messages in a burst.",
           {1, 1'000}},
    Key<W>{"repeatInterval",
           [](W& w) -> Slot { return &w.repeat_interval; },
           "The same again within this time is not told again; 0s: it is.",
           {0, 365 * kDayMillis}},
    Key<W>{"giveUpAfter",
           [](W& w) -> Slot { return &w.give_up_after; },
           "How old an event may become before it is dropped because the receiver refuses it.",
           {60 * kSecondMillis, 365 * kDayMillis}},
    Key<W>{"caFile", [](W& w) -> Slot { return &w.ca_file; },
           "A PEM file of the certificate authorities to trust instead of transport.caFile."},
    Key<W>{"insecure", [](W& w) -> Slot { return &w.insecure; },
           "Permits http:// to other machines: the messages are sent unencrypted."},
};

}  // namespace

std::span<const Key<WebhookConfig>> WebhookKeys() { return kWebhookKeys; }

}  // namespace bindery::config
