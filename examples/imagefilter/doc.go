// Command imagefilter reads a picture, sharpens it, blurs it and finds its edges by convolutions on a device,
// compares each result with the same filter in float64 and writes it as a PNG file.
//
//	go run ./examples/imagefilter -device vulkan -in photo.png -out folder
//
// Without -in it takes picture.png, which comes with the example and was drawn by the code in draw_test.go.
package main
