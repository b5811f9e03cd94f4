// What went wrong, in words.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "engine.h"

namespace gpucc_cpu {

namespace {

std::string triple(const uint32_t *values) {
    return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
           std::to_string(values[2]) + ")";
}

// "0-2, 7": ascending numbers.
std::string ranges(const std::vector<uint32_t> &numbers) {
    std::string text;
    for (size_t i = 0; i < numbers.size();) {
        size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(numbers[i]);
        if (last > i) text += "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

const char *kernel_name(const Launch *launch) {
    return launch->kernel->name != nullptr ? launch->kernel->name : "a kernel without a name";
}

}  // namespace

void note_failure(Launch *launch, int status, std::string message) {
    {
        const std::lock_guard<std::mutex> lock(launch->mutex);
        if (launch->status == GPUCC_OK) {
            launch->status = status;
            launch->message = std::move(message);
        }
    }
    launch->stop.store(true, std::memory_order_relaxed);
}

void fail(gpucc_thread *thread, int status, const std::string &message) {
    Block *block = block_of(thread);
    const std::string who = block->launch->lanes > 1 ? "warp " + std::to_string(thread->linear)
                                                     : "thread " + triple(thread->tid);
    note_failure(block->launch, status,
                 std::string(kernel_name(block->launch)) + ": block " +
                     triple(block->base.ctaid) + ", " + who + ": " + message);
    leave_block(block);
}

std::string place(const Launch *launch, uint32_t site) {
    const gpucc_kernel *kernel = launch->kernel;
    if (kernel->sites != nullptr && site < kernel->site_count && kernel->sites[site] != nullptr)
        return kernel->sites[site];
    return "site " + std::to_string(site);
}

std::string describe_deadlock(const Block *block) {
    const Launch *launch = block->launch;
    const uint32_t *shape = launch->geometry.block;
    const uint32_t all = shape[0] * shape[1] * shape[2];
    std::map<uint32_t, std::vector<uint32_t>> waiting;  // by site
    uint32_t ended = all;
    for (uint32_t i = 0; i < launch->threads; ++i) {
        if (!(block->warps[i / kWarp].alive >> i % kWarp & 1)) continue;
        const uint32_t begin = i * launch->lanes;
        for (uint32_t t = begin; t < begin + launch->lanes && t < all; ++t, --ended)
            waiting[block->threads[i].site].push_back(t);
    }
    std::string text = std::string(kernel_name(launch)) + ": deadlock in block " +
                       triple(block->base.ctaid) + ": no thread can go on";
    for (const auto &[site, threads] : waiting) {
        const bool one = threads.size() == 1;
        text += "\n  " + std::to_string(threads.size()) + (one ? " thread waits" : " threads wait") +
                " at " + place(launch, site) + (one ? " (thread " : " (threads ") +
                ranges(threads) + ")";
    }
    if (ended != 0)
        text += "\n  " + std::to_string(ended) + (ended == 1 ? " thread has" : " threads have") +
                " exited";
    return text;
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

void gpucc_cpu_trap(gpucc_thread *thread, uint32_t site) {
    fail(thread, GPUCC_TRAP, "trap at " + place(block_of(thread)->launch, site));
}

void gpucc_cpu_assertfail(gpucc_thread *thread, const char *message, const char *file,
                          uint32_t line, const char *function) {
    const auto or_unknown = [](const char *text) { return std::string(text ? text : "?"); };
    fail(thread, GPUCC_ASSERT,
         or_unknown(file) + ":" + std::to_string(line) + ": " + or_unknown(function) +
             ": assertion `" + or_unknown(message) + "` failed");
}
