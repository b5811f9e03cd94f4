// hash_table: many threads put keys into one table in global memory, each slot taken by
// compare-and-swap.
//
// Shows: atom.cas in a loop whose end depends on what other threads did; a plain load of a slot
// would race. Only the keys, which nobody writes, may be cached differently.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}insert
// CHECK: atom{{.*}}.cas.b32
// CHECK: @{{.*}} bra

#include "sample.h"

constexpr int EMPTY = -1;

__global__ void insert(int n, const int *__restrict__ keys, int slots, int *__restrict__ table,
                       int *__restrict__ inserted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int key = keys[i];
    unsigned slot = static_cast<unsigned>(key) * 2654435769u;
    while (true) {
        slot &= slots - 1;
        int found = atomicCAS(&table[slot], EMPTY, key);
        if (found == EMPTY)
            atomicAdd(inserted, 1);
        if (found == EMPTY || found == key)
            return;
        ++slot;
    }
}

int main() {
    const int n = 20011, slots = 1 << 15, distinct = 10007;
    Array<int> keys(n), table(slots), inserted(1);
    for (int i = 0; i < slots; ++i)
        table[i] = EMPTY;
    for (int i = 0; i < n; ++i)
        keys[i] = i * 31 % distinct;
    insert<<<(n + 127) / 128, 128>>>(n, keys, slots, table, inserted);
    finish("insert");
    Checker checker;
    Array<int> seen(distinct);
    for (int i = 0; i < slots; ++i)
        if (table[i] != EMPTY)
            ++seen[table[i]];
    for (int key = 0; key < distinct; ++key)
        checker.equal("times in the table", key, seen[key], 1);
    checker.equal("inserted", 0, inserted[0], distinct);
    return checker.verdict();
}
