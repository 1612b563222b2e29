#pragma once

// What the parts of the module share. Each part registers one concept; none holds an algorithm: it
// turns what Python has into the core's words, and back.

#include <functional>
#include <memory>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "hearsay/base/fields.h"
#include "hearsay/environment/environment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/run.h"

namespace hearsay::python {

namespace py = pybind11;

void register_graph(py::module_& module);
void register_learner(py::module_& module);
void register_independence(py::module_& module);
void register_experiment(py::module_& module);
void register_own(py::module_& module);

// Converts `given` to an array of doubles with that number of dimensions. An array of aligned
// doubles is not copied. `place` is its name in messages. Raises TypeError if the values are not
// real numbers, ValueError if the number of dimensions is wrong.
py::array_t<double> real_array(py::handle given, const char* place, py::ssize_t dimensions);

// Whether an array may be used without a copy, because the caller has promised not to change it.
enum class Sharing { none, promised };

// Returns `given` if it is a Graph; otherwise converts it as Graph(...) does.
Graph as_graph(py::handle given, Sharing sharing = Sharing::none);

// The value of a field as Python gives it, for the field to check. None means no value. Raises
// TypeError for anything but a number, a bool, a text or None.
FieldValue from_python(const FieldInfo& info, py::handle given);

// A value of a field for Python. No value becomes the word that files have for it, or None.
py::object to_python(const FieldInfo& info, const FieldValue& value);

// Runs `work` on another thread without the interpreter lock, while the calling thread checks for
// Ctrl-C ten times a second. After Ctrl-C it calls stop() once, waits until `work` has returned,
// and raises the exception of the signal handler.
void run_interruptibly(const std::function<void()>& work, const std::function<void()>& stop);

// Makes the use of an object whose __init__ was not called (Graph.__new__(Graph)) a TypeError.
// pybind11 would allocate uninitialized memory for it by this operator_new, which it calls for
// nothing else.
template <class Value>
void refuse_unmade() {
  py::detail::get_type_info(typeid(Value), true)->operator_new = [](std::size_t) -> void* {
    throw py::type_error("the object is not initialized, expected one whose __init__ was called");
  };
}

// An environment of the core on its way through Python.
struct EnvironmentHandle {
  std::unique_ptr<Environment> environment;
};

// What Python gives to name a learner's stream of draws.
struct StreamNumbers {
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;
};

// A learner as Python has it: it knows what it was made from and draws from a stream of its own.
struct SeededLearner {
  LearnerSpec spec;
  StreamNumbers numbers;
  Stream stream;
  std::unique_ptr<Learner> learner;
};

}  // namespace hearsay::python
