package operations

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"terse/api"
)

// An operation that somebody types is read at once, and not when there is more.
func TestReadWhatIsTyped(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"CSV": "op;short_code\ndelete;a\n", "JSON": `{"op":"delete","short_code":"a"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, typed := io.Pipe() // stays open
			go func() { _, _ = io.WriteString(typed, text) }()
			tasks := make(chan Task)
			go func() {
				for task := range Read(t.Context(), in, time.Now()) {
					tasks <- task
				}
			}()
			select {
			case task := <-tasks:
				if task.Code != "a" || task.Err != nil {
					t.Errorf("%+v", task)
				}
			case <-time.After(time.Minute):
				t.Error("it waits for more")
			}
		})
	}
}

// FuzzRead checks that what is read can be sent, whatever a file has in it.
func FuzzRead(f *testing.F) {
	for _, file := range []string{
		"", "\n\n", "{}", "original_url\nhttps://example.com/\n", "\ufeffop;short_code\ndelete;x\n",
		"op\ttags\tmax_clicks\tdisabled\trules\nupdate\ta,b\t5\tTRUE\t[]\n",
		"title,expires_at\n\"a\nb\",30d\nc\n",
		`{"op":"create","link":{"original_url":"https://example.com/"}}` + "\n{\n",
		"short_code\n\"open",
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		line := 0
		for task, err := range Read(t.Context(), strings.NewReader(file), time.Unix(0, 0)) {
			if err != nil {
				continue
			}
			if task.Line <= line {
				t.Fatalf("line %d comes after line %d", task.Line, line)
			}
			line = task.Line
			if task.Err == nil {
				body, err := json.Marshal(api.Bulk{Operations: []api.Operation{task.Op}})
				if err != nil {
					t.Fatalf("line %d: %v: %s", line, err, body)
				}
			}
		}
	})
}
