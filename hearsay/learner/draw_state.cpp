#include "hearsay/learner/draw_state.h"

#include <cstdint>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/learner/regularizer.h"

namespace hearsay {
namespace {

std::vector<double> read_probabilities(StateReader& reader, std::size_t arms) {
  std::vector<double> probabilities = read_numbers(reader);
  reader.require(probabilities.size() == arms, "has probabilities of another number of arms");
  reader.require(are_probabilities(probabilities),
                 "has probabilities that are negative or do not sum to 1");
  return probabilities;
}

}  // namespace

void write_available(StateWriter& writer, std::span<const Arm> available) {
  writer.add(std::uint64_t{available.size()});
  for (const Arm arm : available) {
    writer.add(std::uint64_t{arm});
  }
}

std::vector<Arm> read_available(StateReader& reader, std::size_t arms) {
  std::vector<Arm> available(reader.count(sizeof(std::uint64_t)));
  std::uint64_t next = 0;
  for (Arm& arm : available) {
    const std::uint64_t number = reader.number();
    reader.require(number >= next && number < arms, "has available arms that do not exist");
    arm = static_cast<Arm>(number);
    next = number + 1;
  }
  return available;
}

std::vector<double> read_estimates(StateReader& reader, std::size_t arms) {
  std::vector<double> estimates = read_numbers(reader);
  reader.require(estimates.size() == arms, "has estimates of another number of arms");
  return estimates;
}

void write_rate_and_probabilities(StateWriter& writer, const DrawLaw& law) {
  writer.add(law.rate);
  write_numbers(writer, law.probabilities);
}

DrawLaw read_rate_and_probabilities(StateReader& reader, std::size_t arms) {
  DrawLaw law;
  law.rate = read_finite(reader);
  law.probabilities = read_probabilities(reader, arms);
  reader.require(law.rate >= 0, "has a negative rate");
  return law;
}

void write_law(StateWriter& writer, const DrawLaw& law) {
  writer.add(law.rounds);
  writer.add(law.rate);
  writer.add(law.exploration);
  writer.add(law.noise_bound);
  writer.add(law.entropy);
  write_numbers(writer, law.probabilities);
  write_available(writer, law.available);
}

std::shared_ptr<DrawLaw> read_law(StateReader& reader, std::size_t arms) {
  auto law = std::make_shared<DrawLaw>();
  law->rounds = reader.number();
  law->rate = read_finite(reader);
  law->exploration = read_finite(reader);
  law->noise_bound = read_finite(reader);
  law->entropy = read_finite(reader);
  law->probabilities = read_probabilities(reader, arms);
  reader.require(
      law->rate >= 0 && law->exploration >= 0 && law->noise_bound >= 0 && law->entropy >= 0,
      "has a negative rate, exploration, noise bound or entropy");
  law->available = read_available(reader, arms);
  return law;
}

}  // namespace hearsay
