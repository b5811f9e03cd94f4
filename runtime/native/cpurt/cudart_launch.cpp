// Modules, kernels and their launches, device variables, occupancy.
//
// nvcc's host code registers each module from a constructor: first the "fatbin", which here is a
// gpucc_module, then kernels and variables by name.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "cudart_queue.h"

namespace gpucc_cudart {

namespace {

constexpr size_t kStaticShared = 48 * 1024;        // of a block, without cudaFuncSetAttribute
constexpr size_t kMostShared = 227 * 1024;         // with it
constexpr size_t kSharedOfSm = 228 * 1024;
constexpr size_t kReservedShared = 1024;           // of each block
constexpr int kThreadsOfSm = 2048, kBlocksOfSm = 32, kSms = 132;
constexpr double kPatience = 10;  // seconds that the end of a process waits for what still runs

struct Wrapper {  // __fatBinC_Wrapper_t
    int magic, version;
    const gpucc_module *module;
    void *headers;  // CUDART_VERSION
};

struct HostVariable {
    const gpucc_module *module;
    std::string name;
};

struct Registry {
    std::mutex mutex;
    std::vector<const gpucc_module *> modules;
    std::unordered_map<const void *, Function *> functions;
    std::unordered_map<const void *, HostVariable> variables;
    std::vector<int> headers;
    bool at_exit = false;
};

Registry &registry() {
    static auto *only = new Registry;
    return *only;
}

const gpucc_entry *entry_of(const gpucc_module *module, const char *name) {
    for (uint32_t i = 0; i < module->entry_count; ++i)
        if (strcmp(module->entries[i].kernel.name, name) == 0) return &module->entries[i];
    return nullptr;
}

const gpucc_variable *variable_in(const gpucc_module *module, const char *name) {
    for (uint32_t i = 0; i < module->variable_count; ++i)
        if (strcmp(module->variables[i].name, name) == 0) return &module->variables[i];
    return nullptr;
}

// Of the module, or of another one that it was linked with.
const gpucc_variable *find_variable(const gpucc_module *module, const std::string &name) {
    if (const gpucc_variable *found = variable_in(module, name.c_str())) return found;
    for (const gpucc_module *other : registry().modules)
        if (const gpucc_variable *found = variable_in(other, name.c_str())) return found;
    return nullptr;
}

// What was started and not waited for may still use the program's memory; what it printed is shown.
void finish_at_exit() {
    wait_for_all(kPatience);
    write_printed();
}

struct Workspace {  // cooperative groups' grid_workspace
    uint32_t bytes = sizeof(Workspace);
    uint32_t barrier = 0;
};

struct Prepared {
    gpucc_kernel kernel;
    gpucc_launch launch;
    std::vector<char> parameters;
    bool cooperative;
};

cudaError_t error_of(int status) {
    switch (status) {
        case GPUCC_OK: return cudaSuccess;
        case GPUCC_ASSERT: return cudaErrorAssert;
        case GPUCC_DEADLOCK: return cudaErrorLaunchTimeout;
        default: return cudaErrorLaunchFailure;
    }
}

void run(const Prepared &prepared) {
    static std::atomic<uint64_t> grids{0};
    gpucc_launch launch = prepared.launch;
    launch.grid_id = ++grids;
    Workspace workspace;
    if (prepared.cooperative) launch.workspace = reinterpret_cast<uint64_t>(&workspace);
    std::string message(1 << 14, '\0');
    const int status = gpucc_cpu_launch(&prepared.kernel, &launch, prepared.parameters.data(),
                                        nullptr, &message[0], message.size());
    if (status == GPUCC_OK) return;
    fprintf(stderr, "gpucc: %s\n", message.c_str());
    set_device_error(error_of(status));
}

uint64_t product(const dim3 &d) { return uint64_t{d.x} * d.y * d.z; }

cudaError_t check(const Function *function, const dim3 &grid, const dim3 &block, size_t shared,
                  bool cooperative) {
    const bool fits = product(grid) != 0 && product(block) != 0 && block.x <= 1024 &&
                      block.y <= 1024 && block.z <= 64 && product(block) <= 1024 &&
                      grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535;
    if (!fits) return cudaErrorInvalidConfiguration;
    if (product(block) > function->entry->most_threads) return cudaErrorInvalidValue;
    const size_t fixed = function->entry->kernel.static_shared;
    const size_t usual = fixed < kStaticShared ? kStaticShared - fixed : 0;
    const size_t most = function->most_dynamic < 0 ? usual
                        : static_cast<size_t>(function->most_dynamic) > usual
                            ? static_cast<size_t>(function->most_dynamic)
                            : usual;
    if (shared > most) return cudaErrorInvalidValue;
    if (cooperative) {
        const auto blocks = static_cast<uint64_t>(
            resident_blocks(function, static_cast<int>(product(block)), shared));
        if (product(grid) > blocks * kSms) return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

}  // namespace

int headers_version() {
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    return r.headers.empty() ? 13000 : r.headers.front();
}

Function *function_of(const void *host) {
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    const auto found = r.functions.find(host);
    return found != r.functions.end() ? found->second : nullptr;
}

bool variable_of(const void *host, Variable *variable) {
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    const auto found = r.variables.find(host);
    if (found == r.variables.end()) return false;
    const gpucc_variable *about = find_variable(found->second.module, found->second.name);
    if (about == nullptr) return false;
    *variable = {static_cast<char *>(about->address), about->bytes};
    return true;
}

int resident_blocks(const Function *function, int threads, size_t dynamic) {
    const int rounded = (threads + 31) / 32 * 32;
    const size_t shared = function->entry->kernel.static_shared + dynamic + kReservedShared;
    if (threads <= 0 || rounded > 1024 || shared > kSharedOfSm) return 0;
    int blocks = kThreadsOfSm / rounded;
    if (blocks > kBlocksOfSm) blocks = kBlocksOfSm;
    const auto by_shared = static_cast<int>(kSharedOfSm / shared);
    return blocks < by_shared ? blocks : by_shared;
}

cudaError_t make_launch(Function *function, const dim3 &grid, const dim3 &block, void **arguments,
                        size_t shared, bool cooperative, Task *task) {
    if (const cudaError_t error = check(function, grid, block, shared, cooperative)) return error;
    const gpucc_entry &entry = *function->entry;
    auto prepared = std::make_shared<Prepared>();
    prepared->kernel = entry.kernel;
    // Fibers have 256 KiB, of which calls of the runtime's use a part.
    const auto stack = static_cast<uint64_t>(value_of_limit(0));
    if (stack > 128 * 1024) prepared->kernel.stack_bytes = stack + 128 * 1024;
    prepared->launch = {{grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z},
                        entry.kernel.static_shared + static_cast<uint32_t>(shared),
                        static_cast<uint32_t>(shared),
                        0,
                        0};
    prepared->parameters.resize(entry.kernel.parameter_bytes + 1);
    for (uint32_t i = 0; i < entry.parameter_count; ++i) {
        const gpucc_parameter &p = entry.parameters[i];
        if (arguments == nullptr || arguments[i] == nullptr) return cudaErrorInvalidValue;
        memcpy(&prepared->parameters[p.offset], arguments[i], p.bytes);
    }
    prepared->cooperative = cooperative;
    *task = {NodeType::kernel, [prepared] { run(*prepared); }};
    return cudaSuccess;
}

}  // namespace gpucc_cudart

using namespace gpucc_cudart;

// --- what generated host code calls ---------------------------------------------------------------

GPUCC_API void **__cudaRegisterFatBinary(void *fatbin) {
    const auto *wrapper = static_cast<const Wrapper *>(fatbin);
    const gpucc_module *module = wrapper->module;
    if (module->magic != GPUCC_MODULE_MAGIC) {
        fprintf(stderr, "gpucc: an object of this program was not compiled with --target=cpu\n");
        _exit(127);
    }
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    r.modules.push_back(module);
    r.headers.push_back(static_cast<int>(reinterpret_cast<intptr_t>(wrapper->headers)));
    for (uint32_t i = 0; i < module->variable_count; ++i)
        add_variable(module->variables[i].address, module->variables[i].bytes);
    return reinterpret_cast<void **>(const_cast<gpucc_module *>(module));
}
GPUCC_API void __cudaRegisterFatBinaryEnd(void **) {}

GPUCC_API void __cudaUnregisterFatBinary(void **) {
    Registry &r = registry();
    {
        const std::lock_guard<std::mutex> lock(r.mutex);
        if (r.at_exit) return;
        r.at_exit = true;
    }
    finish_at_exit();
}

GPUCC_API void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int,
                                      void *, void *, void *, void *, int *) {
    const auto *module = reinterpret_cast<const gpucc_module *>(handle);
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    if (const gpucc_entry *entry = entry_of(module, name))
        r.functions[host] = new Function{entry, -1, -1};
}

GPUCC_API void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t,
                                 int, int) {
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    r.variables[host] = {reinterpret_cast<const gpucc_module *>(handle), name};
}

// The host reads the variable through the pointer, which is set here.
GPUCC_API void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name,
                                        int external, size_t bytes, int constant, int global) {
    __cudaRegisterVar(handle, reinterpret_cast<char *>(host), nullptr, name, external, bytes,
                      constant, global);
    Variable variable;
    if (variable_of(host, &variable)) {
        *host = variable.address;
        add_managed(variable.address, variable.bytes);
    }
}
GPUCC_API char __cudaInitModule(void **) { return 1; }

namespace {

struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

cudaError_t launch(Function *function, const dim3 &grid, const dim3 &block, void **arguments,
                   size_t shared, cudaStream_t handle, bool cooperative) {
    GPUCC_BEGIN;
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    Task task;
    const cudaError_t error =
        make_launch(function, grid, block, arguments, shared, cooperative, &task);
    return note(error != cudaSuccess ? error : submit(stream, std::move(task)));
}

}  // namespace

GPUCC_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                               cudaStream_t stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

GPUCC_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                 void *stream) {
    if (configurations.empty()) return note(cudaErrorInvalidConfiguration);
    const Configuration &last = configurations.back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared;
    *static_cast<cudaStream_t *>(stream) = last.stream;
    configurations.pop_back();
    return cudaSuccess;
}

GPUCC_API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    *kernel = reinterpret_cast<cudaKernel_t>(function_of(host));
    return *kernel != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
GPUCC_API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    GPUCC_BEGIN;
    return note(__cudaGetKernel(kernel, host));
}
GPUCC_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                         void **arguments, size_t shared, cudaStream_t stream) {
    return launch(reinterpret_cast<Function *>(kernel), grid, block, arguments, shared, stream,
                  false);
}

// --- launches -------------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                                       size_t shared, cudaStream_t stream) {
    return launch(function_of(host), grid, block, arguments, shared, stream, false);
}

GPUCC_API cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared,
                                                  cudaStream_t stream) {
    return launch(function_of(host), grid, block, arguments, shared, stream, true);
}

// Attributes say how a launch may overlap others and use caches, which changes no result; except
// that a launch is cooperative, or has clusters.
GPUCC_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host,
                                          void **arguments) {
    GPUCC_BEGIN;
    if (config == nullptr) return note(cudaErrorInvalidValue);
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute &attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative)
            cooperative = attribute.value.number != 0;
        const unsigned *cluster = attribute.value.cluster;
        if (attribute.id == cudaLaunchAttributeClusterDimension &&
            uint64_t{cluster[0]} * cluster[1] * cluster[2] > 1)
            return note(cudaErrorNotSupported);
    }
    return launch(function_of(host), config->gridDim, config->blockDim, arguments,
                  config->dynamicSmemBytes, config->stream, cooperative);
}

// --- attributes and occupancy ---------------------------------------------------------------------

namespace {

constexpr int kMaxDynamicShared = 8, kCarveout = 9;

// Hosts pass a kernel by its function, or by the handle of cudaGetKernel.
Function *kernel_of(const void *pointer) {
    if (Function *function = function_of(pointer)) return function;
    Registry &r = registry();
    const std::lock_guard<std::mutex> lock(r.mutex);
    for (const auto &[host, function] : r.functions)
        if (function == pointer) return function;
    return nullptr;
}

}  // namespace

GPUCC_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host) {
    GPUCC_BEGIN;
    const Function *function = kernel_of(host);
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    if (attributes == nullptr) return note(cudaErrorInvalidValue);
    *attributes = {};
    const size_t fixed = function->entry->kernel.static_shared;
    attributes->sharedSizeBytes = fixed;
    attributes->maxThreadsPerBlock = static_cast<int>(function->entry->most_threads);
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes =
        function->most_dynamic >= 0 ? function->most_dynamic
                                    : static_cast<int>(fixed < kStaticShared ? kStaticShared - fixed : 0);
    attributes->preferredShmemCarveout = function->carveout;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value) {
    GPUCC_BEGIN;
    Function *function = kernel_of(host);
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    if (attribute == kMaxDynamicShared) {
        if (value < 0 ||
            static_cast<size_t>(value) + function->entry->kernel.static_shared > kMostShared)
            return note(cudaErrorInvalidValue);
        function->most_dynamic = value;
    } else if (attribute == kCarveout) {
        if (value < -1 || value > 100) return note(cudaErrorInvalidValue);
        function->carveout = value;
    } else if (attribute < kMaxDynamicShared || attribute > 15) {
        return note(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaFuncSetCacheConfig(const void *host, int) {
    GPUCC_BEGIN;
    return note(kernel_of(host) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
GPUCC_API cudaError_t cudaFuncSetSharedMemConfig(const void *host, int) {
    return cudaFuncSetCacheConfig(host, 0);
}

GPUCC_API cudaError_t cudaFuncGetName(const char **name, const void *host) {
    GPUCC_BEGIN;
    const Function *function = kernel_of(host);
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    if (name == nullptr) return note(cudaErrorInvalidValue);
    *name = function->entry->kernel.name;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                             const void *host,
                                                                             int threads,
                                                                             size_t shared,
                                                                             unsigned flags) {
    GPUCC_BEGIN;
    const Function *function = kernel_of(host);
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    if (blocks == nullptr || threads <= 0 || flags > 1) return note(cudaErrorInvalidValue);
    *blocks = resident_blocks(function, threads, shared);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host,
                                                                    int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}

GPUCC_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host,
                                                                int blocks, int threads) {
    GPUCC_BEGIN;
    const Function *function = kernel_of(host);
    if (function == nullptr) return note(cudaErrorInvalidDeviceFunction);
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return note(cudaErrorInvalidValue);
    const size_t used = function->entry->kernel.static_shared + kReservedShared;
    const size_t each = kSharedOfSm / static_cast<size_t>(blocks);
    const size_t available = each > used ? each - used : 0;
    const size_t most = kMostShared - function->entry->kernel.static_shared;
    *bytes = available < most ? available : most;
    return cudaSuccess;
}
