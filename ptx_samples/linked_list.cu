// linked_list: each thread follows one list to its end and adds what hangs on it.
//
// Shows: pointers that come from memory: no address can be told beforehand, and what they point at
// belongs to no parameter.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}sum_lists
// CHECK: ld.global.{{[bu]}}64
// CHECK: ld{{(.global)?}}.{{[us]}}32
// CHECK: ld{{(.global)?}}.{{[bu]}}64
// CHECK: st.global.{{[us]}}32

#include "sample.h"

struct Node {
    const Node *next;
    int value;
};

__global__ void sum_lists(int n, const Node *const *heads, int *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (const Node *node = heads[i]; node != nullptr; node = node->next)
        sum += node->value;
    sums[i] = sum;
}

int main() {
    const int n = 501, count = 20000;
    Array<Node> nodes(count);
    Array<const Node *> heads(n);
    Array<int> sums(n), wanted(n);
    Random random;
    for (int i = 0; i < count; ++i) {
        int list = random.below(n);
        nodes[i] = {heads[list], static_cast<int>(random.below(1000))};
        heads[list] = &nodes[i];
        wanted[list] += nodes[i].value;
    }
    sum_lists<<<(n + 63) / 64, 64>>>(n, heads, sums);
    finish("sum_lists");
    Checker checker;
    for (int i = 0; i < n; ++i)
        checker.equal("sums", i, sums[i], wanted[i]);
    return checker.verdict();
}
