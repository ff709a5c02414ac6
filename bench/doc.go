// Command bench times ops on every backend found, on random data, by the
// devices' own clocks, and prints medians with the bandwidth or the rate that
// they mean. Results are checked before they are timed.
//
//	go run ./bench                  every device
//	go run ./bench -device cuda     one backend
//	go run ./bench -json            one JSON object a line, as peers print them
//
// The same work done by other libraries is timed by the scripts in bench/peers,
// which print lines of the same form:
//
//	python3 bench/peers/torch_peer.py
package main
