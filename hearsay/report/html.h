#pragma once

// The report of a run as one HTML page that needs no network: figures, claims, settings and the
// tables themselves. The page holds the tables as the text of their files and draws from that text,
// so that a reader who saves the data of a figure gets the file, byte for byte.
//
// A cell that is not a number has no value. A row without y is not drawn; a row without x stands
// for every x, and is drawn as a horizontal line across its panel.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

struct Figure {
  enum class Mark {
    curve,    // a line with a band around it
    points,   // a line through the measured points, with bars for the band
    steps,    // like points, but as steps: a value holds from the point before it up to this one
    scatter,  // a point for every row, and a line through the means at each x
    bars,     // points with bars for the band and no line: x only says where they are drawn
  };

  // The scale at first. The reader can switch between linear and log, unless it is `linear_only`.
  enum class Scale { linear, log, linear_only };

  struct Axis {
    std::string column;
    std::string title;
    Scale scale = Scale::linear;
    bool from_zero = false;  // on a linear scale

    // For a figure with bars: the texts below the axis at x = 1, 2, ..., in place of the numbers. A
    // value of x belongs to the nearest. If it is empty, the numbers are written.
    std::vector<std::string> labels = {};
  };

  // A dashed line beside the data (dotted if it is a bound), read from a column of the same table.
  struct Reference {
    enum class Kind {
      guide,      // one for the panel, in grey: a limit, or a growth to compare with
      of_series,  // one for each series, in its colour
      bound,      // as of_series, and the page says whether and how far y stays below it
    };
    std::string column;
    std::string title;
    Kind kind = Kind::guide;
    bool shown = true;      // at first; the reader can show and hide it
    std::string note = {};  // a sentence that the caption has while it is shown
  };

  // What is drawn around y, of which the reader chooses one or none: y +- factor * the value in
  // `column`; or, if `low` is not empty, from the value in that column to the value in `high`.
  struct Band {
    std::string name;  // short: "95 %"
    std::string column;
    double factor = 1;
    std::string title;  // what it is: "95 % confidence interval of the mean"
    std::string low = {};
    std::string high = {};
  };

  std::string id;  // unique in its report: lower case letters, digits and dashes
  std::string title;
  std::string caption;
  std::string table;                                            // the name of one of the report
  std::map<std::string, std::vector<std::string>> filter = {};  // column: the values that are kept
  Mark mark = Mark::curve;
  Axis x;
  Axis y;
  std::vector<Band> bands = {};  // the first is drawn at first
  std::vector<Reference> references = {};

  // The rows with the same values in `series_columns` are one series. `series` has all that occur,
  // with the labels that the page shows.
  struct Series {
    std::vector<std::string> values;  // one for each column
    std::string label;
    bool ours = false;  // shown as introduced by this project

    // The name of the learner, by which the page chooses colour and mark: a learner has the same in
    // every report. Empty if the series is not that of a learner.
    std::string learner = {};
  };
  std::vector<std::string> series_columns = {};
  std::vector<Series> series = {};

  // One panel for each value of this column, titled "panel_title value"; the rows without a value
  // are in a panel titled "no panel_title". If it is empty, there is a single panel.
  std::string panel = {};
  std::string panel_title = {};
};

// A table of numbers; a cell's colour says how much worse it is than the best one of its column.
struct HeatMap {
  std::string id;  // unique in its report: lower case letters, digits and dashes
  std::string title;
  std::string caption;
  std::string table;       // the name of one of the report
  std::string row;         // the column with the name of a row
  std::string row_title;   // what the rows are
  std::string column;      // the column with the name of a column
  std::string value;       // the column that is shown
  std::string error = {};  // the column with its standard error, for hovering; may be empty
  std::string colour;      // the column that the colour follows: 0 is the best, 1 uniform play
  std::vector<std::string> notes = {};  // columns whose values are shown beside the name of a row

  // What the names of the columns mean, one line each.
  struct Column {
    std::string name;
    std::string summary;
  };
  std::vector<Column> columns = {};
};

// An observation graph: a map of its weights and, if a threshold is given, the arms as nodes, with
// lines for the weights of at least the threshold.
struct GraphPicture {
  std::string caption;
  std::size_t arms = 0;
  std::size_t side = 0;  // cells in a row of the map: arms, or blocks of arms
  std::string weights;   // cell after cell, row after row, from "00" (0) to "ff" (1)
  double threshold = 0;  // 0 if none is given
  std::vector<std::size_t> witness = {};  // arms that are marked: independent at the threshold
};

struct Report {
  enum class Verdict : std::uint8_t { holds, in_part, does_not_hold };

  struct Claim {
    std::string claim;
    std::string paper;
    std::string measured;
    Verdict verdict = Verdict::does_not_hold;
    std::string figure = {};  // the id of the figure that shows it; empty if none does
  };

  // A line of what was run: "Rounds", "2,000".
  struct Fact {
    std::string name;
    std::string value;
  };

  // A table of the learners, shown before the figures. Its columns are those of ranking_csv().
  struct Ranking {
    std::string table;    // the name of one of the report; empty if there is no ranking
    std::string caption;  // what the intervals are
    std::vector<std::string> oracles = {};  // the names of those that were shown every true loss
  };

  // A table of the report as a table of the page, in the order of its rows, before the figures.
  struct Listing {
    struct Column {
      std::string column;
      std::string title;
      int decimals = -1;     // of its numbers; if -1, as many as the numbers suggest
      bool percent = false;  // whether its numbers are shares, which are shown in percent
    };
    std::string table;  // the name of one of the report
    std::string title;
    std::string caption;
    std::vector<Column> columns;  // those that are shown
  };

  struct Table {
    std::string name;  // of its file: "summary.csv"
    std::string text;  // of its file; the first line has the names of the columns
  };

  std::string title;
  std::string subtitle;    // one sentence
  std::string input = {};  // the file that the report is about; may be empty
  std::string command;     // runs the same again
  std::string version;
  std::string seed;      // as text, because a number of JavaScript has 53 bits; may be empty
  std::string settings;  // the text of experiment.toml
  std::vector<Fact> facts = {};
  std::vector<Claim> claims;
  std::string highlight = {};  // the id of the figure beside the summary; may be empty
  Ranking ranking = {};
  std::vector<Listing> listings = {};
  std::vector<Figure> figures;
  std::vector<HeatMap> heat_maps = {};
  std::vector<GraphPicture> graphs = {};
  std::vector<Table> tables;
};

// "holds", "holds in part" or "does not hold", for people and in JSON.
std::string_view verdict_text(Report::Verdict verdict);

// Whether this build holds the page (HEARSAY_WEB).
bool report_available();

// A report from the JSON that the page embeds (web/src/report.ts). Throws Error if it is not one.
Report parse_report(std::string_view json);

// The JSON of a report, which parse_report() takes: ASCII alone, and nothing in it ends a script of
// HTML. Bytes that are not UTF-8 become U+FFFD.
std::string report_json(const Report& report);

// The whole page. Throws Error if report_available() is false.
std::string report_html(const Report& report);

}  // namespace hearsay
