// Command mesh measures collectives, the products that overlap with them, ring attention and a block of a transformer on several devices of this host, next to PyTorch with NCCL:
//
//	go run ./bench/mesh            # all GPUs of CUDA
//	go run ./bench/mesh --run gemm --sampled 8    # products of random shapes, too
//	go run ./bench/mesh --backend cpu --devices 2 --size tiny
//
// Each work is measured in rounds, in which weft and PyTorch, which has one process for each GPU, alternate on the same GPUs. A time is that of
// one call of a batch between two events on rank 0, the second of which waits for all ranks; the median of all samples counts. The bandwidth of collectives is the bus bandwidth of NCCL's
// own tests: what each link carries at least.
//
// It uses mesh as any program does, and is apart from bench/command because its peers are groups of processes.
package main
