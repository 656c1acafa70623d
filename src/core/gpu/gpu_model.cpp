#include "core/gpu/gpu_model.h"

#include <bit>
#include <sstream>

namespace autoschedule_gpu {

namespace {

constexpr GpuModelField kFields[] = {
#define AUTOSCHEDULE_GPU_FIELD_ROW(type, field, unit, least, greatest, meaning) \
    {#field, unit, meaning, least, greatest, &GpuModel::field},
    AUTOSCHEDULE_GPU_MODEL_FIELDS(AUTOSCHEDULE_GPU_FIELD_ROW)
#undef AUTOSCHEDULE_GPU_FIELD_ROW
};

// Nothing for a text or api field: those have no range.
template <typename Value>
Status check_range(const GpuModelField &field, const Value &value) {
    if constexpr (std::is_arithmetic_v<Value>) {
        const double number = static_cast<double>(value);
        // Written so that not-a-number fails.
        if (!(number >= field.least && number <= field.greatest)) {
            std::ostringstream text;
            text.precision(15);
            text << "GPU model field '" << field.name << "': expected a value from " << field.least
                 << " to " << field.greatest;
            if (!field.unit.empty()) text << " " << field.unit;
            text << ", found " << value;
            return Error{text.str()};
        }
    }
    return Ok{};
}

Status check_order(std::string_view smaller_name, int64_t smaller, std::string_view larger_name,
                   int64_t larger) {
    if (smaller <= larger) return Ok{};
    return Error{"GPU model field '" + std::string(smaller_name) + "': expected at most '" +
                 std::string(larger_name) + "' (" + std::to_string(larger) + "), found " +
                 std::to_string(smaller)};
}

// Address arithmetic shifts by these.
Status check_power_of_two(int64_t GpuModel::*member, int64_t value) {
    if (std::has_single_bit(static_cast<uint64_t>(value))) return Ok{};
    for (const GpuModelField &field : kFields) {
        if (field.member != GpuModelField::Member(member)) continue;
        return Error{"GPU model field '" + std::string(field.name) +
                     "': expected a power of two, found " + std::to_string(value)};
    }
    return Ok{};
}

constexpr bool separates_words(char c) {
    return c == ' ' || c == '-' || c == '_';
}

// Whether `part` begins and ends with words of `name`.
bool has_in_whole_words(std::string_view name, std::string_view part) {
    const std::string wanted = normalised_device_name(part);
    for (size_t begin = 0; begin < name.size(); ++begin) {
        if (begin > 0 && !separates_words(name[begin - 1])) continue;
        for (size_t end = begin + 1; end <= name.size(); ++end) {
            if (end < name.size() && !separates_words(name[end])) continue;
            const std::string words = normalised_device_name(name.substr(begin, end - begin));
            if (!words.empty() && words == wanted) return true;
        }
    }
    return false;
}

}  // namespace

std::span<const GpuModelField> gpu_model_fields() {
    return kFields;
}

Status check(const GpuModel &model) {
    if (model.name.empty()) return Error{"GPU model field 'name': expected a name, found none"};
    for (const GpuModelField &field : kFields) {
        const Status status = std::visit(
            [&](auto member) { return check_range(field, model.*member); }, field.member);
        if (!status) return status;
    }
#define AUTOSCHEDULE_GPU_AT_MOST(smaller, larger)                                             \
    if (Status status = check_order(#smaller, model.smaller, #larger, model.larger); !status) \
        return status;
    AUTOSCHEDULE_GPU_AT_MOST(max_threads_x, max_threads_per_block)
    AUTOSCHEDULE_GPU_AT_MOST(max_threads_y, max_threads_per_block)
    AUTOSCHEDULE_GPU_AT_MOST(max_threads_z, max_threads_per_block)
    AUTOSCHEDULE_GPU_AT_MOST(warp_size, max_threads_per_block)
    AUTOSCHEDULE_GPU_AT_MOST(max_threads_per_block, max_threads_per_sm)
    AUTOSCHEDULE_GPU_AT_MOST(register_unit_per_warp, registers_per_sm)
    AUTOSCHEDULE_GPU_AT_MOST(warp_allocation_unit, max_warps_per_sm)
    AUTOSCHEDULE_GPU_AT_MOST(shared_bytes_per_block, shared_bytes_per_sm)
    AUTOSCHEDULE_GPU_AT_MOST(l1_sector_bytes, cache_line_bytes)
#undef AUTOSCHEDULE_GPU_AT_MOST
    for (const auto member : {&GpuModel::l1_sector_bytes, &GpuModel::cache_line_bytes,
                              &GpuModel::shared_bank_bytes, &GpuModel::shared_banks}) {
        if (const Status status = check_power_of_two(member, model.*member); !status) return status;
    }
    return Ok{};
}

std::string normalised_device_name(std::string_view name) {
    std::string normalised;
    for (const char c : name) {
        if (separates_words(c)) continue;
        normalised += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return normalised;
}

bool may_name_same_device(std::string_view a, std::string_view b) {
    return has_in_whole_words(a, b) || has_in_whole_words(b, a);
}

}  // namespace autoschedule_gpu
