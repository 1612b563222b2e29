#pragma once

// The report of a run as one HTML page that needs no network: figures, claims, settings and the
// tables themselves. The page holds the tables as the text of their files and draws from that text,
// so that a reader who saves the data of a figure gets the file, byte for byte.
//
// A cell that is not a number has no value. A row without y is not drawn; a row without x stands
// for every x, and is drawn as a level line across its panel.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hearsay {

struct Figure {
  enum class Mark {
    curve,    // a line, with the error as a band around it
    points,   // a line through the measured points, with the error as bars
    scatter,  // a point for every row, and a line through the means at each x
  };

  // The scale at first. The reader can switch between linear and log, unless it is `linear_only`.
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
      guide,      // one for the panel, in grey: a limit, or a growth to compare with
      of_series,  // one for each series, in its colour
      bound,      // as of_series, and the page says whether and how far y stays below it
    };
    std::string column;
    std::string title;
    Kind kind = Kind::guide;
  };

  std::string id;  // unique in its report: lower case letters, digits and dashes
  std::string title;
  std::string caption;
  std::string table;                                            // the name of one of the report
  std::map<std::string, std::vector<std::string>> filter = {};  // column: the values that are kept
  Mark mark = Mark::curve;
  Axis x;
  Axis y;
  std::string error = {};        // column of the half width around y; empty: there is none
  std::string error_title = {};  // "sd of 10 runs"
  std::vector<Reference> references = {};

  // The rows with the same values in `series_columns` are one series. `series` has all that occur,
  // with the labels that the page shows.
  struct Series {
    std::vector<std::string> values;  // one for each column
    std::string label;
    bool ours = false;  // shown as introduced by this project
  };
  std::vector<std::string> series_columns = {};
  std::vector<Series> series = {};

  // One panel for each value of this column, titled "panel_title value". Empty: a single panel.
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
    std::string text;  // of its file; the first line has the names of the columns
  };

  std::string title;
  std::string subtitle;  // one sentence
  std::string command;   // runs the same again
  std::string version;
  std::uint64_t seed = 1;
  std::string settings;  // the text of experiment.toml
  std::vector<Claim> claims;
  std::vector<Figure> figures;
  std::vector<Table> tables;
};

// Whether this build holds the page (HEARSAY_WEB).
bool report_available();

// The whole page. Throws Error if report_available() is false, and for text that is not UTF-8.
std::string report_html(const Report& report);

}  // namespace hearsay
