#include "hearsay/learner/decision_book.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

using Book = DecisionBook<int>;

std::string saved(const Book& book) {
  StateWriter writer("test");
  book.save(writer, [&](const Book::Entry& entry, const Book::Entry* before) {
    writer.add(static_cast<std::uint64_t>(entry.drawn));
    writer.add(before == nullptr ? std::uint64_t{0} : before->round);
  });
  return writer.finish();
}

void load(Book& book, const std::string& state, std::uint64_t rounds = 0,
          std::string_view reason = {}) {
  StateReader reader(state, "test");
  book.load(
      reader, rounds,
      [&](const Book::Entry* before) {
        const auto drawn = static_cast<int>(reader.number());
        EXPECT_EQ(reader.number(), before == nullptr ? 0 : before->round);
        return drawn;
      },
      reason);
  reader.finish();
}

TEST(DecisionBook, KeepsTheDrawnDataOfEachDecisionUntilItIsErased) {
  Book book(5, 1000);
  std::vector<Decision> decisions;
  for (int k = 0; k < 500; ++k) {
    decisions.push_back(book.add(static_cast<Arm>(k % 5), 0.5, 10 * k));
    EXPECT_EQ(decisions.back().round, static_cast<std::uint64_t>(k + 1));
  }
  // Decisions are erased from the front, from the back and from the middle.
  for (int k = 0; k < 200; ++k) {
    for (const int index : {k, 499 - k}) {
      EXPECT_EQ(book.find(decisions[static_cast<std::size_t>(index)]).drawn, 10 * index);
      book.erase(book.find(decisions[static_cast<std::size_t>(index)]));
    }
  }
  for (int k = 299; k >= 200; --k) {
    EXPECT_EQ(book.find(decisions[static_cast<std::size_t>(k)]).drawn, 10 * k);
    book.forget(decisions[static_cast<std::size_t>(k)]);
  }
  EXPECT_EQ(book.outstanding(), 0U);
  EXPECT_EQ(book.made(), 500U);
}

TEST(DecisionBook, SaysWhyADecisionIsRefused) {
  Book book(3, 2);
  const Decision first = book.add(0, 1, 0);
  const Decision second = book.add(1, 1, 0);
  const Feedback for_arm_2{2, {}};
  EXPECT_EQ(message_of([&] { book.check_arm(3); }), "arm 3 does not exist, expected 0 to 2");
  EXPECT_EQ(message_of([&] {
              book.find({2, 1, 2});
            }),
            "decision 2 is given for arm 2, expected arm 1");
  EXPECT_EQ(message_of([&] { book.find(second, for_arm_2); }),
            "the feedback is for arm 2, expected arm 1, the arm of decision 2");
  EXPECT_EQ(message_of([&] {
              book.find({0, 1, 7});
            }),
            "decision 7 was never made, expected one that choose() or adopt() returned (2 so far)");
  book.forget(second);
  EXPECT_EQ(message_of([&] { book.find(second); }),
            "decision 2 is not outstanding: its feedback was given already, or it was forgotten");
  book.add(2, 1, 0);
  book.add(2, 1, 0);  // the first is dropped
  EXPECT_EQ(message_of([&] { book.find(first); }),
            "decision 1 was dropped: it was the oldest when more than 2 decisions "
            "(max_outstanding) awaited feedback");
  EXPECT_EQ(message_of([&] { book.find(second); }),
            "decision 2 is not outstanding: its feedback was given already, or it was forgotten");
  book.clear("drawn too early");
  EXPECT_EQ(message_of([&] {
              book.find({2, 1, 4});
            }),
            "decision 4 is not outstanding: its feedback was given already, it was forgotten, or "
            "it was drawn too early");
  EXPECT_EQ(book.outstanding(), 0U);
}

TEST(DecisionBook, DropsTheOldestBeyondMaxOutstanding) {
  Book book(1, 100);
  for (int k = 0; k < 1000; ++k) {
    book.add(0, 1, k);
    EXPECT_EQ(book.outstanding(), static_cast<std::size_t>(std::min(k + 1, 100)));
  }
  EXPECT_EQ(book.find({0, 1, 901}).drawn, 900);
  EXPECT_THROW(book.find({0, 1, 900}), Error);
}

TEST(DecisionBook, RemembersTheDecisionsDroppedLast) {
  Book book(1, 1);
  for (int k = 0; k < 3000; ++k) {
    const Decision made = book.add(0, 1, 0);
    if (k % 2 == 0) {
      book.forget(made);
    }
  }
  // Every second decision was dropped when the next one was made; the last 1,024 that were dropped
  // are remembered.
  const auto message = [&](std::uint64_t round) {
    return message_of([&] { book.find({0, 1, round}); });
  };
  EXPECT_NE(message(2998).find("was dropped"), std::string::npos);
  EXPECT_NE(message(2998 - 2 * 1023).find("was dropped"), std::string::npos);
  EXPECT_NE(message(2998 - 2 * 1024).find("forgotten, or it was dropped"), std::string::npos);
  EXPECT_NE(message(2997).find("forgotten, or it was dropped"), std::string::npos);
}

TEST(DecisionBook, ContinuesFromASavedState) {
  Book book(3, 2);
  book.add(0, 1, 7);
  book.clear("drawn too early");
  book.add(1, 1, 8);
  book.add(2, 1, 9);
  book.add(2, 1, 10);
  Book restored(3, 2);
  load(restored, saved(book), 1, "drawn too early");
  EXPECT_EQ(saved(restored), saved(book));
  EXPECT_EQ(restored.find({2, 1, 4}).drawn, 10);
  EXPECT_EQ(message_of([&] {
              restored.find({1, 1, 5});
            }),
            message_of([&] {
              book.find({1, 1, 5});
            }));
  EXPECT_NE(message_of([&] {
              restored.find({1, 1, 2});
            }).find("forgotten, or it was dropped as the oldest"),
            std::string::npos);  // the state does not contain which decisions were dropped
}

TEST(DecisionBook, RefusesAnInvalidState) {
  const auto state_of = [](const std::vector<std::uint64_t>& numbers) {
    StateWriter writer("test");
    for (const std::uint64_t number : numbers) {
      writer.add(number);
    }
    return writer.finish();
  };
  const auto refused = [&](const std::vector<std::uint64_t>& numbers, std::uint64_t rounds = 0) {
    Book book(3, 2);
    return message_of([&] { load(book, state_of(numbers), rounds); });
  };
  // The numbers are: the decisions made, the last one dropped, the last one cleared, the number of
  // outstanding ones; and for each of these its round, arm and drawn, and the round of the entry
  // before it.
  EXPECT_EQ(refused({5, 0, 0, 1, 4, 2, 9, 0}), "");
  EXPECT_NE(refused({5, 6, 0, 0}).find("never made"), std::string::npos);
  EXPECT_NE(refused({5, 0, 6, 0}).find("never made"), std::string::npos);
  EXPECT_NE(refused({5, 0, 0, 3, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 2}).find("max_outstanding"),
            std::string::npos);
  EXPECT_NE(refused({5, 0, 0, 1, 6, 2, 9, 0}).find("out of order"), std::string::npos);
  EXPECT_NE(refused({5, 4, 0, 1, 4, 2, 9, 0}).find("out of order"), std::string::npos);
  EXPECT_NE(refused({5, 0, 0, 2, 4, 2, 9, 0, 4, 2, 9, 4}).find("out of order"), std::string::npos);
  EXPECT_NE(refused({5, 0, 0, 1, 4, 3, 9, 0}).find("does not exist"), std::string::npos);
  EXPECT_NE(refused({5, 0, 0, 1'000'000'000'000}).find("cut short"), std::string::npos);
  EXPECT_EQ(refused({5, 0, 0, 0}, 5), "");
  EXPECT_NE(refused({5, 0, 0, 0}, 6).find("more rounds of feedback than decisions"),
            std::string::npos);
}

}  // namespace
}  // namespace hearsay
