// Objects on the device: classes with virtual functions made by new, function pointers from tables
// and from symbols, recursion, a switch over many cases, placement in shared memory.
#include "program.h"

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};
struct Circle : Shape {
    float r;
    __device__ Circle(float radius) : r(radius) {}
    __device__ float area() const override { return 3 * r * r; }
};
struct Box : Shape {
    float w, h;
    __device__ Box(float width, float height) : w(width), h(height) {}
    __device__ float area() const override { return w * h; }
};

__global__ void make(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) shapes[i] = i % 3 ? (Shape *)new Box(i, 2) : (Shape *)new Circle(i);
}
__global__ void measure(Shape **shapes, float *areas, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    areas[i] = shapes[i]->area();
    delete shapes[i];
}

typedef int (*Function)(int);
__device__ int square(int x) { return x * x; }
__device__ int depth(int x) { return x <= 0 ? 0 : 1 + depth(x / 2); }
__device__ Function chosen = square;
__device__ Function table[2] = {depth, square};

__global__ void call(int *out, Function f) {
    int i = threadIdx.x;
    out[i] = f(i) + chosen(i) * 1000 + table[i % 2](i) * 1000000;
}

__global__ void interpret(const char *program, int *out) {
    int stack[8], top = 0;
    for (const char *at = program; *at; ++at) switch (*at) {
            case '+': --top, stack[top - 1] += stack[top]; break;
            case '-': --top, stack[top - 1] -= stack[top]; break;
            case '*': --top, stack[top - 1] *= stack[top]; break;
            case 't': stack[top++] = threadIdx.x; break;
            case 'd': stack[top] = stack[top - 1], ++top; break;
            case 's': { int x = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = x; break; }
            default: stack[top++] = *at - '0';
        }
    out[threadIdx.x] = stack[0];
}

int main() {
    const int n = 200;
    Device<Shape *> shapes(n);
    Device<float> areas(n);
    make<<<4, 64>>>(shapes, n);
    measure<<<4, 64>>>(shapes, areas, n);
    std::vector<float> got = areas.host();
    for (int i = 0; i < n; ++i) expect("area", i, got[i], i % 3 ? 2.0 * i : 3.0 * i * i);

    Function host_copy;
    CHECK(cudaMemcpyFromSymbol(&host_copy, chosen, sizeof host_copy));
    Device<int> out(20);
    call<<<1, 20>>>(out, host_copy);
    std::vector<int> numbers = out.host();
    for (int i = 0; i < 20; ++i) {
        int deep = i == 0 ? 0 : 32 - __builtin_clz(i);
        expect("call", i, numbers[i], i * i + 1000 * i * i + 1000000 * (i % 2 ? i * i : deep));
    }
    const char text[] = "td*3+t2*s-";
    Device<char> program(std::vector<char>(text, text + sizeof text));
    interpret<<<1, 20>>>(program, out);
    numbers = out.host();
    for (int i = 0; i < 20; ++i) expect("interpreted", i, numbers[i], 2 * i - (i * i + 3));
    return verdict();
}
