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

inline const std::string &message_of(const Error &error) {
    return error.message;
}

struct Ok {};

// Either a value or an E, which says what went wrong. `value()` and `error()` throw
// std::logic_error when the other alternative is held: asking the wrong question is a bug of the
// caller. There is a message_of(E).
template <typename T, typename E>
class [[nodiscard]] ValueOr {
public:
    ValueOr(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    ValueOr(E error) : state_(std::in_place_index<1>, std::move(error)) {}

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

    const E &error() const {
        if (ok()) throw std::logic_error("there is a value, and no error");
        return std::get<1>(state_);
    }

private:
    void require_value() const {
        if (!ok()) throw std::logic_error("there is no value: " + message_of(std::get<1>(state_)));
    }

    std::variant<T, E> state_;
};

template <typename T>
using Result = ValueOr<T, Error>;

using Status = Result<Ok>;

}  // namespace autoschedule_gpu
