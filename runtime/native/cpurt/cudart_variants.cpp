// The names that code compiled with --default-stream=per-thread calls: the same functions, in which
// the stream 0 is the calling thread's own.
#include "cudart.h"

using gpucc_cudart::PerThreadDefault;

#define GPUCC_VARIANT(name, suffix, parameters, arguments) \
    GPUCC_API cudaError_t name parameters;                 \
    GPUCC_API cudaError_t name##suffix parameters {        \
        const PerThreadDefault mark;                       \
        return name arguments;                             \
    }

GPUCC_VARIANT(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind),
              (to, from, bytes, kind))
GPUCC_VARIANT(cudaMemcpyToSymbol, _ptds, (const void *symbol, const void *from, size_t bytes, size_t
              offset, cudaMemcpyKind kind), (symbol, from, bytes, offset, kind))
GPUCC_VARIANT(cudaMemcpyFromSymbol, _ptds, (void *to, const void *symbol, size_t bytes, size_t
              offset, cudaMemcpyKind kind), (to, symbol, bytes, offset, kind))
GPUCC_VARIANT(cudaMemcpy2D, _ptds, (void *to, size_t to_pitch, const void *from, size_t from_pitch,
              size_t width, size_t height, cudaMemcpyKind kind), (to, to_pitch, from, from_pitch,
              width, height, kind))
GPUCC_VARIANT(cudaMemcpy3D, _ptds, (const cudaMemcpy3DParms *parameters), (parameters))
GPUCC_VARIANT(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes))
GPUCC_VARIANT(cudaMemset2D, _ptds, (void *to, size_t pitch, int value, size_t width, size_t height),
              (to, pitch, value, width, height))
GPUCC_VARIANT(cudaMemset3D, _ptds, (cudaPitchedPtr to, int value, cudaExtent extent), (to, value,
              extent))
GPUCC_VARIANT(cudaGraphUpload, _ptsz, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
GPUCC_VARIANT(cudaGraphLaunch, _ptsz, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
GPUCC_VARIANT(cudaStreamBeginCapture, _ptsz, (cudaStream_t stream, int mode), (stream, mode))
GPUCC_VARIANT(cudaStreamEndCapture, _ptsz, (cudaStream_t stream, cudaGraph_t *made), (stream, made))
GPUCC_VARIANT(cudaStreamIsCapturing, _ptsz, (cudaStream_t stream, int *status), (stream, status))
GPUCC_VARIANT(cudaMemcpyAsync, _ptsz, (void *to, const void *from, size_t bytes, cudaMemcpyKind
              kind, cudaStream_t stream), (to, from, bytes, kind, stream))
GPUCC_VARIANT(cudaMemcpyToSymbolAsync, _ptsz, (const void *symbol, const void *from, size_t bytes,
              size_t offset, cudaMemcpyKind kind, cudaStream_t stream), (symbol, from, bytes,
              offset, kind, stream))
GPUCC_VARIANT(cudaMemcpyFromSymbolAsync, _ptsz, (void *to, const void *symbol, size_t bytes, size_t
              offset, cudaMemcpyKind kind, cudaStream_t stream), (to, symbol, bytes, offset, kind,
              stream))
GPUCC_VARIANT(cudaMemcpy2DAsync, _ptsz, (void *to, size_t to_pitch, const void *from, size_t
              from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
              (to, to_pitch, from, from_pitch, width, height, kind, stream))
GPUCC_VARIANT(cudaMemcpy3DAsync, _ptsz, (const cudaMemcpy3DParms *parameters, cudaStream_t stream),
              (parameters, stream))
GPUCC_VARIANT(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, cudaStream_t stream), (to,
              value, bytes, stream))
GPUCC_VARIANT(cudaMemset2DAsync, _ptsz, (void *to, size_t pitch, int value, size_t width, size_t
              height, cudaStream_t stream), (to, pitch, value, width, height, stream))
GPUCC_VARIANT(cudaMemset3DAsync, _ptsz, (cudaPitchedPtr to, int value, cudaExtent extent,
              cudaStream_t stream), (to, value, extent, stream))
GPUCC_VARIANT(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream))
GPUCC_VARIANT(cudaStreamGetDevice, _ptsz, (cudaStream_t stream, int *device), (stream, device))
GPUCC_VARIANT(cudaStreamGetFlags, _ptsz, (cudaStream_t stream, unsigned *flags), (stream, flags))
GPUCC_VARIANT(cudaStreamGetId, _ptsz, (cudaStream_t stream, unsigned long long *id), (stream, id))
GPUCC_VARIANT(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int *priority), (stream,
              priority))
GPUCC_VARIANT(cudaStreamSetAttribute, _ptsz, (cudaStream_t stream, int attribute, const void
              *value), (stream, attribute, value))
GPUCC_VARIANT(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))
GPUCC_VARIANT(cudaEventRecordWithFlags, _ptsz, (cudaEvent_t event, cudaStream_t stream, unsigned
              flags), (event, stream, flags))
GPUCC_VARIANT(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
              (stream, event, flags))
GPUCC_VARIANT(cudaStreamAddCallback, _ptsz, (cudaStream_t stream, cudaStreamCallback_t callback,
              void *data, unsigned flags), (stream, callback, data, flags))
GPUCC_VARIANT(cudaStreamAttachMemAsync, _ptsz, (cudaStream_t stream, void *pointer, size_t bytes,
              unsigned flags), (stream, pointer, bytes, flags))
GPUCC_VARIANT(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream))
GPUCC_VARIANT(cudaLaunchKernel, _ptsz, (const void *host, dim3 grid, dim3 block, void **arguments,
              size_t shared, cudaStream_t stream), (host, grid, block, arguments, shared, stream))
GPUCC_VARIANT(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *config, const void *host, void
              **arguments), (config, host, arguments))
GPUCC_VARIANT(cudaLaunchHostFunc, _ptsz, (cudaStream_t stream, cudaHostFn_t function, void *data),
              (stream, function, data))
GPUCC_VARIANT(cudaLaunchCooperativeKernel, _ptsz, (const void *host, dim3 grid, dim3 block, void
              **arguments, size_t shared, cudaStream_t stream), (host, grid, block, arguments,
              shared, stream))
GPUCC_VARIANT(cudaMemPrefetchAsync, _ptsz, (const void *pointer, size_t bytes, cudaMemLocation
              location, uintptr_t fourth, cudaStream_t fifth), (pointer, bytes, location, fourth,
              fifth))
GPUCC_VARIANT(cudaMemPrefetchAsync_v2, _ptsz, (const void *pointer, size_t bytes, cudaMemLocation
              location, unsigned flags, cudaStream_t stream), (pointer, bytes, location, flags,
              stream))
GPUCC_VARIANT(cudaMallocAsync, _ptsz, (void **made, size_t bytes, cudaStream_t stream), (made,
              bytes, stream))
GPUCC_VARIANT(cudaFreeAsync, _ptsz, (void *begin, cudaStream_t stream), (begin, stream))
GPUCC_VARIANT(cudaMallocFromPoolAsync, _ptsz, (void **made, size_t bytes, cudaMemPool_t pool,
              cudaStream_t stream), (made, bytes, pool, stream))
GPUCC_VARIANT(__cudaLaunchKernel, _ptsz, (cudaKernel_t kernel, dim3 grid, dim3 block, void
              **arguments, size_t shared, cudaStream_t stream), (kernel, grid, block, arguments,
              shared, stream))
GPUCC_VARIANT(cudaGetDriverEntryPoint, _ptsz, (const char *name, void **function, unsigned long long
              flags, int *result), (name, function, flags, result))
GPUCC_VARIANT(cudaGetDriverEntryPointByVersion, _ptsz, (const char *name, void **function, unsigned
              version, unsigned long long flags, int *result), (name, function, version, flags,
              result))
