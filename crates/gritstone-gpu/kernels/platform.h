// What differs between nvcc and a C++ compiler: the same kernels run as threads of a GPU and as loops.
//
// As loops, the threads of a block run one after the other, in order. So a value that a block reduces is whole in its last thread,
// on both: kernels act on it there.
#pragma once

#ifdef __CUDACC__

#define KERNEL extern "C" __global__ void
#define BOUNDS(threads) __launch_bounds__(threads)
#define FN static __device__ __forceinline__
#define TRAIT static __host__ __device__ constexpr
#define RESTRICT __restrict__

FN double as_double(unsigned long long bits) { return __longlong_as_double((long long)bits); }
FN unsigned long long as_bits(double x) { return (unsigned long long)__double_as_longlong(x); }
FN unsigned take_number(unsigned *counter) { return atomicAdd(counter, 1u); }
FN void give_number(unsigned *counter) { atomicSub(counter, 1u); }
FN void set_flag(unsigned *flag, unsigned bits) { atomicOr(flag, bits); }

// The largest of what all threads give, where that is not negative: the bits of such numbers are in the same order.
FN void raise(unsigned long long *largest, double x) {
    unsigned long long bits = as_bits(x);
    if (bits > *(volatile unsigned long long *)largest) atomicMax(largest, bits);
}

FN double other_lane(double x, int lanes) { return __shfl_xor_sync(0xffffffffu, x, lanes); }

// Reduces a value over the threads of a block; right in all of them. `workspace` has a place for every warp.
#define REDUCE(name, identity, combined)                                                             \
    FN double name(double x, double *workspace) {                                                    \
        for (int lanes = 16; lanes > 0; lanes >>= 1) {                                               \
            double y = other_lane(x, lanes);                                                         \
            x = combined;                                                                            \
        }                                                                                            \
        __syncthreads();                                                                             \
        if ((threadIdx.x & 31u) == 0) workspace[threadIdx.x >> 5] = x;                               \
        __syncthreads();                                                                             \
        x = (threadIdx.x & 31u) < (blockDim.x + 31u) >> 5 ? workspace[threadIdx.x & 31u] : identity; \
        for (int lanes = 16; lanes > 0; lanes >>= 1) {                                               \
            double y = other_lane(x, lanes);                                                         \
            x = combined;                                                                            \
        }                                                                                            \
        return x;                                                                                    \
    }
#define WORKSPACE(name, count) __shared__ double name[count][32]

#else

#include <cmath>
#include <cstring>

struct Place {
    unsigned x;
};
static thread_local Place blockIdx, threadIdx, blockDim, gridDim;

#define KERNEL static void
#define BOUNDS(threads)
#define FN static inline
#define TRAIT static constexpr
#define RESTRICT __restrict__

FN double as_double(unsigned long long bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
FN unsigned long long as_bits(double x) {
    unsigned long long bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
FN unsigned take_number(unsigned *counter) { return (*counter)++; }
FN void give_number(unsigned *counter) { (*counter)--; }
FN void set_flag(unsigned *flag, unsigned bits) { *flag |= bits; }
FN void raise(unsigned long long *largest, double x) {
    if (as_bits(x) > *largest) *largest = as_bits(x);
}
using std::copysign;
using std::fabs;
using std::fma;
using std::sqrt;

// The first thread of a block begins, each adds its own, the last one has all.
#define REDUCE(name, identity, combined)              \
    FN double name(double x, double *workspace) {     \
        double y = threadIdx.x == 0 ? identity : *workspace; \
        return *workspace = combined;                 \
    }
#define WORKSPACE(name, count) static thread_local double name[count][1]

#endif

FN unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
FN unsigned threads_in_grid() { return gridDim.x * blockDim.x; }
FN bool is_last_of_block() { return threadIdx.x + 1 == blockDim.x; }

// The larger one, or what is not a number.
FN double longer(double a, double b) { return a >= b || a != a ? a : b; }

FN void merge_longest(double &most, double &next, double other_most, double other_next) {
    double less = most < other_most ? most : other_most;
    next = longer(less, longer(next, other_next));
    most = longer(most, other_most);
}

REDUCE(block_sum, 0.0, x + y)
REDUCE(block_largest, 0.0, longer(x, y))

// The two longest ways of all threads of a block.
#ifdef __CUDACC__
FN void block_longest(double &most, double &next, double *workspace, double *more) {
    for (int lanes = 16; lanes > 0; lanes >>= 1) merge_longest(most, next, other_lane(most, lanes), other_lane(next, lanes));
    __syncthreads();
    if ((threadIdx.x & 31u) == 0) {
        workspace[threadIdx.x >> 5] = most;
        more[threadIdx.x >> 5] = next;
    }
    __syncthreads();
    bool there = (threadIdx.x & 31u) < (blockDim.x + 31u) >> 5;
    most = there ? workspace[threadIdx.x & 31u] : 0.0;
    next = there ? more[threadIdx.x & 31u] : 0.0;
    for (int lanes = 16; lanes > 0; lanes >>= 1) merge_longest(most, next, other_lane(most, lanes), other_lane(next, lanes));
}
#else
FN void block_longest(double &most, double &next, double *workspace, double *more) {
    if (threadIdx.x > 0) merge_longest(most, next, *workspace, *more);
    *workspace = most;
    *more = next;
}
#endif
