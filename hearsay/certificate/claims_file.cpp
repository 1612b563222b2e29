#include "hearsay/certificate/claims_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"
#include "hearsay/base/json.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

using OrderedJson = nlohmann::ordered_json;  // to print

// The keys of alpha*, and with the prefix "alpha_r_" those of alpha^R.
constexpr std::array kEffectiveKeys = {"lower",
                                       "upper",
                                       "exact",
                                       "threshold",
                                       "independence_number",
                                       "independence_lower",
                                       "independence_upper",
                                       "witness",
                                       "chain",
                                       "cover",
                                       "solves"};
constexpr std::array kStarKeys = {"arms", "seconds", "alpha_star", "noise_bound", "alpha_r"};
constexpr std::array kNumberKeys = {"arms",  "seconds", "threshold", "independence_number",
                                    "lower", "upper",   "exact",     "witness",
                                    "cover"};
constexpr const char* kNoisePrefix = "alpha_r_";

OrderedJson to_json(const Cover& cover) {
  OrderedJson json = OrderedJson::array();
  for (const CoverGroup& group : cover) {
    if (group.arms.size() > 1) {  // arms in no group count one each
      json.push_back({{"at_most", group.bound}, {"arms", group.arms}});
    }
  }
  return json;
}

OrderedJson to_json(const std::vector<ChainLink>& chain) {
  OrderedJson json = OrderedJson::array();
  for (const ChainLink& link : chain) {
    json.push_back(
        {{"above", link.largest_weight}, {"removed", link.removed}, {"added", link.added}});
  }
  return json;
}

template <class Value>
OrderedJson value_or_null(bool known, Value value) {
  return known ? OrderedJson(value) : OrderedJson(nullptr);
}

void add_effective(OrderedJson& json, const std::string& prefix,
                   const EffectiveIndependence& result) {
  json[prefix + "lower"] = result.lower;
  json[prefix + "upper"] = result.upper;
  json[prefix + "exact"] = result.exact;
  json[prefix + "threshold"] = result.threshold;
  json[prefix + "independence_number"] = value_or_null(
      result.independence_number == result.independence_upper, result.independence_number);
  json[prefix + "independence_lower"] = result.independence_number;
  json[prefix + "independence_upper"] = result.independence_upper;
  json[prefix + "witness"] = result.witness;
  json[prefix + "chain"] = to_json(result.chain);
  json[prefix + "cover"] = to_json(result.cover);
  json[prefix + "solves"] = result.solves;
}

// A JSON object whose fields are read by key. Every error names the key.
class Fields {
 public:
  explicit Fields(const Json& json, std::string prefix = "")
      : json_(json), prefix_(std::move(prefix)) {
    if (!json.is_object()) {
      throw Error(fmt::format("{}, expected an object", json.type_name()));
    }
  }

  std::string place(const std::string& key) const { return prefix_ + key; }
  bool has(const std::string& key) const { return json_.contains(place(key)); }

  const Json& at(const std::string& key) const {
    const auto found = json_.find(place(key));
    if (found == json_.end()) {
      throw Error(place(key), "is missing, expected a value");
    }
    return *found;
  }

  double number(const std::string& key, double low, double high) const {
    const Json& value = at(key);
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= low && number <= high)) {
      throw Error(place(key),
                  fmt::format("{}, expected a number from {} to {}", json_brief(value), low, high));
    }
    return number;
  }

  std::size_t whole(const std::string& key, std::size_t low, std::size_t high) const {
    return whole_of(at(key), place(key), low, high);
  }

  bool truth(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) {
      throw Error(place(key), fmt::format("{}, expected true or false", json_brief(value)));
    }
    return value.get<bool>();
  }

  // Throws Error unless the field is `value`, or null if the value is not `known`.
  template <class Value>
  void require_value(const std::string& key, bool known, Value value) const {
    const Json& given = at(key);
    if (given != (known ? Json(value) : Json(nullptr))) {
      throw Error(place(key),
                  fmt::format("{}, expected {}, because of the bounds", json_brief(given),
                              known ? fmt::format("{}", value) : std::string("null")));
    }
  }

  const Json& list(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_array()) {
      throw Error(place(key), fmt::format("{}, expected a list", json_brief(value)));
    }
    return value;
  }

  // A list of different arms of the graph.
  std::vector<Arm> arms(const std::string& key, std::size_t arms) const {
    std::vector<Arm> result;
    for (const Json& item : list(key)) {
      result.push_back(static_cast<Arm>(whole_of(item, place(key) + ": arm", 0, arms - 1)));
    }
    std::vector<Arm> sorted = result;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      throw Error(place(key), fmt::format("arm {} appears twice, expected each arm once", *twice));
    }
    return result;
  }

 private:
  static std::size_t whole_of(const Json& value, const std::string& place, std::size_t low,
                              std::size_t high) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < low ||
        value.get<std::uint64_t>() > high) {
      throw Error(place, fmt::format("{}, expected a whole number from {} to {}", json_brief(value),
                                     low, high));
    }
    return value.get<std::size_t>();
  }

  const Json& json_;
  std::string prefix_;
};

Cover read_cover(const Fields& fields, std::size_t arms) {
  Cover cover;
  for (const Json& item : fields.list("cover")) {
    try {
      const Fields group(item);
      cover.push_back({.arms = group.arms("arms", arms), .bound = group.whole("at_most", 1, arms)});
    } catch (const Error& error) {
      throw error.within(fmt::format("{}[{}]", fields.place("cover"), cover.size()));
    }
  }
  return cover;
}

std::vector<ChainLink> read_chain(const Fields& fields, std::size_t arms) {
  std::vector<ChainLink> chain;
  for (const Json& item : fields.list("chain")) {
    try {
      const Fields link(item);
      chain.push_back({.largest_weight = link.number("above", 0, 1),
                       .removed = link.arms("removed", arms),
                       .added = link.arms("added", arms)});
    } catch (const Error& error) {
      throw error.within(fmt::format("{}[{}]", fields.place("chain"), chain.size()));
    }
  }
  return chain;
}

double read_threshold(const Fields& fields) {
  const double threshold = fields.number("threshold", 0, 1);
  if (threshold == 0) {
    throw Error(fields.place("threshold"), "0, expected a number in (0, 1]");
  }
  return threshold;
}

void require_size(const Fields& fields, const std::vector<Arm>& witness, std::size_t size) {
  if (witness.size() != size) {
    throw Error(fields.place("witness"), fmt::format("{} arms, expected {}", witness.size(), size));
  }
}

void require_known_keys(const Json& json, const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw Error(fmt::format("unknown key {}, expected what --json prints", in_quotes(key)));
    }
  }
}

IndependenceNumber read_number(const Fields& fields, std::size_t arms) {
  IndependenceNumber number;
  number.threshold = read_threshold(fields);
  number.upper = fields.whole("upper", 1, arms);
  number.lower = fields.whole("lower", 1, number.upper);
  if (fields.truth("exact") != number.exact()) {
    throw Error("exact", fmt::format("{}, expected {}, because of the bounds", !number.exact(),
                                     number.exact()));
  }
  fields.require_value("independence_number", number.exact(), number.lower);
  number.witness = fields.arms("witness", arms);
  require_size(fields, number.witness, number.lower);
  number.cover = read_cover(fields, arms);
  return number;
}

// `value_key` is the key of the value, without the prefix.
EffectiveIndependence read_effective(const Json& json, const std::string& prefix,
                                     const std::string& value_key, std::size_t arms) {
  const Fields fields(json, prefix);
  constexpr double kLargest = std::numeric_limits<double>::max();
  EffectiveIndependence result;
  result.upper = fields.number("upper", 0, kLargest);
  result.lower = fields.number("lower", 0, result.upper);
  result.exact = fields.truth("exact");
  if (result.exact && result.lower != result.upper) {
    throw Error(fields.place("exact"), "true, expected false, because the bounds differ");
  }
  Fields(json).require_value(value_key, result.exact, result.upper);
  result.threshold = read_threshold(fields);
  result.independence_upper = fields.whole("independence_upper", 1, arms);
  result.independence_number = fields.whole("independence_lower", 1, result.independence_upper);
  fields.require_value("independence_number",
                       result.independence_number == result.independence_upper,
                       result.independence_number);
  result.witness = fields.arms("witness", arms);
  require_size(fields, result.witness, result.independence_number);
  result.chain = read_chain(fields, arms);
  result.cover = read_cover(fields, arms);
  result.solves = fields.whole("solves", 0, std::numeric_limits<std::size_t>::max());
  return result;
}

}  // namespace

std::string print_claims(const IndependenceClaims& claims, double seconds) {
  OrderedJson json = {{"arms", claims.arms}};
  if (claims.number) {
    const IndependenceNumber& number = *claims.number;
    json["threshold"] = number.threshold;
    json["independence_number"] = value_or_null(number.exact(), number.lower);
    json["lower"] = number.lower;
    json["upper"] = number.upper;
    json["exact"] = number.exact();
    json["witness"] = number.witness;
    json["cover"] = to_json(number.cover);
  } else {
    json["alpha_star"] = value_or_null(claims.alpha_star->exact, claims.alpha_star->upper);
    add_effective(json, "", *claims.alpha_star);
    if (claims.noise) {
      const EffectiveIndependence& alpha_r = claims.noise->alpha_r;
      json["noise_bound"] = claims.noise->noise_bound;
      json["alpha_r"] = value_or_null(alpha_r.exact, alpha_r.upper);
      add_effective(json, kNoisePrefix, alpha_r);
    }
  }
  json["seconds"] = seconds;
  return json.dump();
}

IndependenceClaims parse_claims(std::string_view line) {
  const Json json = parse_object(line);
  const Fields fields(json);
  IndependenceClaims claims;
  claims.arms = fields.whole("arms", 1, std::size_t{1} << 32U);
  if (!fields.has("alpha_star")) {
    require_known_keys(json, {kNumberKeys.begin(), kNumberKeys.end()});
    claims.number = read_number(fields, claims.arms);
    return claims;
  }
  std::vector<std::string> known(kStarKeys.begin(), kStarKeys.end());
  for (const std::string key : kEffectiveKeys) {
    known.push_back(key);
    known.push_back(kNoisePrefix + key);
  }
  require_known_keys(json, known);
  claims.alpha_star = read_effective(json, "", "alpha_star", claims.arms);
  const bool has_noise = std::ranges::any_of(json.items(), [](const auto& item) {
    return item.key() == "noise_bound" || item.key().starts_with("alpha_r");
  });
  if (has_noise) {
    claims.noise = NoiseClaim{
        .noise_bound = fields.number("noise_bound", 0, std::numeric_limits<double>::max()),
        .alpha_r = read_effective(json, kNoisePrefix, "alpha_r", claims.arms)};
  }
  return claims;
}

}  // namespace hearsay
