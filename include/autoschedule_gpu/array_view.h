// A view of an array that somebody else owns: where it begins and how many elements it has. Valid
// as long as the array is. It is what std::span is in C++20. Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace autoschedule_gpu::api {

template <typename T>
class ArrayView {
public:
    constexpr ArrayView() = default;
    constexpr ArrayView(T *data, size_t size) : data_(data), size_(size) {}
    template <size_t kSize>
    constexpr ArrayView(T (&array)[kSize]) : data_(array), size_(kSize) {}
    // Of a vector, an array, a std::span or another view.
    template <typename Array, typename = std::enable_if_t<std::is_convertible_v<
                                  decltype(std::declval<Array &>().data()), T *>>>
    constexpr ArrayView(Array &&array) : data_(array.data()), size_(array.size()) {}

    constexpr T *data() const { return data_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](size_t i) const { return data_[i]; }

private:
    T *data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace autoschedule_gpu::api
