package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
)

// told is what llama2.c writes with this model, the most probable token each time: 256 tokens, from its doc/stories260K.md.
const told = `Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red ball. She wanted to play with it, but it was too high.
Lily's mom said, "Lily, let's go to the park." Lily was sad and didn't know what to do. She said, "I want to play with your ball, but I can't find it."
Lily was sad and didn't know what to do. She said, "I'm sorry, Lily. I didn't know what to do."
Lily didn't want to help her mom, so she said, "I'm sorry, mom. I didn't know what to do." Her mom said, "Don't worry, Lily. We can help you.`

func openStories(t *testing.T) (*weft.Device, *tokenizer) {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	words, err := readTokenizer(storiesTokens, 512)
	if err != nil {
		t.Fatal(err)
	}
	return dev, words
}

// The trained model writes the text that another program writes with it, from nothing and after a part of it.
func TestStories(t *testing.T) {
	dev, words := openStories(t)
	m, err := readModel(dev, storiesModel, weft.F32, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", told[:strings.Index(told, " outside")]} {
		ids := words.encode(text)
		n := 257 - len(ids)
		g, err := newTexts(m, 1, len(ids), n, 1, func() []int32 { return ids })
		if err != nil {
			t.Fatal(err)
		}
		if err := g.start(); err != nil {
			t.Fatal(err)
		}
		step, err := g.capture()
		if err != nil {
			t.Fatal(err)
		}
		for range n - 1 {
			if err := step.Replay(); err != nil {
				t.Fatal(err)
			}
		}
		wrote, err := g.written(0)
		if err != nil {
			t.Fatal(err)
		}
		if got := words.decode(append(ids, wrote...)); got != told {
			t.Errorf("after %q: %q", text, got)
		}
		if err := step.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Any text is that of its tokens, and words that the tokenizer has are few tokens.
func TestTokens(t *testing.T) {
	_, words := openStories(t)
	for _, text := range []string{"", "Once upon a time", "a", "  two  spaces", "Zoë, 你好\n\x00!", told} {
		ids := words.encode(text)
		if got := words.decode(ids); got != text || ids[0] != begin {
			t.Errorf("%q is %v, which is %q", text, ids, got)
		}
	}
	if got, want := words.encode("Once upon a time"), []int32{1, 403, 407, 261, 378}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	if got := words.decode([]int32{begin, 403, begin, 407}); got != "Once" {
		t.Errorf("%q after the end of a text", got)
	}
}

// Files that end too early are errors.
func TestShortFiles(t *testing.T) {
	dev, _ := openStories(t)
	for _, n := range []int{0, 27, 28, 5000, len(storiesModel) - 3000*4} {
		if _, err := readModel(dev, storiesModel[:n], weft.F32, 0); err == nil && n < len(storiesModel)/2 {
			t.Errorf("a model in %d bytes", n)
		}
	}
	for _, n := range []int{0, 3, 4, 11, 500} {
		if _, err := readTokenizer(storiesTokens[:n], 512); err == nil {
			t.Errorf("a tokenizer in %d bytes", n)
		}
	}
}
