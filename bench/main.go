package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/bench/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command.New().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(command.ExitCode(err))
	}
}
