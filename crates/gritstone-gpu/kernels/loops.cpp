// The kernels as loops.
#include "step.cu"
