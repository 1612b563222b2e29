#pragma once

// The report of a run as one page that opens anywhere, without a network: figures, claims, settings
// and the tables themselves. The tables go in as the text of their files and the page draws from
// that text, so what a reader saves from a figure is the file, byte for byte.
//
// A cell that is no number is a value that is not there. A row without y is not drawn; a row
// without x holds for every x, and is drawn as a level line across its panel.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hearsay {

struct Figure {
  enum class Mark {
    curve,    // a line; the error as a band around it
    points,   // a line through the points that were measured; the error as bars
    scatter,  // every row a point; a line through the mean of the rows with the same x
  };

  // How the axis starts. The reader can switch, unless it is `linear_only`.
  enum class Scale { linear, log, linear_only };

  struct Axis {
    std::string column;
    std::string title;
    Scale scale = Scale::linear;
    bool from_zero = false;  // on a linear scale
  };

  // A dashed line beside the data, read from a column of the same table.
  struct Reference {
    enum class Kind {
      guide,      // one for the panel, in grey: a limit, a growth to compare with
      of_series,  // one for each series, in its colour
      bound,      // as of_series, and the page says whether y stays below it, and how far
    };
    std::string column;
    std::string title;
    Kind kind = Kind::guide;
  };

  std::string id;  // unique in its report; lower case letters, digits and dashes
  std::string title;
  std::string caption;
  std::string table;                                            // the name of one of the report's
  std::map<std::string, std::vector<std::string>> filter = {};  // column: the values that are kept
  Mark mark = Mark::curve;
  Axis x;
  Axis y;
  std::string error = {};        // column of the half width around y, or none
  std::string error_title = {};  // "sd of 10 runs"
  std::vector<Reference> references = {};

  // The columns that tell the series apart. A series is labelled by their values: the first as it
  // is, the others with their names ("exp3-ixt, threshold 0.6"); an empty value is left out.
  std::vector<std::string> series = {};
  std::vector<std::string> ours = {};  // labels of those to be marked as ours

  // Small multiples, one for each value of this column, or none. Titled "panel_title value".
  std::string panel = {};
  std::string panel_title = {};
  bool panels_share_y = true;
};

struct Report {
  struct Claim {
    std::string claim;
    std::string paper;
    std::string measured;
    std::string verdict;  // "holds", "holds in part" or "does not hold"
  };

  struct Table {
    std::string name;  // of its file: "summary.csv"
    std::string text;  // of its file, its first line the names of the columns
  };

  std::string title;
  std::string subtitle;  // one sentence
  std::string command;   // runs it again
  std::string version;
  std::uint64_t seed = 1;
  std::string settings;  // the text of experiment.toml
  std::vector<Claim> claims;
  std::vector<Figure> figures;
  std::vector<Table> tables;
};

// Whether this build holds the page (HEARSAY_WEB).
bool report_available();

// The whole page. Throws Error when report_available() is false, and for text that is not UTF-8.
std::string report_html(const Report& report);

}  // namespace hearsay
