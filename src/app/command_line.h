#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "core/drift.h"

namespace bindery {

inline constexpr const char* kDefaultConfig = "/etc/bindery/bindery.yaml";

/// Where parsed options go, and the command they chose.
struct CommandLine {
  CommandContext context;
  std::string config;
  std::string own_config;  ///< Given after the command, not before it.
  std::string output = "text";
  std::vector<std::string> names;
  std::string name;
  std::string manifests;  ///< Of plan: another directory than the configured one.
  std::string since = "24h";
  std::string severity = "low";
  std::string timeout = "5s";
  std::string digest;
  bool denies = false;  ///< The digest names what is denied.
  std::int64_t revision = 0;
  bool once = false;
  bool all = false;
  bool detailed = false;
  bool liveness = false;
  bool fields = false;
  bool from_store = false;
  bool accepted = false;
  AcceptArguments accept;
  GetArguments get;
  EventsArguments events;
  AccessArguments access;
  ChosenResources chosen_resources;
  RollbackArguments rollback;
  InvokeArguments invoke;
  LookupArguments lookup;
  ImportArguments import;
  ConvertArguments convert;
  EmulatorArguments emulator;
  std::function<int()> chosen;

  [[nodiscard]] Severity least() const { return SeverityFromString(severity); }
  [[nodiscard]] ExitStyle style() const {
    return detailed ? ExitStyle::kTerraform : ExitStyle::kDiff;
  }
};

// What several commands have.

CLI::App* AddCommand(CLI::App& app, CommandLine& line, const std::string& name,
                     const std::string& description, std::function<int()> run);
void AddOutput(CLI::App* command, CommandLine& line, std::vector<std::string> forms);
void AddConfig(CLI::App* command, CommandLine& line);
void AddDetailedExit(CLI::App* command, CommandLine& line);

/// -l: label selectors.
void AddLabels(CLI::App* command, std::vector<std::string>& labels);

/// `get`, `events` and `history`.
void AddListCommands(CLI::App& app, CommandLine& line);

/// `reconcile`, `suspend`, `resume`, `forget` and `rollback`.
void AddChangeCommands(CLI::App& app, CommandLine& line);

/// `bindery access` with its questions.
void AddAccessCommands(CLI::App& app, CommandLine& line);

/// `config`, `store` and `notify`.
void AddUpkeepCommands(CLI::App& app, CommandLine& line);

}  // namespace bindery
