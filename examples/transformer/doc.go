// Command transformer runs a decoder-only transformer of Llama's architecture, with the weights of a small one that
// was trained to tell stories, or with random ones: it reads a prompt and then writes tokens one by one. All of
// it is ops, and each step of decoding is one sequence of launches that was captured once: token, position and
// length are on the device, where a small kernel of the sequence moves them on, so that the host only replays.
//
//	go run ./examples/transformer -size stories -tokens 200
//	go run ./examples/transformer -size stories -text "One day, a cat" -temperature 0.8 -batch 3
//	go run ./examples/transformer
//	go run ./examples/transformer -device cuda -size 8b -dtype f16 -prompt 512 -tokens 128
//	go run ./examples/transformer -device cuda -size 8b -dtype f16 -bits 4 -prompt 512 -tokens 128
//
// The size stories is that of Karpathy's model of 260,000 parameters (stories/DATA.md), whose text means something.
// Others are tiny, 1b and 8b, of which the last two have the shapes of Llama 3.2 1B, with a head of its
// own, and Llama 3 8B. Their text means nothing, but time and memory are those of a trained model.
// With -bits 8 or 4 all matrices but the embedding are quantised, in groups of up to 128 weights with a scale.
//
// Tokens are the most probable ones. With -temperature they are drawn by ops.Sample, by random numbers that
// the positions of the tokens choose, so that each replay draws anew.
//
// The logits of the last step are compared with those of one pass over the whole text. peer.py is the same model
// in PyTorch, with a CUDA graph for each step and the same flags, but without -bits and -temperature:
//
//	python3 examples/transformer/peer.py -size 8b -dtype f16 -prompt 512 -tokens 128
package main
