package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/standalone"
)

// standaloneFlags ask for a file that needs no weft.
type standaloneFlags struct{ on, main bool }

func (s standaloneFlags) check(form string) error {
	switch {
	case s.main && !s.on:
		return usage{errors.New("--with-main needs --standalone")}
	case s.on && form != "cuda":
		return usage{fmt.Errorf("--standalone writes CUDA C++, not %s", form)}
	}
	return nil
}

// write writes the file.
func (s standaloneFlags) write(cmd *cobra.Command, c *catalog.Call, h hardware, out string) error {
	measureNothing()
	p, err := standalone.New(c, h.Caps)
	if err != nil {
		return err
	}
	text, err := p.CUDA()
	if err != nil {
		return err
	}
	if s.main {
		main, err := p.Main()
		if err != nil {
			return err
		}
		text += main
	}
	if out == "" {
		_, err = fmt.Fprint(cmd.OutOrStdout(), text)
		return err
	}
	if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s, %s\n", out, p, size(int64(len(text))))
	return nil
}
