package recent

import (
	"fmt"
	"sync"
	"testing"
)

func TestWhatIsAskedForStays(t *testing.T) {
	t.Parallel()
	m := New[int](100 * 100)
	m.Put("asked", 7, 30)
	for i := range 1000 {
		m.Put(fmt.Sprintf("other%04d", i), i, 30)
		if v, ok := m.Get([]byte("asked")); !ok || v != 7 {
			t.Fatalf("after %d others: %d %v", i, v, ok)
		}
	}
	if _, ok := m.Get([]byte("other0000")); ok {
		t.Error("what nobody asked for is still there")
	}
	if v, ok := m.Get([]byte("other0999")); !ok || v != 999 {
		t.Errorf("the last one: %d %v", v, ok)
	}
	if n := len(m.young) + len(m.old); n > 100 {
		t.Errorf("%d entries of 100 bytes in 10000", n)
	}
}

func TestTooLargeIsNotKept(t *testing.T) {
	t.Parallel()
	m := New[int](1000)
	m.Put("small", 1, 1)
	m.Put("large", 2, 1000)
	if _, ok := m.Get([]byte("large")); ok {
		t.Error("kept what takes all room")
	}
	if _, ok := m.Get([]byte("small")); !ok {
		t.Error("it pushed out another")
	}
	m.Put("small", 3, 2)
	if v, _ := m.Get([]byte("small")); v != 3 || m.cost != len("small")+2+keyCost {
		t.Errorf("replaced: %d, which takes %d", v, m.cost)
	}
}

func TestGetDoesNotAllocate(t *testing.T) {
	m := New[int](1000)
	m.Put("key", 1, 1)
	key := []byte("key")
	if n := testing.AllocsPerRun(100, func() { m.Get(key) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	m := New[int](2000)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 1000 {
				key := fmt.Sprint(i % 50)
				if v, ok := m.Get([]byte(key)); ok && v != i%50 {
					t.Errorf("%s is %d", key, v)
				}
				m.Put(key, i%50, 10)
			}
		})
	}
	all.Wait()
}
