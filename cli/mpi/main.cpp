// hearsay-mpi: `hearsay run` on the processes of an MPI job. Rank 0 is the program that the user
// called: it reads the experiment, has the work queue and the checkpoint, and writes the results.
// It computes too, on a thread of its own. The other ranks are workers that take their tasks from
// that queue by messages.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/run.h"
#include "hearsay/base/interruption.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/work_queue.h"
#include "hearsay/work/workers.h"

namespace hearsay::cli {
namespace {

using namespace std::chrono_literals;

// Kinds of messages from a worker to rank 0:
constexpr int kAsk = 1;       // for a task
constexpr int kProgress = 2;  // rounds computed since the last such message
constexpr int kState = 3;     // a unit, and its state
constexpr int kResult = 4;    // a unit, and its points
constexpr int kFailed = 5;    // the message of an error
// From rank 0 to a worker:
constexpr int kTask = 6;     // a unit, and the state to continue from
constexpr int kNothing = 7;  // there is no more work
constexpr int kStop = 8;     // save the state and return

constexpr auto kBetweenProbes = 200us;
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

// A message is sent in pieces of this size and a shorter one, because MPI counts bytes in an int.
// Pieces of one kind from one rank arrive in their order.
constexpr int kPiece = 1 << 20;

void send(int to, int kind, std::string_view bytes = {}) {
  std::string_view piece;
  do {
    piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, kind, MPI_COMM_WORLD);
  } while (piece.size() == kPiece);
}

// The next message, if there is one. (A blocking receive would keep a core busy while it waits.)
std::optional<Message> receive() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) {
    return std::nullopt;
  }
  Message message{status.MPI_SOURCE, status.MPI_TAG, {}};
  int size = 0;
  do {
    MPI_Probe(message.from, message.kind, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    const std::size_t before = message.bytes.size();
    message.bytes.resize(before + static_cast<std::size_t>(size));
    MPI_Recv(message.bytes.data() + before, size, MPI_BYTE, message.from, message.kind,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } while (size == kPiece);
  return message;
}

int rank_count() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

// Sends the experiment from rank 0 to all ranks and returns it; empty if there is nothing to
// compute.
std::string broadcast(std::string text) {
  std::uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  text.resize(size);
  for (std::size_t begin = 0; begin < text.size(); begin += kPiece) {
    const std::size_t count = std::min<std::size_t>(kPiece, text.size() - begin);
    MPI_Bcast(text.data() + begin, static_cast<int>(count), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return text;
}

// Rank 0: serves the queue to the other ranks.
class QueueServer {
 public:
  QueueServer(const Plan& plan, WorkQueue& queue)
      : plan_(plan), queue_(queue), working_(rank_count() - 1) {}

  // Returns whether all units are done.
  bool run(const WatchWork& watch) {
    std::atomic<bool> own_worker = true;
    const std::jthread worker([&] {
      try {
        work(plan_, queue_);
      } catch (...) {
        queue_.fail(std::current_exception());
      }
      own_worker = false;
    });
    double next_report = 0;
    double next_save = MPI_Wtime() + kSecondsPerSave;
    std::optional<double> stopped_at;
    while (own_worker || working_ > 0) {
      bool idle = true;
      const double now = MPI_Wtime();
      try {
        while (std::optional<Message> message = receive()) {
          handle(*message, watch);
          idle = false;
        }
        if (now >= next_report) {
          watch(queue_.work_done());
          next_report = now + kSecondsPerReport;
        }
        if (now >= next_save) {
          queue_.request_save();
          next_save = now + kSecondsPerSave;
        }
      } catch (...) {
        queue_.fail(std::current_exception());
      }
      if (queue_.is_stopped() && !stopped_at) {
        stopped_at = now;
        for (int rank = 1; rank < rank_count(); ++rank) {
          send(rank, kStop);
        }
      }
      if (stopped_at && now > *stopped_at + 1) {
        break;  // a rank that has died does not answer
      }
      if (idle) {
        std::this_thread::sleep_for(kBetweenProbes);
      }
    }
    watch(queue_.work_done());
    return queue_.is_complete();
  }

  bool all_returned() const { return working_ == 0; }

 private:
  void handle(Message& message, const WatchWork& watch) {
    switch (message.kind) {
      case kAsk:
        answer(message.from);
        break;
      case kProgress:
        queue_.add_rounds(take_number(message.bytes));
        break;
      case kState:
        save_state(message, watch);
        break;
      case kResult: {
        const std::uint64_t unit = take_number(message.bytes);
        std::vector<CurvePoint> points(message.bytes.size() / sizeof(CurvePoint));
        std::memcpy(points.data(), message.bytes.data(), message.bytes.size());
        queue_.finish(unit, points);
        break;
      }
      default:
        queue_.fail(std::make_exception_ptr(
            Failure(fmt::format("rank {}: {}", message.from, message.bytes))));
    }
  }

  // A stop that comes while a large state is being written ends this; the state that was saved
  // before stays.
  void save_state(Message& message, const WatchWork& watch) {
    const std::uint64_t unit = take_number(message.bytes);
    const bool stopped_before = queue_.is_stopped();
    const Interruption interruption([&] {
      watch(queue_.work_done());
      return !stopped_before && queue_.is_stopped();
    });
    try {
      queue_.save_state(unit, message.bytes);
    } catch (const Interrupted&) {  // run() tells the other ranks to stop
    }
  }

  void answer(int rank) {
    if (const std::optional<Task> task = queue_.next()) {
      send(rank, kTask, number_bytes(task->unit) + task->state);
    } else {
      send(rank, kNothing);
      --working_;
    }
  }

  const Plan& plan_;
  WorkQueue& queue_;
  int working_;  // the number of other ranks that still ask for work
};

// Any other rank: the queue of rank 0, by messages.
class RemoteQueue final : public TaskSource {
 public:
  std::optional<Task> next() override {
    send_progress();
    send(0, kAsk);
    std::optional<Message> message = receive();
    while (!message || message->kind == kStop) {  // the answer comes after a request to stop
      std::this_thread::sleep_for(kBetweenProbes);
      message = receive();
    }
    if (message->kind == kNothing) {
      return std::nullopt;
    }
    const std::uint64_t unit = take_number(message->bytes);
    return Task{unit, std::move(message->bytes)};
  }

  void add_rounds(std::uint64_t rounds) override {
    unreported_ += rounds;
    if (MPI_Wtime() >= next_report_) {
      send_progress();
      next_report_ = MPI_Wtime() + kSecondsPerReport;
    }
  }

  void finish(std::size_t unit, std::span<const CurvePoint> points) override {
    std::string bytes = number_bytes(unit);
    bytes.append(points.size_bytes(), '\0');
    std::memcpy(bytes.data() + sizeof(std::uint64_t), points.data(), points.size_bytes());
    send(0, kResult, bytes);
  }

  void save_state(std::size_t unit, const std::string& state) override {
    send(0, kState, number_bytes(unit) + state);
  }

  // By the clock of this rank: states are due at fixed times, so that rank 0 need not ask for them.
  std::uint64_t save_requests() override {
    return static_cast<std::uint64_t>((MPI_Wtime() - start_) / kSecondsPerSave);
  }

  bool is_stopped() override {
    if (const std::optional<Message> message = receive()) {
      stopped_ = stopped_ || message->kind == kStop;
    }
    return stopped_;
  }

 private:
  void send_progress() { send(0, kProgress, number_bytes(std::exchange(unreported_, 0))); }

  double start_ = MPI_Wtime();
  double next_report_ = MPI_Wtime() + kSecondsPerReport;
  std::uint64_t unreported_ = 0;  // rounds
  bool stopped_ = false;
};

void work_for_rank_0(const std::string& experiment) {
  try {
    const Plan plan(parse_experiment(experiment, "experiment.toml"));
    RemoteQueue queue;
    work(plan, queue);
  } catch (const std::exception& error) {
    send(0, kFailed, error.what());
    send(0, kAsk);  // counts this rank among those that have returned
  }
}

int run_rank_0(int argc, char** argv) {
  bool experiment_sent = false;
  bool all_returned = true;
  CLI::App app{"Online learning with noisy side observations, on many machines."};
  name_program(app, "hearsay-mpi");
  app.footer("Example:\n  mpirun -n 4 hearsay-mpi run experiments/quickstart.toml --out out");
  const ComputeUnits compute = [&](const Plan& plan, WorkQueue& queue, const WatchWork& watch) {
    experiment_sent = true;
    broadcast(to_toml(plan.experiment()));
    QueueServer server(plan, queue);
    all_returned = false;
    const bool complete = server.run(watch);
    all_returned = server.all_returned();
    return complete;
  };
  add_run(app, compute, static_cast<unsigned>(rank_count()));
  require_one_subcommand(app, "command", "COMMAND");
  const int code = run_program(app, argc, argv);
  if (!experiment_sent) {
    broadcast("");
  } else if (!all_returned) {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

}  // namespace
}  // namespace hearsay::cli

int main(int argc, char** argv) {
  hearsay::cli::secure_standard_descriptors();  // before MPI opens files of its own
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 0;
  if (rank == 0) {
    code = hearsay::cli::run_rank_0(argc, argv);
  } else if (const std::string experiment = hearsay::cli::broadcast(""); !experiment.empty()) {
    hearsay::cli::work_for_rank_0(experiment);
  }
  MPI_Finalize();
  return code;
}
