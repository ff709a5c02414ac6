package peers

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/weftgpu/weft/bench/measure"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/fault"
)

//go:embed scripts/*.py
var scripts embed.FS

// PythonEnv names the Python that has the libraries.
const PythonEnv = "WEFT_PYTHON"

// ErrAbsent is why a peer takes no part: its library or its device is not there.
var ErrAbsent = errors.New("not found")

const (
	startTime = 2 * time.Minute // to import libraries
	workTime  = 3 * time.Minute // for one work, compiling and tuning included
	mostStops = 3               // times that a script may end before it is given up
)

// Python is a contender in a Python process, which is started anew if it ends.
type Python struct {
	name    string // of the script
	python  string
	device  string // cpu or cuda
	size    suite.Size
	options measure.Options
	folder  string // scripts and contents of operands
	files   map[string]bool
	who     result.Result
	process *process
	stops   int
}

// StartPython starts the script of a name: on CUDA for GPUs, else on the CPU.
//
// Errors: ErrAbsent, wrapped, if there is no Python or the script says that it cannot work.
func StartPython(ctx context.Context, name string, s Side, o measure.Options) (*Python, error) {
	python, err := findPython()
	if err != nil {
		return nil, err
	}
	p := &Python{name: name, python: python, size: s.Size, options: o, device: "cpu", files: map[string]bool{}}
	if s.GPU {
		p.device = "cuda"
	}
	if p.folder, err = os.MkdirTemp("", "weft-bench-"); err != nil {
		return nil, err
	}
	if err := os.CopyFS(p.folder, scripts); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if err := p.start(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func findPython() (string, error) {
	if named := os.Getenv(PythonEnv); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%s: %w: %w", PythonEnv, ErrAbsent, err)
		}
		return path, nil
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("python: %w", ErrAbsent)
}

// hello is a script's first line.
type hello struct {
	Who, Device, Driver string
	Error               string // why it cannot work
}

// rule is what Go tells a script first: how to take samples.
type rule struct {
	WarmUps    int     `json:"warm_ups"`
	WarmUp     float64 `json:"warm_up"` // seconds
	BatchTime  float64 `json:"batch_time"`
	MostBatch  int     `json:"most_batch"`
	LeastTimes int     `json:"least_times"`
	MostTimes  int     `json:"most_times"`
	Budget     float64 `json:"budget"`
}

func (p *Python) start(ctx context.Context) error {
	process, err := startProcess(p.python, filepath.Join(p.folder, "scripts", p.name+".py"), p.device)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.process = process
	warm := 0.0
	if p.device == "cuda" {
		warm = 0.05
	}
	var h hello
	err = process.ask(ctx, startTime, rule{measure.WarmUps, warm, measure.BatchTime.Seconds(), measure.MostBatch, measure.LeastTimes,
		measure.MostTimes, p.options.Budget.Seconds()}, &h)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", p.name, err)
	case h.Error != "":
		return fmt.Errorf("%s: %w: %s", p.name, ErrAbsent, h.Error)
	}
	p.who = result.Result{Who: h.Who, Device: h.Device, Driver: h.Driver, Kind: map[string]string{"cuda": "gpu", "cpu": "cpu"}[p.device]}
	return nil
}

// Describe names the library and its device.
func (p *Python) Describe() result.Result { return p.who }

// Size is that of its works.
func (p *Python) Size() suite.Size { return p.size }

// request is a work as scripts get it.
type request struct {
	Work   string         `json:"work"`
	Op     string         `json:"op"`
	Inputs []tensor       `json:"inputs"`
	Output tensor         `json:"output"`
	Params map[string]any `json:"params"`
	Copies int            `json:"copies"`
	Sample []int          `json:"sample"` // elements to send back
}

type tensor struct {
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`
	File  string `json:"file,omitempty"` // with its elements as float32, to be repeated
}

// reply is what a script answers.
type reply struct {
	None    bool      // it does not have the op
	Error   string    // what went wrong
	Seconds []float64 // of a launch, ascending
	Batch   int
	Got     []float64 // the elements asked for
}

// Measure has the script check and time a work.
func (p *Python) Measure(ctx context.Context, w suite.Work) (t measure.Timing, err error) {
	if p.process == nil {
		if p.stops >= mostStops {
			return t, fmt.Errorf("%s stopped %s", p.name, fault.Count(p.stops, "time"))
		}
		if err := p.start(ctx); err != nil {
			return t, err
		}
	}
	q, err := p.request(w)
	if err != nil {
		return t, err
	}
	var r reply
	if err := p.process.ask(ctx, workTime, q, &r); err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", p.name, err), p.stop())
		p.stops++
		return t, err
	}
	switch {
	case r.None:
		return t, measure.ErrNone
	case r.Error != "":
		return t, errors.New(r.Error)
	}
	return measure.Timing{Seconds: r.Seconds, Batch: r.Batch, Copies: q.Copies}, checkPeer(w, r.Got)
}

func (p *Python) request(w suite.Work) (q request, err error) {
	q = request{Work: w.Name, Op: w.Op, Params: w.Params, Inputs: []tensor{}, Copies: p.options.CopiesOf(w.Bytes, p.device == "cuda"),
		Output: tensor{Type: w.Output.Elem.String(), Shape: w.Output.Shape}}
	if !w.Private {
		q.Sample = w.Sample()
	}
	for i, o := range w.Inputs {
		file, err := p.contents(o, uint64(i))
		if err != nil {
			return q, err
		}
		q.Inputs = append(q.Inputs, tensor{o.Elem.String(), o.Shape, file})
	}
	return q, nil
}

// contents is the file with an operand's elements, which is written once.
func (p *Python) contents(o suite.Operand, seed uint64) (string, error) {
	x := o.Contents(seed)
	path := filepath.Join(p.folder, fmt.Sprintf("%v-%v-%v-%d-%d.f32", o.Elem, o.Draw.Lo, o.Draw.Hi, seed, len(x)))
	if p.files[path] {
		return path, nil
	}
	if err := os.WriteFile(path, float32Bytes(x), 0o600); err != nil {
		return "", err
	}
	p.files[path] = true
	return path, nil
}

// stop ends the process.
func (p *Python) stop() error {
	if p.process == nil {
		return nil
	}
	err := p.process.stop()
	p.process = nil
	return err
}

// Close ends the script and removes its files.
func (p *Python) Close() error { return errors.Join(p.stop(), os.RemoveAll(p.folder)) }

// process is a running script: a line in, a line out.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors *tail
}

func startProcess(python, script, device string) (*process, error) {
	p := &process{cmd: exec.Command(python, "-u", script, device), errors: &tail{}}
	p.cmd.Stderr = p.errors
	p.cmd.WaitDelay = time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// ask sends a line and waits for the answer. After an error the process is of no use.
func (p *process) ask(ctx context.Context, limit time.Duration, question, answer any) error {
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		if _, err := p.in.Write(append(line, '\n')); err != nil {
			done <- p.ended(err)
			return
		}
		got, err := p.out.ReadBytes('\n')
		if err != nil {
			done <- p.ended(err)
			return
		}
		if err := json.Unmarshal(got, answer); err != nil {
			done <- fmt.Errorf("the script answered %.100q: %w", got, err)
			return
		}
		done <- nil
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = fmt.Errorf("the script did not answer within %v", limit)
	}
	p.cmd.Process.Kill()
	<-done // nothing uses answer any longer
	return err
}

// ended says why a script does not talk any more.
func (p *process) ended(err error) error {
	p.cmd.Wait()
	if text := p.errors.last(); text != "" {
		return fmt.Errorf("the script ended: %s", text)
	}
	return fmt.Errorf("the script ended: %w", err)
}

func (p *process) stop() error {
	p.in.Close() // which ends it
	stopped := make(chan struct{})
	go func() { p.cmd.Wait(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
		p.cmd.Process.Kill()
		<-stopped
	}
	return nil
}

// tail keeps the end of what a script complains of.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = t.text[over:]
	}
	return len(b), nil
}

// last is the last line, where Python says what is wrong.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return strings.TrimSpace(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}
