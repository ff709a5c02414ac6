// Command bench times ops on every backend found, on random data, by the
// devices' own clocks, and prints medians with the bandwidth or the rate that
// they mean. Results are checked before they are timed.
//
//	go run ./bench                          every device
//	go run ./bench -device cuda -op ^matmul one backend, some of the work
//	go run ./bench -json                    one JSON object a line, as peers print them
//	go run ./bench -peer torch.json         beside a peer's times
//
// The same work done by other libraries is timed by the scripts in bench/peers,
// which print lines of the same form:
//
//	python3 bench/peers/torch_peer.py > torch.json
//
// A family of ops has a file with a function that lists its work for the sizes that
// fill a device, and a line in the list called families. Tests run all of it once on the
// CPU in small sizes, and hold the peers' names to the names here.
package main
