// A time step: as `gritstone_engine::World::step`, kernel by kernel. The design is in docs/decisions/0013-gpu.md.
//
// Step k reads the copies k & 1 of bodies and contacts and writes the others. A kernel that meets something that is for the host sets
// `stop`: all later ones do nothing, and the copies that the step began with are as they were.

#include "shared.h"

#ifndef __CUDACC__
// The threads of a kernel, one after the other.
template <class Kernel> static void run(Kernel kernel, unsigned blocks, unsigned threads, const Params &p, unsigned k) {
    gridDim.x = blocks;
    blockDim.x = threads;
    for (unsigned block = 0; block < blocks; ++block)
        for (unsigned thread = 0; thread < threads; ++thread) {
            blockIdx.x = block;
            threadIdx.x = thread;
            kernel(p, k);
        }
}

extern "C" void gritstone_gpu_run(unsigned kernel, unsigned blocks, unsigned threads, const Params *p, unsigned k) {
    typedef void (*Kernel)(const Params, unsigned);
    static const Kernel kernels[] = {begin_step,
                                     drift_bodies,
                                     judge_lists,
                                     activate_candidates,
                                     activate_superellipsoids,
                                     solve_all_spheres,
                                     solve_all_spheres_on_half_spaces,
                                     solve_all_ellipsoids,
                                     solve_all_ellipsoids_on_half_spaces,
                                     solve_all_quartics,
                                     solve_all_superellipsoids,
                                     solve_all_superellipsoids_on_half_spaces,
                                     gather_and_kick,
                                     gather_walls,
                                     end_step,
                                     pack_contacts,
                                     unpack_contacts,
                                     sample_bodies,
                                     pack_questions,
                                     take_answers,
                                     pack_wall_contacts};
    run(kernels[kernel], blocks, threads, *p, k);
}
#endif
