// Errors are values. A function that can fail returns Result<T> (or Status when there is nothing
// to return); the message is one sentence that says what is wrong and what to do about it.
// Only the plugin and the command-line tools turn an Error into something a user sees.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace autoschedule_gpu {

struct Error {
    std::string message;
};

struct Ok {};

// Either a value or an Error. `value()` and `error()` throw std::logic_error when the other
// alternative is held: asking the wrong question is a bug of the caller.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T &value() const & {
        require_value();
        return std::get<0>(state_);
    }
    T &&value() && {
        require_value();
        return std::get<0>(std::move(state_));
    }
    const T &operator*() const & { return value(); }
    const T *operator->() const { return &value(); }

    const Error &error() const {
        if (ok()) throw std::logic_error("Result holds a value, not an error");
        return std::get<1>(state_);
    }

private:
    void require_value() const {
        if (!ok()) throw std::logic_error("Result holds an error: " + std::get<1>(state_).message);
    }

    std::variant<T, Error> state_;
};

using Status = Result<Ok>;

}  // namespace autoschedule_gpu
