#pragma once

// Functions that the parts of the module share. Each part registers one concept and only converts
// between Python and the core; it has no algorithm.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "hearsay/base/fields.h"
#include "hearsay/base/interruption.h"
#include "hearsay/environment/environment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/run.h"

namespace hearsay::python {

namespace py = pybind11;

void register_graph(py::module_& module);
void register_learner(py::module_& module);
void register_high_probability(py::module_& module);
void register_independence(py::module_& module);
void register_experiment(py::module_& module);
void register_own(py::module_& module);
void register_catalogues(py::module_& module);
void register_calibration(py::module_& module);
void register_problem(py::module_& module);
void register_evaluate(py::module_& module);

// Raises TypeError, which explains why the arguments do not fit the signature (the
// __text_signature__ of the function).
[[noreturn]] void refuse_call(const std::string& function, const std::string& signature,
                              const py::args& given, const py::kwargs& keywords);

// Makes every function and method that has a signature explain calls that do not fit it. Called
// after all else is registered.
void explain_wrong_calls(py::module_& module);

// Converts `given` to an array of any type. Raises ValueError if it has rows of different lengths.
py::object any_array(py::handle given, const char* place);

// Converts `given` to an array of doubles with that number of dimensions. An array of aligned
// doubles is not copied. `place` is its name in messages. Raises TypeError if the values are not
// real numbers, ValueError if the number of dimensions is wrong.
py::array_t<double> real_array(py::handle given, const char* place, py::ssize_t dimensions);

// Whether an array may be used without a copy, because the caller has promised not to change it.
enum class Sharing { none, promised };

// Returns `given` if it is a Graph; otherwise converts it as Graph(...) does.
Graph as_graph(py::handle given, Sharing sharing = Sharing::none);

// Converts graphs as as_graph() does, and returns the same Graph as the time before if an array has
// not changed. A learner then knows the graph by its identity and does not transform its weights
// again. Arrays may be changed in place, so their numbers are compared. A list or a DataFrame takes
// much longer to convert: there is a warning if it is the same in many rounds.
class GraphMemory {
 public:
  // Valid until the next call, and as long as `given` lives.
  const Graph& of(py::handle given);

 private:
  static constexpr unsigned kManyConversions = 100;

  unsigned converted_again_ = 0;
  std::optional<Graph> last_;
};

// Adds the observations that Python gives to `out`, in increasing order of the arms: an array with
// one number for each arm, NaN where nothing was seen, or a dict {arm: value}.
void read_observations(const py::object& given, std::size_t arms, std::vector<Observation>& out);

// Whether the object is a learner of the core whose methods Python has not overridden.
bool is_core_learner(const py::object& object);

// The value of a field as Python gives it, for the field to check. None means no value. Raises
// TypeError for anything but a number, a bool, a text or None.
FieldValue from_python(const FieldInfo& info, py::handle given);

// Sets the field that has this name. Returns false if there is none.
template <class Options>
bool set_field(Options& options, const std::string& name, py::handle value) {
  const std::span<const FieldInfo> fields = Options::fields().infos();
  const std::optional<std::size_t> index = field_index(fields, name);
  if (!index) {
    return false;
  }
  Options::fields().set(options, *index, from_python(fields[*index], value));
  return true;
}

// Raises TypeError: there is no field of this name. `what` is what messages call one of `fields`.
[[noreturn]] void refuse_field(const std::string& name, const char* what,
                               std::span<const FieldInfo> fields);

// Sets the fields that the dict names, and refuses other names.
template <class Options>
void set_fields(Options& options, const py::dict& given, const char* what) {
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    if (!set_field(options, name, value)) {
      refuse_field(name, what, Options::fields().infos());
    }
  }
}

// A value of a field for Python. No value becomes the word that files have for it, or None.
py::object to_python(const FieldInfo& info, const FieldValue& value);

// Runs `work` on another thread without the interpreter lock, while the calling thread checks for
// Ctrl-C ten times a second. After Ctrl-C it calls stop() once, waits until `work` has returned,
// and raises the exception of the signal handler.
void run_interruptibly(const std::function<void()>& work, const std::function<void()>& stop);

// Raises the exception of a signal handler, if a signal has arrived. For a thread that does not
// hold the interpreter lock.
void raise_if_signalled();

// Does `work` without the interpreter lock; Ctrl-C ends it where the core notes its progress.
template <class Work>
auto until_signalled(Work work) {
  const Interruption interruption([] {
    raise_if_signalled();
    return false;
  });
  const py::gil_scoped_release unlocked;
  return work();
}

// Since some fixed moment: the clock for parts of the core, which never read it themselves.
double seconds_now();

// Makes the use of an object whose __init__ was not called (Graph.__new__(Graph)) a TypeError.
// pybind11 would allocate uninitialized memory for it by this operator_new, which it calls for
// nothing else.
template <class Value>
void refuse_unmade() {
  py::detail::get_type_info(typeid(Value), true)->operator_new = [](std::size_t) -> void* {
    throw py::type_error("the object is not initialized, expected one whose __init__ was called");
  };
}

// An environment of the core, which Python passes from Plan.environment() to play().
struct EnvironmentHandle {
  std::unique_ptr<Environment> environment;
};

// The seed and the stream of a learner's draws, as Python gives them.
struct StreamNumbers {
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;
};

// A decision as Python has it: it knows which learner made it.
struct OwnedDecision {
  Decision decision;
  std::uint64_t owner = 0;  // 0: unknown
};

// Which decisions a learner accepts.
struct Ownership {
  std::uint64_t owner = 0;  // of the decisions that it makes
  // Decisions up to this one may have any owner: those that were made before the learner was
  // restored from a state, which does not have the owner.
  std::uint64_t any_owner_through = 0;
};

// A learner as Python has it: it knows what it was made from and draws from a stream of its own.
struct SeededLearner {
  LearnerSpec spec;
  StreamNumbers numbers;
  Stream stream;
  std::unique_ptr<Learner> learner;
  Ownership ownership;
  GraphMemory graphs;
};

}  // namespace hearsay::python
