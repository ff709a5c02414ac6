package interp

import (
	"runtime"
	"sync/atomic"
	"time"
)

// When others are worth it, in time that a launch takes on one core: it does not reach them before, and not those who sleep.
const (
	aloneBelow  = 4 * time.Microsecond
	awakenAbove = 25 * time.Microsecond
)

// spread runs all programs: alone while that is short, which launches of the program before tell, and then with the pool.
func (l *Launch) spread() error {
	cores := runtime.GOMAXPROCS(0)
	n := int(min(int64(cores), l.total))
	if l.shadow != nil || l.program.Options.InOrder {
		n = 1
	}
	l.err = nil
	if len(l.code.meets) > 0 {
		return l.runClusters()
	}
	w := l.worker()
	if n == 1 {
		w.run(l.code.steps, 0, l.total)
		l.leave(w)
		return l.err
	}
	done, begin, expected := int64(0), clock(), time.Duration(l.program.pace.Load()*l.total)
	if expected > 0 && expected < aloneBelow {
		for some := int64(1); done < l.total && w.err == nil && clock()-begin < 2*aloneBelow; some *= 2 {
			next := min(done+some, l.total)
			w.run(l.code.steps, done, next)
			done = next
		}
	}
	if done < l.total && w.err == nil {
		l.shares.divide(done, l.total, n)
		pool.submit(l, n-1, cores, expected)
		done += w.share(0)
		l.paced(done, clock()-begin)
		pool.end(l)
	} else {
		l.paced(done, clock()-begin)
	}
	l.leave(w)
	return l.err
}

// paced notes how long programs took.
func (l *Launch) paced(done int64, took time.Duration) {
	if done > 0 {
		l.program.pace.Store(max(1, int64(took)/done))
	}
}

// help runs what others leave of a launch.
func (l *Launch) help(home int) {
	w := l.worker()
	w.share(home)
	l.leave(w)
}

// leave gives a worker back.
func (l *Launch) leave(w *worker) {
	if w.err != nil {
		l.fail(w.err)
	}
	w.Launch = nil // keeps no buffer alive
	l.code.workers.Put(w)
}

// share runs programs of one's own share and then of those of others, and returns how many.
func (w *worker) share(home int) (done int64) {
	list := w.shares.list
	for i := range list {
		s := &list[(home+i)%len(list)]
		for w.err == nil {
			lo, hi := s.take()
			if lo == hi {
				break
			}
			w.run(w.code.steps, lo, hi)
			done += hi - lo
		}
	}
	if w.err != nil {
		for i := range list {
			list[i].next.Store(list[i].end) // the others stop, too
		}
	}
	return done
}

// fail notes the first worker's error.
func (l *Launch) fail(err error) {
	l.failed.Lock()
	defer l.failed.Unlock()
	if l.err == nil {
		l.err = err
	}
}

// shares are a launch's programs, an equal share of neighbours for each core: in the next launch it works on the same memory, which its
// cache may still hold.
type shares struct{ list []share }

// share is programs that are left, in cache lines of its own.
type share struct {
	next atomic.Int64
	end  int64
	_    [112]byte
}

// divide makes n shares of the programs from lo to before hi.
func (s *shares) divide(lo, hi int64, n int) {
	if cap(s.list) < n {
		s.list = make([]share, n)
	}
	s.list = s.list[:n]
	for i := range s.list {
		next := lo + (hi-lo)/int64(n-i)
		s.list[i].next.Store(lo)
		s.list[i].end = next
		lo = next
	}
}

// take takes an eighth of what is left: large pieces first, and small ones for those who come last.
func (s *share) take() (lo, hi int64) {
	for {
		lo = s.next.Load()
		if lo >= s.end {
			return lo, lo
		}
		hi = lo + (s.end-lo+7)/8
		if s.next.CompareAndSwap(lo, hi) {
			return lo, hi
		}
	}
}

var started = time.Now()

// clock is a time that does not jump.
func clock() time.Duration { return time.Since(started) }
