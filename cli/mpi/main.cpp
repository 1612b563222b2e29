// hearsay-mpi: `hearsay run` with the processes of an MPI job. Rank 0 is the program the user
// called: it reads the experiment, keeps the checkpoint, hands out units and writes the results. It
// computes too, on a thread of its own. The other ranks ask it for a unit, compute it and send what
// it came to, over and over.

#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/run.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/runner.h"

namespace hearsay::cli {
namespace {

using namespace std::chrono_literals;

// What a message is. From a rank to rank 0:
constexpr int kAsk = 1;       // for a unit
constexpr int kProgress = 2;  // rounds done since the last
constexpr int kState = 3;     // a unit, and where it is
constexpr int kResult = 4;    // a unit, and its records
constexpr int kFailed = 5;    // why
// From rank 0 to a rank:
constexpr int kTask = 6;     // a unit, and where it was left
constexpr int kNothing = 7;  // is left to do
constexpr int kStop = 8;

constexpr auto kPatience = 200us;  // between looks at the mailbox
constexpr double kSecondsPerSave = 2;
constexpr double kSecondsPerReport = 0.1;

struct Message {
  int from = 0;
  int kind = 0;
  std::string bytes;
};

std::string number_bytes(std::uint64_t number) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  return bytes;
}

// Takes the number at the front off `bytes`.
std::uint64_t take_number(std::string& bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.erase(0, sizeof(number));
  return number;
}

void send(int to, int kind, std::string_view bytes = {}) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, kind, MPI_COMM_WORLD);
}

// None: nothing has come. (A blocking receive would keep a core busy with waiting.)
std::optional<Message> receive() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) {
    return std::nullopt;
  }
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, status.MPI_TAG,
                  std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, message.kind, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

int rank_count() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

// The experiment, from rank 0 to all; empty: there is nothing to do.
std::string share(std::string text) {
  std::uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

// Rank 0.
class Leader {
 public:
  Leader(const Plan& plan, Ledger& ledger)
      : plan_(plan), ledger_(ledger), at_work_(rank_count() - 1) {}

  bool run(const std::function<void(const WorkDone&)>& look) {
    std::atomic<bool> own_work = true;
    const std::jthread own([&] {
      work(plan_, ledger_);
      own_work = false;
    });
    double next_look = 0;
    double next_save = MPI_Wtime() + kSecondsPerSave;
    std::optional<double> stopped_at;
    while (own_work || at_work_ > 0) {
      bool idle = true;
      const double now = MPI_Wtime();
      try {
        while (std::optional<Message> message = receive()) {
          take(*message);
          idle = false;
        }
        if (now >= next_look) {
          look(ledger_.work_done());
          next_look = now + kSecondsPerReport;
        }
        if (now >= next_save) {
          ledger_.ask_for_states();
          next_save = now + kSecondsPerSave;
        }
      } catch (...) {
        ledger_.fail(std::current_exception());
      }
      if (ledger_.stopped() && !stopped_at) {
        stopped_at = now;
        for (int rank = 1; rank < rank_count(); ++rank) {
          send(rank, kStop);
        }
      }
      if (stopped_at && now > *stopped_at + 1) {
        break;  // one that died does not answer
      }
      if (idle) {
        std::this_thread::sleep_for(kPatience);
      }
    }
    look(ledger_.work_done());
    return ledger_.is_complete();
  }

  bool all_returned() const { return at_work_ == 0; }

 private:
  void take(Message& message) {
    switch (message.kind) {
      case kAsk:
        answer(message.from);
        break;
      case kProgress:
        ledger_.add_rounds(take_number(message.bytes));
        break;
      case kState: {
        const std::uint64_t unit = take_number(message.bytes);
        ledger_.save_state(unit, message.bytes);
        break;
      }
      case kResult: {
        const std::uint64_t unit = take_number(message.bytes);
        std::vector<CurvePoint> records(message.bytes.size() / sizeof(CurvePoint));
        std::memcpy(records.data(), message.bytes.data(), message.bytes.size());
        ledger_.finish(unit, records);
        break;
      }
      default:
        ledger_.fail(std::make_exception_ptr(
            Failure(fmt::format("rank {}: {}", message.from, message.bytes))));
    }
  }

  void answer(int rank) {
    if (const std::optional<Task> task = ledger_.next()) {
      send(rank, kTask, number_bytes(task->unit) + task->state);
    } else {
      send(rank, kNothing);
      --at_work_;
    }
  }

  const Plan& plan_;
  Ledger& ledger_;
  int at_work_;  // other ranks that have not been told that nothing is left
};

// Any other rank: computes the unit of `task` and sends what it came to, or where it was when it
// was told to stop.
void compute(const Plan& plan, const Task& task) {
  const Unit& unit = plan.units()[task.unit];
  Block block = open_block(plan, task);
  std::uint64_t unreported = block.rounds() * unit.runs();
  double next_report = MPI_Wtime() + kSecondsPerReport;
  double next_save = MPI_Wtime() + kSecondsPerSave;
  bool stop = false;
  while (!block.is_done() && !stop) {
    const std::uint64_t before = block.rounds();
    block.advance(slice(plan, unit));
    unreported += (block.rounds() - before) * unit.runs();
    const std::optional<Message> message = receive();
    stop = message && message->kind == kStop;
    const double now = MPI_Wtime();
    if (now >= next_report) {
      send(0, kProgress, number_bytes(std::exchange(unreported, 0)));
      next_report = now + kSecondsPerReport;
    }
    if (!block.is_done() && (stop || now >= next_save)) {
      send(0, kState, number_bytes(task.unit) + block.save());
      next_save = now + kSecondsPerSave;
    }
  }
  send(0, kProgress, number_bytes(unreported));
  if (block.is_done()) {
    std::string records(block.records().size_bytes(), '\0');
    std::memcpy(records.data(), block.records().data(), records.size());
    send(0, kResult, number_bytes(task.unit) + records);
  }
}

void follow(const std::string& experiment) {
  try {
    const Plan plan(parse_experiment(experiment, "experiment.toml"));
    while (true) {
      send(0, kAsk);
      std::optional<Message> message = receive();
      while (!message || message->kind == kStop) {  // the answer follows a request to stop
        std::this_thread::sleep_for(kPatience);
        message = receive();
      }
      if (message->kind == kNothing) {
        return;
      }
      const std::uint64_t unit = take_number(message->bytes);
      compute(plan, {unit, message->bytes});
    }
  } catch (const std::exception& error) {
    send(0, kFailed, error.what());
    send(0, kAsk);  // to be counted as one that has returned
  }
}

int lead(int argc, char** argv) {
  bool shared = false;
  bool all_returned = true;
  CLI::App app{"Online learning with noisy side observations, on many machines."};
  name_program(app);
  add_run(app,
          [&](const Plan& plan, Ledger& ledger, const std::function<void(const WorkDone&)>& look) {
            shared = true;
            share(to_toml(plan.experiment()));
            Leader leader(plan, ledger);
            all_returned = false;
            const bool complete = leader.run(look);
            all_returned = leader.all_returned();
            return complete;
          });
  require_one_subcommand(app, "command", "COMMAND");
  const int code = run_program(app, argc, argv);
  if (!shared) {
    share("");
  } else if (!all_returned) {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

}  // namespace
}  // namespace hearsay::cli

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 0;
  if (rank == 0) {
    code = hearsay::cli::lead(argc, argv);
  } else if (const std::string experiment = hearsay::cli::share(""); !experiment.empty()) {
    hearsay::cli::follow(experiment);
  }
  MPI_Finalize();
  return code;
}
