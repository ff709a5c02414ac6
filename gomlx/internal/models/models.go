// Package models has two small models that tests train on several backends, with the data that they learn from.
package models

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/backends"
	. "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/train"
	"github.com/gomlx/gomlx/pkg/ml/train/losses"
	"github.com/gomlx/gomlx/pkg/ml/train/optimizers"
)

// Task is a model with its data.
type Task struct {
	Name  string
	Model train.ModelFn
	Batch func(step int) (inputs, labels []*tensors.Tensor)
	Rate  float64 // of Adam
}

// Trainer trains a task on a backend, from weights that are the same on all backends.
type Trainer struct {
	task    Task
	trainer *train.Trainer
	step    int
}

// NewTrainer makes a trainer.
func NewTrainer(backend backends.Backend, task Task) *Trainer {
	ctx := context.New()
	ctx.SetParam(optimizers.ParamLearningRate, task.Rate)
	optimizer := optimizers.Adam().LearningRate(task.Rate).Done()
	return &Trainer{task: task, trainer: train.NewTrainer(backend, ctx, task.Model, losses.SparseCategoricalCrossEntropyLogits, optimizer, nil, nil)}
}

// Step trains on the next batch. Read waits for the loss and returns it; else it is 0.
func (t *Trainer) Step(read bool) (float64, error) {
	in, labels := t.task.Batch(t.step)
	t.step++
	metrics, err := t.trainer.TrainStep(nil, in, labels)
	if err != nil {
		return 0, err
	}
	loss := 0.0
	if read {
		loss = float64(metrics[0].Value().(float32))
	}
	for _, list := range [][]*tensors.Tensor{in, labels, metrics} {
		for _, x := range list {
			if err := x.FinalizeAll(); err != nil {
				return 0, err
			}
		}
	}
	return loss, nil
}

// Losses trains for some steps and returns the loss of each.
func Losses(backend backends.Backend, task Task, steps int) ([]float64, error) {
	t := NewTrainer(backend, task)
	list := make([]float64, steps)
	for i := range list {
		var err error
		if list[i], err = t.Step(true); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// weights is a variable with normal numbers that depend on its name alone. fanIn is the number of elements that each result is a sum of.
func weights(ctx *context.Context, g *Graph, name string, fanIn int, dims ...int) *Node {
	shape := shapes.Make(Float, dims...)
	h := fnv.New64()
	_, _ = h.Write([]byte(ctx.Scope() + name))
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	x := make([]float32, shape.Size())
	for i := range x {
		x[i] = float32(rng.NormFloat64() * math.Sqrt(1/float64(fanIn)))
	}
	return ctx.VariableWithValue(name, tensors.FromFlatDataAndDimensions(x, dims...)).ValueGraph(g)
}

// constant is a variable of equal numbers.
func constant(ctx *context.Context, g *Graph, name string, value float32, dims ...int) *Node {
	x := make([]float32, shapes.Make(Float, dims...).Size())
	for i := range x {
		x[i] = value
	}
	return ctx.VariableWithValue(name, tensors.FromFlatDataAndDimensions(x, dims...)).ValueGraph(g)
}

// dense is x @ w + b, along the last axis.
func dense(ctx *context.Context, x *Node, out int) *Node {
	g, dims := x.Graph(), x.Shape().Dimensions
	in := dims[len(dims)-1]
	w, b := weights(ctx, g, "weights", in, in, out), constant(ctx, g, "bias", 0, out)
	y := DotGeneral(x, []int{len(dims) - 1}, nil, w, []int{0}, nil)
	return Add(y, ExpandLeftToRank(b, y.Rank()))
}

func relu(x *Node) *Node { return Max(x, ScalarZero(x.Graph(), x.DType())) }
