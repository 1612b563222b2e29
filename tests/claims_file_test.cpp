#include "hearsay/certificate/claims_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"

namespace hearsay {
namespace {

IndependenceClaims claims_of_grid() {
  const Graph graph = make_grid({});
  const std::vector<Cost> costs = {inverse_square_cost, noise_cost(0.5)};
  std::vector<EffectiveIndependence> results = effective_independence(graph, costs, {});
  IndependenceClaims claims{.arms = 25, .alpha_star = results[0]};
  claims.noise = {.noise_bound = 0.5, .alpha_r = results[1]};
  return claims;
}

std::string verdict_on(const nlohmann::json& json) {
  try {
    parse_claims(json.dump());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ClaimsFile, ReadsBackWhatItPrinted) {
  const IndependenceClaims effective = claims_of_grid();
  EXPECT_EQ(print_claims(parse_claims(print_claims(effective, 2)), 2), print_claims(effective, 2));
  const IndependenceClaims number{.arms = 25, .number = independence_number(make_grid({}), 0.5)};
  EXPECT_EQ(print_claims(parse_claims(print_claims(number, 2)), 2), print_claims(number, 2));
}

TEST(ClaimsFile, HasNoValueWhereTheBoundsDiffer) {
  IndependenceClaims claims = claims_of_grid();
  claims.alpha_star->exact = false;
  claims.alpha_star->lower = 8;
  claims.noise->alpha_r.exact = false;
  claims.noise->alpha_r.lower = 2;
  claims.noise->alpha_r.independence_upper = 8;
  const nlohmann::json json = nlohmann::json::parse(print_claims(claims, 2));
  EXPECT_EQ(json.at("alpha_star"), nullptr);
  EXPECT_EQ(json.at("independence_number"), 9);  // at the threshold, which is exact
  EXPECT_EQ(json.at("alpha_r"), nullptr);
  EXPECT_EQ(json.at("alpha_r_independence_number"), nullptr);
  EXPECT_EQ(json.at("alpha_r_independence_upper"), 8);
}

TEST(ClaimsFile, RefusesFieldsThatContradictEachOther) {
  const nlohmann::json good = nlohmann::json::parse(print_claims(claims_of_grid(), 2));
  const auto message_with = [&](const std::string& key, const nlohmann::json& value) {
    nlohmann::json changed = good;
    changed[key] = value;
    return verdict_on(changed);
  };
  EXPECT_EQ(verdict_on(good), "accepted");
  EXPECT_EQ(message_with("alpha_star", nullptr),
            "alpha_star: null, expected 9, because of the bounds");
  EXPECT_EQ(message_with("exact", 1), "exact: 1, expected true or false");
  EXPECT_EQ(message_with("alpha_r_exact", false),
            "alpha_r: 5.555555555555555, expected null, because of the bounds");
  EXPECT_EQ(message_with("arms", 0), "arms: 0, expected a whole number from 1 to 4294967296");
  EXPECT_EQ(message_with("arms", 24), "witness: arm: 24, expected a whole number from 0 to 23");
  EXPECT_EQ(message_with("threshold", 0), "threshold: 0, expected a number in (0, 1]");
  EXPECT_EQ(message_with("threshold", "1"),
            "threshold: a value of type string, expected a number from 0 to 1");
  EXPECT_EQ(message_with("independence_number", 8),
            "independence_number: 8, expected 9, because of the bounds");
  EXPECT_EQ(message_with("independence_upper", 26),
            "independence_upper: 26, expected a whole number from 1 to 25");
  EXPECT_EQ(message_with("witness", {0.0, 2}),
            "witness: arm: 0.0, expected a whole number from 0 to 24");
  EXPECT_EQ(message_with("witness", {-1}),
            "witness: arm: -1, expected a whole number from 0 to 24");
  EXPECT_EQ(message_with("witness", {4294967300}),
            "witness: arm: 4294967300, expected a whole number from 0 to 24");
  EXPECT_EQ(message_with("cover", {{{"arms", {1, 1}}, {"at_most", 1}}}),
            "cover[0]: arms: arm 1 appears twice, expected each arm once");
  EXPECT_EQ(message_with("cover", {{{"arms", {1, 2}}}}),
            "cover[0]: at_most: is missing, expected a value");
  EXPECT_EQ(message_with("cover", {3}), "cover[0]: number, expected an object");
  EXPECT_EQ(message_with("chain", "x"), "chain: a value of type string, expected a list");
  EXPECT_EQ(message_with("alpha_r_chain",
                         {{{"above", 2}, {"removed", nlohmann::json::array()}, {"added", {0}}}}),
            "alpha_r_chain[0]: above: 2, expected a number from 0 to 1");
  EXPECT_EQ(message_with("lowest", 1), "unknown key 'lowest', expected what --json prints");
  // Claims about noise are never ignored.
  nlohmann::json without_noise_bound = good;
  without_noise_bound.erase("alpha_r");
  without_noise_bound.erase("noise_bound");
  EXPECT_EQ(verdict_on(without_noise_bound), "noise_bound: is missing, expected a value");
}

// The parser would take the last of two values, while a human may read the first.
TEST(ClaimsFile, RefusesADuplicateKey) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      parse_claims(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(R"({"arms": 1, "arms": 2})"), "has the key 'arms' twice, expected it once");
  EXPECT_EQ(refusal(R"({"arms": 1, "chain": [{"size": 1}, {"size": 1, "size": 2}]})"),
            "has the key 'size' twice, expected it once");
}

TEST(ClaimsFile, RefusesLinesThatAreNotClaims) {
  for (const char* const text : {"", "{", "[]", "3", "{\"arms\": 1e999}", "{\"arms\": 3} {}"}) {
    EXPECT_THROW(parse_claims(text), Error) << text;
  }
  EXPECT_THROW(parse_claims("{\"arms\": " + std::string(100'000, '[')), Error);
}

}  // namespace
}  // namespace hearsay
