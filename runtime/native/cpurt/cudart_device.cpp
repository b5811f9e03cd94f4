// The one device, which is like an H200 in what programs size their launches by; its memory is the
// machine's.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "cudart_queue.h"

using namespace gpucc_cudart;

namespace {

// cudaDeviceProp of CUDA 12 (cudaGetDeviceProperties_v2).
struct Properties12 {
    char name[256], uuid[16], luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated;
    int canMapHostMemory, computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
    int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2];
    int maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
    int unifiedFunctionPointers, reserved[63];
};

// cudaDeviceProp of CUDA 13.
struct Properties13 {
    char name[256], uuid[16], luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory, maxTexture1D, maxTexture1DMipmap;
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
    int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2];
    int maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
    int unifiedFunctionPointers, deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported, reserved[56];
};

static_assert(sizeof(Properties12) == 1032, "as in the headers");
static_assert(sizeof(Properties13) == 1008, "as in the headers");

size_t memory_bytes() {
    return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// What both layouts have.
template <typename Properties>
void describe(Properties *p) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "gpucc CPU");
    p->totalGlobalMem = memory_bytes();
    p->sharedMemPerBlock = 49152;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->minor = 0;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->multiProcessorCount = 132;
    p->canMapHostMemory = 1;
    p->surfaceAlignment = 512;
    p->concurrentKernels = 1;
    p->asyncEngineCount = 3;
    p->unifiedAddressing = 1;
    p->memoryBusWidth = 6144;
    p->l2CacheSize = 62914560;
    p->maxThreadsPerMultiProcessor = 2048;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = 233472;
    p->managedMemory = 1;
    p->hostNativeAtomicSupported = 1;
    p->pageableMemoryAccess = 1;
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->sharedMemPerBlockOptin = 232448;
    p->pageableMemoryAccessUsesHostPageTables = 1;
    p->directManagedMemAccessFromHost = 1;
    p->maxBlocksPerMultiProcessor = 32;
    p->reservedSharedMemPerBlock = 1024;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->unifiedFunctionPointers = 1;
}

constexpr int kClockKhz = 1980000, kMemoryClockKhz = 3201000;

template <typename Properties>
cudaError_t describe_device(Properties *properties, int device) {
    if (properties == nullptr) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    describe(properties);
    return cudaSuccess;
}

// By cudaDeviceAttr; those that are not here are 0.
int attribute_of(int attribute) {
    Properties13 p;
    describe(&p);
    switch (attribute) {
        case 1: return p.maxThreadsPerBlock;
        case 2: return p.maxThreadsDim[0];
        case 3: return p.maxThreadsDim[1];
        case 4: return p.maxThreadsDim[2];
        case 5: return p.maxGridSize[0];
        case 6: return p.maxGridSize[1];
        case 7: return p.maxGridSize[2];
        case 8: return static_cast<int>(p.sharedMemPerBlock);
        case 9: return static_cast<int>(p.totalConstMem);
        case 10: return p.warpSize;
        case 11: return static_cast<int>(p.memPitch);
        case 12: return p.regsPerBlock;
        case 13: return kClockKhz;
        case 14: return static_cast<int>(p.textureAlignment);
        case 15: return 1;
        case 16: return p.multiProcessorCount;
        case 19: return p.canMapHostMemory;
        case 30: return static_cast<int>(p.surfaceAlignment);
        case 31: return p.concurrentKernels;
        case 36: return kMemoryClockKhz;
        case 37: return p.memoryBusWidth;
        case 38: return p.l2CacheSize;
        case 39: return p.maxThreadsPerMultiProcessor;
        case 40: return p.asyncEngineCount;
        case 41: return p.unifiedAddressing;
        case 51: return static_cast<int>(p.texturePitchAlignment);
        case 75: return p.major;
        case 76: return p.minor;
        case 78: return p.streamPrioritiesSupported;
        case 79: return p.globalL1CacheSupported;
        case 80: return p.localL1CacheSupported;
        case 81: return static_cast<int>(p.sharedMemPerMultiprocessor);
        case 82: return p.regsPerMultiprocessor;
        case 83: return p.managedMemory;
        case 86: return p.hostNativeAtomicSupported;
        case 87: return 2;  // single to double precision
        case 88: return p.pageableMemoryAccess;
        case 89: return p.concurrentManagedAccess;
        case 90: return p.computePreemptionSupported;
        case 91: return p.canUseHostPointerForRegisteredMem;
        case 95: return p.cooperativeLaunch;
        case 97: return static_cast<int>(p.sharedMemPerBlockOptin);
        case 99: return p.hostRegisterSupported;
        case 100: return p.pageableMemoryAccessUsesHostPageTables;
        case 101: return p.directManagedMemAccessFromHost;
        case 106: return p.maxBlocksPerMultiProcessor;
        case 111: return static_cast<int>(p.reservedSharedMemPerBlock);
        case 115: return p.memoryPoolsSupported;
        default: return 0;
    }
}

constexpr int kLastAttribute = 147;

// By cudaLimit.
size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
constexpr int kLimits = 7;

}  // namespace

namespace gpucc_cudart {

int value_of_limit(int limit) { return static_cast<int>(limits[limit]); }

}  // namespace gpucc_cudart

// --- the device -----------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaGetDeviceCount(int *count) {
    if (count == nullptr) return note(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaGetDevice(int *device) {
    if (device == nullptr) return note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaSetDevice(int device) {
    GPUCC_BEGIN;
    return note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
GPUCC_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return cudaSetDevice(device);
}
GPUCC_API cudaError_t cudaSetValidDevices(int *, int) { return cudaSuccess; }
GPUCC_API cudaError_t cudaChooseDevice(int *device, const void *) { return cudaGetDevice(device); }

GPUCC_API cudaError_t cudaGetDeviceProperties_v2(Properties12 *properties, int device) {
    const cudaError_t error = describe_device(properties, device);
    if (error != cudaSuccess) return error;
    properties->clockRate = kClockKhz;
    properties->memoryClockRate = kMemoryClockKhz;
    properties->deviceOverlap = 1;
    properties->singleToDoublePrecisionPerfRatio = 2;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaGetDeviceProperties(Properties13 *properties, int device) {
    return describe_device(properties, device);
}

GPUCC_API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
    if (value == nullptr || attribute < 1 || attribute > kLastAttribute)
        return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    *value = attribute_of(attribute);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
    if (text == nullptr || bytes < 13) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    snprintf(text, static_cast<size_t>(bytes), "0000:00:00.0");
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *) {
    return cudaGetDevice(device);
}

GPUCC_API cudaError_t cudaDriverGetVersion(int *version) {
    if (version == nullptr) return note(cudaErrorInvalidValue);
    *version = headers_version();
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

GPUCC_API cudaError_t cudaDeviceReset() {
    wait_for_all();
    write_printed();
    clear_device_error();
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

// --- several devices: there is one ----------------------------------------------------------------

GPUCC_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (can == nullptr) return note(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return note(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return note(cudaErrorInvalidDevice);
}
GPUCC_API cudaError_t cudaDeviceDisablePeerAccess(int) { return note(cudaErrorInvalidDevice); }

// --- limits and preferences -----------------------------------------------------------------------

GPUCC_API cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
    GPUCC_BEGIN;
    if (limit < 0 || limit >= kLimits) return note(cudaErrorInvalidValue);
    limits[limit] = value;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
    GPUCC_BEGIN;
    if (value == nullptr || limit < 0 || limit >= kLimits) return note(cudaErrorInvalidValue);
    *value = limits[limit];
    return cudaSuccess;
}

namespace {

unsigned device_flags = 0;
int cache_preference = 0, bank_size = 0;

cudaError_t get(int *value, int kept) {
    GPUCC_BEGIN;
    if (value == nullptr) return note(cudaErrorInvalidValue);
    *value = kept;
    return cudaSuccess;
}

}  // namespace

GPUCC_API cudaError_t cudaSetDeviceFlags(unsigned flags) {
    GPUCC_BEGIN;
    device_flags = flags;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    GPUCC_BEGIN;
    if (flags == nullptr) return note(cudaErrorInvalidValue);
    *flags = device_flags;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceSetCacheConfig(int preference) {
    cache_preference = preference;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceGetCacheConfig(int *preference) {
    return get(preference, cache_preference);
}
GPUCC_API cudaError_t cudaDeviceSetSharedMemConfig(int size) {
    bank_size = size;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceGetSharedMemConfig(int *size) { return get(size, bank_size); }
GPUCC_API cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

GPUCC_API cudaError_t cudaProfilerStart() { return cudaSuccess; }
GPUCC_API cudaError_t cudaProfilerStop() { return cudaSuccess; }

// There is no driver to look functions of up in.
GPUCC_API cudaError_t cudaGetDriverEntryPoint(const char *, void **function, unsigned long long,
                                              int *result) {
    if (function != nullptr) *function = nullptr;
    if (result != nullptr) *result = 1;  // cudaDriverEntryPointSymbolNotFound
    return note(cudaErrorSymbolNotFound);
}
GPUCC_API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                                       unsigned long long flags, int *result) {
    return cudaGetDriverEntryPoint(name, function, flags, result);
}
