#include "app/examples.h"

#include <array>
#include <string>
#include <string_view>

namespace bindery {
namespace {

struct Example {
  std::string_view command;  ///< "guard approve"; empty for the program itself.
  std::string_view lines;
};

constexpr std::array kExamples = {
    Example{"", "bindery validate manifests\nbindery plan\nbindery run"},
    Example{"run", "bindery run -c /etc/bindery/bindery.yaml\nbindery run --once --severity high"},
    Example{"health", "bindery health\nbindery health --liveness --timeout 2s"},
    Example{"schema",
            "bindery schema > manifest.schema.json\n"
            "bindery schema monitoring:RestrictionPolicy --fields"},
    Example{"kinds", "bindery kinds bucket\nbindery kinds 'cloudnative:compute/*' -o json"},
    Example{"emulator", "bindery emulator --store cloud.db --seed embedded-cloud.yaml"},
    Example{"help", "bindery help rollback\nbindery help store backup"},
    Example{"version", "bindery version\nbindery version -o json"},
    Example{"validate",
            "bindery validate\nbindery validate payments.yaml\n"
            "envsubst < payments.yaml | bindery validate -\n"
            "bindery validate manifests -o sarif > bindery.sarif"},
    Example{"check", "bindery check -c /etc/bindery/bindery.yaml"},
    Example{"plan",
            "bindery plan\nbindery plan payments-viewers -o json\nbindery plan --severity high "
            "--detailed-exitcode"},
    Example{"drift accept",
            "bindery drift accept 17 --reason 'break-glass for incident 42' --owner "
            "ana@example.com\nbindery drift accept 17 --reason 'moves next week' --owner "
            "payments --until 2026-12-01 --write"},
    Example{"get",
            "bindery get\nbindery get RestrictionPolicy -l team=payments\n"
            "bindery get -l 'team in (payments,storefront),!test' --not-ready\n"
            "bindery get payments-viewers -o yaml\nbindery get --watch"},
    Example{"explain", "bindery explain payments-viewers"},
    Example{"events",
            "bindery events --since yesterday\nbindery events payments-viewers --limit 20\n"
            "bindery events --follow -o json | jq .message"},
    Example{"history", "bindery history payments-viewers\nbindery history payments-viewers 12"},
    Example{"convert",
            "bindery convert Pulumi.yaml -d manifests\n"
            "bindery convert --from terraform main.tf.json > manifests.yaml"},
    Example{"reconcile",
            "bindery reconcile payments-viewers\nbindery reconcile -l team=payments\n"
            "bindery reconcile --all"},
    Example{"suspend",
            "bindery suspend payments-viewers payments-editors\nbindery suspend -l team=payments"},
    Example{"resume", "bindery resume payments-viewers\nbindery resume --all"},
    Example{"forget", "bindery forget payments-viewers"},
    Example{
        "rollback",
        "bindery history payments-viewers\nbindery rollback payments-viewers 12 --dry-run\n"
        "bindery rollback payments-viewers 12\nbindery rollback payments-viewers 12 --yes -o json"},
    Example{"guard", "bindery guard\nbindery guard approve 3f2a9c51d07b"},
    Example{"guard approve", "bindery guard approve 3f2a9c51d07b"},
    Example{"guard deny", "bindery guard deny 3f2a9c51d07b"},
    Example{
        "access who-can",
        "bindery access who-can roles/viewer payments\nbindery access who-can roles/viewer '*'"},
    Example{"access of",
            "bindery access of user:ana@example.com --at 2026-11-01\n"
            "bindery access of ana@example.com --direct"},
    Example{"access at", "bindery access at 2026-11-01T12:00:00Z payments"},
    Example{"access diff", "bindery access diff --since 24h"},
    Example{"config check", "bindery config check -c new.yaml"},
    Example{"config show", "bindery config show -o json"},
    Example{"config schema", "bindery config schema > bindery.schema.json"},
    Example{"notify test", "bindery notify test\nbindery notify test payments-channel -o json"},
    Example{"notify status", "bindery notify status"},
    Example{"store backup", "bindery store backup /backup/bindery-$(date +%F).db"},
    Example{"store restore", "bindery store restore /backup/bindery-2026-11-21.db"},
    Example{"store check", "bindery store check\nbindery store check /backup/bindery.db"},
    Example{"store compact",
            "systemctl stop bindery && bindery store compact && systemctl start bindery"},
};

std::string Indented(std::string_view lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

CLI::App* Find(CLI::App& app, std::string_view command) {
  if (command.empty()) return &app;
  const std::size_t space = command.find(' ');
  CLI::App* found = app.get_subcommand(std::string(command.substr(0, space)));
  return space == std::string_view::npos ? found : Find(*found, command.substr(space + 1));
}

}  // namespace

void AddExamples(CLI::App& app) {
  for (const Example& example : kExamples) {
    CLI::App* command = Find(app, example.command);
    std::string footer = command->get_footer();
    if (footer.find("Example") != std::string::npos) continue;
    if (!footer.empty()) footer += "\n\n";
    const bool several = example.lines.find('\n') != std::string_view::npos;
    command->footer(footer + (several ? "Examples:\n" : "Example:\n") + Indented(example.lines));
  }
}

}  // namespace bindery
