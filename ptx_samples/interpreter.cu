// interpreter: each thread runs the same little program of byte codes on its own number.
//
// Shows: a switch, of which clang makes a table of branch targets (brx.idx) and nvcc a tree of
// comparisons; a stack in local memory that is indexed by data; byte loads that a whole warp shares.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}interpret
// CHECK: .local .align {{[0-9]+}} .b8
// CHECK: ld.global.u8
// CHECK: setp.gt.s16
// CHECK: st.local.u32

#include "sample.h"

enum Code : unsigned char { PUSH, SELF, ADD, SUBTRACT, MULTIPLY, MINIMUM, NEGATE, DOUBLE, STOP };

__host__ __device__ int run(const unsigned char *code, int self) {
    int stack[16];
    int top = 0;
    while (true) {
        switch (*code++) {
        case PUSH: stack[top++] = *code++; break;
        case SELF: stack[top++] = self; break;
        case ADD: --top; stack[top - 1] += stack[top]; break;
        case SUBTRACT: --top; stack[top - 1] -= stack[top]; break;
        case MULTIPLY: --top; stack[top - 1] *= stack[top]; break;
        case MINIMUM: --top; if (stack[top] < stack[top - 1]) stack[top - 1] = stack[top]; break;
        case NEGATE: stack[top - 1] = -stack[top - 1]; break;
        case DOUBLE: stack[top - 1] *= 2; break;
        default: return stack[top - 1];
        }
    }
}

__global__ void interpret(int n, const unsigned char *code, int *numbers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        numbers[i] = run(code, numbers[i]);
}

int main() {
    const int n = 3001;
    // min(3 * self - 100, -2 * (self + 7))
    const unsigned char program[] = {PUSH, 3, SELF, MULTIPLY, PUSH,   100,    SUBTRACT, SELF,
                                     PUSH, 7, ADD,  NEGATE,   DOUBLE, MINIMUM, STOP};
    Array<unsigned char> code(sizeof program);
    Array<int> numbers(n);
    for (std::size_t i = 0; i < sizeof program; ++i)
        code[i] = program[i];
    for (int i = 0; i < n; ++i)
        numbers[i] = i - n / 2;
    interpret<<<(n + 127) / 128, 128>>>(n, code, numbers);
    finish("interpret");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        int self = i - n / 2;
        int first = 3 * self - 100, second = -2 * (self + 7);
        checker.equal("numbers", i, numbers[i], first < second ? first : second);
    }
    return checker.verdict();
}
