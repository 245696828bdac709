#pragma once

#include <optional>
#include <string>
#include <vector>

#include "web/html.h"

namespace bindery::web {

/// Bars over time, one for each day or hour.
struct BarChart {
  /// What stood within a span: a bar up to `least`, and a lighter one from there to `most`. A count
  /// has both alike.
  struct Bar {
    double least = 0;
    double most = 0;
  };

  std::string title;
  std::string figure;                    ///< The number that counts, beside the title.
  std::string words;                     ///< What the bars show, for who does not see them.
  std::string first;                     ///< The name of the first span: "2026-10-23".
  std::vector<std::optional<Bar>> bars;  ///< Oldest first; nothing: no record.
};

/// A figure with title, bars and scale. A span without a record is a grey stripe.
[[nodiscard]] Html BarFigure(const BarChart& chart);

}  // namespace bindery::web
