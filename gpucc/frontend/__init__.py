"""What comes in: CUDA C++ through nvcc's stages, LLVM IR through LLVM, PTX."""
