// Warp operations: lanes wait in groups; the last one to come does the work for all.
#include <cmath>
#include <cstring>
#include <string>

#include "engine.h"

namespace gpucc_cpu {

namespace {

struct Shuffle {
    uint32_t mode, value, lane, control;
};

Kind operator+(Kind kind, uint32_t number) {
    return static_cast<Kind>(static_cast<uint32_t>(kind) + number);
}

// Calls do(lane, thread) for each lane of a mask.
template <typename Function>
void each(Thread *lanes, uint32_t mask, Function function) {
    for (; mask != 0; mask &= mask - 1) function(lowest(mask), lanes[lowest(mask)]);
}

template <typename Type>
const Type &operand(const Thread &thread) {
    return *static_cast<const Type *>(thread.operands);
}

void shuffle(Thread *lanes, uint32_t arrived) {
    each(lanes, arrived, [&](uint32_t lane, Thread &thread) {
        const Shuffle &own = operand<Shuffle>(thread);
        const uint32_t by = own.lane & 31, clamp = own.control & 31;
        const uint32_t segment = own.control >> 8 & 31;
        const uint32_t first = lane & segment, last = first | (clamp & ~segment);
        uint32_t from = 0;
        bool in_range = false;
        switch (own.mode) {
            case GPUCC_UP:
                from = lane - by;
                in_range = static_cast<int32_t>(from) >= static_cast<int32_t>(last);
                break;
            case GPUCC_DOWN:
                from = lane + by;
                in_range = from <= last;
                break;
            case GPUCC_BFLY:
                from = lane ^ by;
                in_range = from <= last;
                break;
            default:
                from = first | (by & ~segment);
                in_range = from <= last;
        }
        if (!in_range) from = lane;
        // The value of a lane that takes no part is undefined; 0 is the same on every run.
        const uint32_t value = arrived >> from & 1 ? operand<Shuffle>(lanes[from]).value : 0;
        thread.value = static_cast<uint64_t>(in_range) << 32 | value;
    });
}

void vote(uint32_t kind, Thread *lanes, uint32_t arrived) {
    uint32_t holds = 0;
    each(lanes, arrived, [&](uint32_t lane, Thread &thread) {
        holds |= static_cast<uint32_t>(operand<uint32_t>(thread) != 0) << lane;
    });
    uint32_t result = holds;
    if (kind == GPUCC_ALL) result = holds == arrived;
    if (kind == GPUCC_ANY) result = holds != 0;
    if (kind == GPUCC_UNI) result = holds == arrived || holds == 0;
    each(lanes, arrived, [&](uint32_t, Thread &thread) { thread.value = result; });
}

struct Match {
    uint32_t kind;
    uint64_t value;
};

void match(Thread *lanes, uint32_t arrived) {
    each(lanes, arrived, [&](uint32_t, Thread &thread) {
        const Match &own = operand<Match>(thread);
        uint32_t same = 0;
        each(lanes, arrived, [&](uint32_t lane, Thread &other) {
            same |= static_cast<uint32_t>(operand<Match>(other).value == own.value) << lane;
        });
        if (own.kind == GPUCC_MATCH_ANY)
            thread.value = same;
        else
            thread.value = same == arrived ? uint64_t{1} << 32 | arrived : 0;
    });
}

float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// min and max of PTX: -0 is less than +0; a NaN loses, or with .NaN wins.
uint32_t float_extreme(uint32_t x, uint32_t y, bool largest, bool nan_wins) {
    const bool x_nan = std::isnan(as_float(x)), y_nan = std::isnan(as_float(y));
    if (x_nan || y_nan) {
        if (nan_wins || (x_nan && y_nan)) return 0x7fffffff;
        return x_nan ? y : x;
    }
    const auto key = [](uint32_t bits) {
        return bits >> 31 ? ~bits : bits | 0x80000000u;
    };
    return (key(x) < key(y)) != largest ? x : y;
}

uint32_t reduce_two(uint32_t operation, uint32_t x, uint32_t y) {
    const int32_t sx = static_cast<int32_t>(x), sy = static_cast<int32_t>(y);
    switch (operation & 15) {
        case GPUCC_REDUX_ADD: return x + y;
        case GPUCC_REDUX_AND: return x & y;
        case GPUCC_REDUX_OR: return x | y;
        case GPUCC_REDUX_XOR: return x ^ y;
        case GPUCC_REDUX_MIN_U32: return x < y ? x : y;
        case GPUCC_REDUX_MAX_U32: return x > y ? x : y;
        case GPUCC_REDUX_MIN_S32: return sx < sy ? x : y;
        case GPUCC_REDUX_MAX_S32: return sx > sy ? x : y;
        default:
            return float_extreme(x, y, (operation & 15) == GPUCC_REDUX_MAX_F32, operation & 32);
    }
}

void reduce(uint32_t operation, Thread *lanes, uint32_t arrived) {
    uint32_t result = 0;
    bool first = true;
    each(lanes, arrived, [&](uint32_t, Thread &thread) {
        uint32_t value = operand<uint32_t>(thread);
        if (operation & 16) value &= 0x7fffffff;
        // A single NaN is made canonical too.
        const bool is_float = (operation & 15) >= GPUCC_REDUX_MIN_F32;
        if (first && is_float) result = reduce_two(operation, value, value);
        else result = first ? value : reduce_two(operation, result, value);
        first = false;
    });
    each(lanes, arrived, [&](uint32_t, Thread &thread) { thread.value = result; });
}

// Does what group `number` of the warp waited for, and removes it.
void complete(Block *block, uint32_t w, uint32_t number) {
    Warp &warp = block->warps[w];
    Group *groups = block->groups[w];
    const Group group = groups[number];
    groups[number] = groups[--warp.group_count];
    Thread *lanes = &block->threads[w * kWarp];
    switch (group.kind) {
        case Kind::shfl:
            shuffle(lanes, group.arrived);
            break;
        case Kind::match:
            match(lanes, group.arrived);
            break;
        case Kind::activemask:
            each(lanes, group.arrived, [&](uint32_t, Thread &thread) {
                thread.value = group.arrived;
            });
            break;
        case Kind::elect:
            each(lanes, group.arrived, [&](uint32_t lane, Thread &thread) {
                const uint32_t elected = lowest(group.arrived);
                thread.value = static_cast<uint64_t>(lane == elected) << 32 | elected;
            });
            break;
        case Kind::warpsync:
            break;
        case Kind::mma:
        case Kind::ldmatrix:
        case Kind::stmatrix:
        case Kind::movmatrix:
            if (group.arrived != kFull)
                fail(&lanes[lowest(group.arrived)].base, GPUCC_FAULT,
                     "all 32 lanes must take part, " + std::to_string(count(~group.arrived)) +
                         " of this warp do not exist or have exited, at " +
                         place(block->launch, group.site));
            complete_matrix(group.kind, lanes);
            break;
        default:
            if (group.kind >= Kind::redux)
                reduce(static_cast<uint32_t>(group.kind) - static_cast<uint32_t>(Kind::redux),
                       lanes, group.arrived);
            else
                vote(static_cast<uint32_t>(group.kind) - static_cast<uint32_t>(Kind::vote), lanes,
                     group.arrived);
    }
    release(block, w, group.arrived);
}

[[noreturn, gnu::cold]] void refuse_lane(gpucc_thread *thread, uint32_t site) {
    fail(thread, GPUCC_FAULT,
         "lane " + std::to_string(thread->linear % kWarp) +
             " is not in the member mask of its own operation at " +
             place(block_of(thread)->launch, site));
}

}  // namespace

void groups_after_exit(Block *block, uint32_t w) {
    Warp &warp = block->warps[w];
    for (uint32_t i = warp.group_count; i-- > 0;) {
        const Group &group = block->groups[w][i];
        if (group.members != 0 && (group.members & warp.alive) == group.arrived)
            complete(block, w, i);
    }
}

bool settle_loose_groups(Block *block) {
    uint32_t left = block->loose_warps;
    block->loose_warps = 0;
    for (; left != 0; left &= left - 1) {
        const uint32_t w = lowest(left);
        Warp &warp = block->warps[w];
        // Of several the first in the program's text: lanes at later places are met there again.
        uint32_t first = kFull, loose = 0;
        for (uint32_t i = 0; i < warp.group_count; ++i) {
            if (block->groups[w][i].members != 0) continue;
            ++loose;
            if (first == kFull || block->groups[w][i].site < block->groups[w][first].site) first = i;
        }
        if (loose == 0) continue;
        // Lanes that yielded may still come, unless they did nothing else for long.
        if (warp.yielded != 0 && warp.rounds < kLooseRounds) {
            block->loose_warps |= 1u << w;
            continue;
        }
        if (loose > 1) block->loose_warps |= 1u << w;
        complete(block, w, first);
    }
    return block->ready_warps != 0;
}

void collective(gpucc_thread *base, Kind kind, uint32_t members, uint32_t site, void *operands) {
    Thread *thread = thread_of(base);
    Block *block = block_of(base);
    const uint32_t w = base->linear / kWarp;
    const uint32_t lane = base->linear % kWarp;
    Warp &warp = block->warps[w];
    if (__builtin_expect(members != 0 && !(members >> lane & 1), 0)) refuse_lane(base, site);
    thread->site = site;
    thread->operands = operands;
    uint32_t i = 0;
    for (; i < warp.group_count; ++i) {
        const Group &group = block->groups[w][i];
        if (group.kind == kind && group.members == members && (members || group.site == site)) break;
    }
    if (i == warp.group_count) {
        ++warp.group_count;
        block->groups[w][i] = {kind, members, 0, site};
    }
    Group &group = block->groups[w][i];
    group.arrived |= 1u << lane;
    mark_progress(block, warp);
    if (group.arrived == (members ? members & warp.alive : warp.alive))
        complete(block, w, i);
    else if (members == 0)
        block->loose_warps |= 1u << w;
    give_way(block, thread);
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

uint64_t gpucc_cpu_shfl(gpucc_thread *thread, uint32_t mode, uint32_t value, uint32_t lane,
                        uint32_t control, uint32_t members, uint32_t site) {
    Shuffle operands{mode, value, lane, control};
    collective(thread, Kind::shfl, members, site, &operands);
    return thread_of(thread)->value;
}

uint32_t gpucc_cpu_vote(gpucc_thread *thread, uint32_t kind, uint32_t predicate, uint32_t members,
                        uint32_t site) {
    collective(thread, Kind::vote + kind, members, site, &predicate);
    return static_cast<uint32_t>(thread_of(thread)->value);
}

uint64_t gpucc_cpu_match(gpucc_thread *thread, uint32_t kind, uint64_t value, uint32_t members,
                         uint32_t site) {
    Match operands{kind, value};
    collective(thread, Kind::match, members, site, &operands);
    return thread_of(thread)->value;
}

uint32_t gpucc_cpu_redux(gpucc_thread *thread, uint32_t operation, uint32_t value, uint32_t members,
                         uint32_t site) {
    collective(thread, Kind::redux + operation, members, site, &value);
    return static_cast<uint32_t>(thread_of(thread)->value);
}

uint32_t gpucc_cpu_activemask(gpucc_thread *thread, uint32_t site) {
    collective(thread, Kind::activemask, 0, site, nullptr);
    return static_cast<uint32_t>(thread_of(thread)->value);
}

uint64_t gpucc_cpu_elect(gpucc_thread *thread, uint32_t members, uint32_t site) {
    collective(thread, Kind::elect, members, site, nullptr);
    return thread_of(thread)->value;
}

void gpucc_cpu_warpsync(gpucc_thread *thread, uint32_t members, uint32_t site) {
    collective(thread, Kind::warpsync, members, site, nullptr);
}
