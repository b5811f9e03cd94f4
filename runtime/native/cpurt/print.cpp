// Device printf, and clocks.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "engine.h"

namespace gpucc_cpu {

namespace {

std::atomic<bool> printed{false};

// The packed arguments of a call, read in order.
class Arguments {
  public:
    explicit Arguments(const void *buffer) : bytes_(static_cast<const char *>(buffer)) {}

    template <typename Type>
    Type next() {
        at_ = (at_ + sizeof(Type) - 1) / sizeof(Type) * sizeof(Type);
        Type value{};
        if (bytes_ != nullptr) memcpy(&value, bytes_ + at_, sizeof value);
        at_ += sizeof value;
        ++count_;
        return value;
    }
    int32_t count() const { return count_; }

  private:
    const char *bytes_;
    size_t at_ = 0;
    int32_t count_ = 0;
};

template <typename Type>
void append(std::string &text, const std::string &conversion, Type value) {
    char room[128];
    const int length = snprintf(room, sizeof room, conversion.c_str(), value);
    if (length < 0) return;
    if (static_cast<size_t>(length) < sizeof room) {
        text.append(room, static_cast<size_t>(length));
        return;
    }
    std::string large(static_cast<size_t>(length) + 1, '\0');
    snprintf(&large[0], large.size(), conversion.c_str(), value);
    text.append(large, 0, static_cast<size_t>(length));
}

// Reads digits or '*' of a width or precision into the conversion.
const char *read_number(const char *at, std::string &conversion, Arguments &arguments) {
    if (*at == '*') {
        conversion += std::to_string(arguments.next<int32_t>());
        return at + 1;
    }
    while (*at >= '0' && *at <= '9') conversion += *at++;
    return at;
}

// One conversion from its '%' on; returns what follows it.
const char *convert(const char *at, std::string &text, Arguments &arguments) {
    const char *const begin = at++;
    std::string conversion = "%";
    while (*at != '\0' && strchr("-+ #0", *at) != nullptr) conversion += *at++;
    at = read_number(at, conversion, arguments);
    if (*at == '.') {
        conversion += *at++;
        const size_t digits = conversion.size();
        at = read_number(at, conversion, arguments);
        // A negative precision is as none.
        if (conversion.size() > digits && conversion[digits] == '-') conversion.resize(digits - 1);
    }
    std::string size;
    while (*at != '\0' && strchr("hlLqjzt", *at) != nullptr) size += *at++;
    const bool wide = !size.empty() && size[0] != 'h';
    const char type = *at;
    switch (type) {
        case 'd':
        case 'i':
            if (wide)
                append(text, conversion + "ll" + type, arguments.next<long long>());
            else
                append(text, conversion + size + type, arguments.next<int>());
            break;
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            if (wide)
                append(text, conversion + "ll" + type, arguments.next<unsigned long long>());
            else
                append(text, conversion + size + type, arguments.next<unsigned>());
            break;
        case 'c':
            append(text, conversion + type, arguments.next<int>());
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            append(text, conversion + type, arguments.next<double>());
            break;
        case 'p':
            append(text, conversion + type, arguments.next<void *>());
            break;
        case 's': {
            const char *string = arguments.next<const char *>();
            append(text, conversion + type, string != nullptr ? string : "(null)");
            break;
        }
        case '%':
            text += '%';
            break;
        default:  // no conversion: as it stands
            text.append(begin, static_cast<size_t>(at - begin));
            return at;
    }
    return at + 1;
}

uint64_t now(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

const uint64_t began = now(CLOCK_MONOTONIC);

}  // namespace

void (*output_sink)(const std::string &text) = nullptr;

void flush_output() {
    if (printed.load(std::memory_order_relaxed) && printed.exchange(false)) fflush(stdout);
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

int32_t gpucc_cpu_vprintf(const char *format, const void *buffer) {
    if (format == nullptr) return -1;
    std::string text;
    Arguments arguments(buffer);
    while (*format != '\0') {
        if (*format == '%') {
            format = convert(format, text, arguments);
        } else {
            const size_t plain = strcspn(format, "%");
            text.append(format, plain);
            format += plain;
        }
    }
    if (output_sink != nullptr) {
        output_sink(text);
        return arguments.count();
    }
    fwrite(text.data(), 1, text.size(), stdout);
    printed.store(true, std::memory_order_relaxed);
    return arguments.count();
}

uint64_t gpucc_cpu_clock(void) {
    static std::atomic<uint64_t> last{0};
    uint64_t before = last.load(std::memory_order_relaxed);
    for (;;) {
        uint64_t time = now(CLOCK_MONOTONIC) - began;
        if (time <= before) time = before + 1;
        if (last.compare_exchange_weak(before, time, std::memory_order_relaxed)) return time;
    }
}

uint64_t gpucc_cpu_globaltimer(void) { return now(CLOCK_REALTIME); }
