package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed scripts/nccl.py
var script []byte

// python is PyTorch in one process for each GPU. The first talks with this one.
type python struct {
	who    string
	folder string
	cmds   []*exec.Cmd
	in     []io.WriteCloser
	out    *bufio.Reader
}

// startPython starts the processes.
func startPython(ranks int, rule timing) (p *python, err error) {
	name := os.Getenv("WEFT_PYTHON")
	if name == "" {
		name = "python3"
	}
	if name, err = exec.LookPath(name); err != nil {
		return nil, err
	}
	p = &python{}
	if p.folder, err = os.MkdirTemp("", "weft-mesh-"); err != nil {
		return nil, err
	}
	file := filepath.Join(p.folder, "nccl.py")
	if err := os.WriteFile(file, script, 0o666); err != nil {
		return nil, errors.Join(err, p.close())
	}
	port, err := freePort()
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	rules, err := json.Marshal(rule)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	for rank := range ranks {
		cmd := exec.Command(name, file, string(rules))
		cmd.Env = append(os.Environ(), fmt.Sprint("RANK=", rank), fmt.Sprint("LOCAL_RANK=", rank), fmt.Sprint("WORLD_SIZE=", ranks),
			"MASTER_ADDR=127.0.0.1", fmt.Sprint("MASTER_PORT=", port))
		if os.Getenv("NCCL_NVLS_ENABLE") == "" {
			cmd.Env = append(cmd.Env, "NCCL_NVLS_ENABLE=0") // as weft has it
		}
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		if rank == 0 {
			out, err := cmd.StdoutPipe()
			if err != nil {
				return nil, errors.Join(err, p.close())
			}
			p.out = bufio.NewReader(out)
		}
		if err := cmd.Start(); err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.cmds, p.in = append(p.cmds, cmd), append(p.in, in)
	}
	var hello struct{ Who, Error string }
	if err := p.read(&hello); err != nil || hello.Error != "" {
		return nil, errors.Join(err, errors.New(hello.Error), p.close())
	}
	p.who = hello.Who
	return p, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (p *python) read(to any) error {
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return err
		}
		if line[0] == '{' { // libraries may print, too
			return json.Unmarshal(line, to)
		}
	}
}

// measure has all processes run a work, and returns the samples of the first.
func (p *python) measure(w work) ([]float64, error) {
	line, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	for _, in := range p.in {
		if _, err := in.Write(append(line, '\n')); err != nil {
			return nil, err
		}
	}
	var reply struct {
		Seconds []float64
		Error   string
	}
	if err := p.read(&reply); err != nil {
		return nil, err
	}
	if reply.Error != "" {
		return nil, errors.New(reply.Error)
	}
	return reply.Seconds, nil
}

func (p *python) close() error {
	for _, in := range p.in {
		in.Close()
	}
	var errs []error
	for _, cmd := range p.cmds {
		errs = append(errs, cmd.Wait())
	}
	return errors.Join(append(errs, os.RemoveAll(p.folder))...)
}
