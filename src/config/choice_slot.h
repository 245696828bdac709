#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "config/config_keys.h"

namespace bindery::config_internal {

/// Requires: the names stand in the order of the enumerators.
template <typename Enum>
Slot Choice(Enum& value, std::span<const std::string_view> names) {
  return ChoiceSlot{names, [&value] { return static_cast<std::size_t>(value); },
                    [&value](std::size_t index) { value = static_cast<Enum>(index); }};
}

template <typename Enum>
Slot ChoiceList(std::vector<Enum>& values, std::span<const std::string_view> names) {
  return ChoiceListSlot{names,
                        [&values] {
                          std::vector<std::size_t> indexes;
                          for (const Enum value : values) {
                            indexes.push_back(static_cast<std::size_t>(value));
                          }
                          return indexes;
                        },
                        [&values](const std::vector<std::size_t>& indexes) {
                          values.clear();
                          for (const std::size_t index : indexes) {
                            values.push_back(static_cast<Enum>(index));
                          }
                        }};
}

}  // namespace bindery::config_internal
