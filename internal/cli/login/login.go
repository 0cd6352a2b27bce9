// Package login keeps the server and the token that commands use, in a file.
package login

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-json-experiment/json"
)

// Login is what terse login saves.
type Login struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

// Path returns the path of the file in os.UserConfigDir, for the environment of the command.
func Path(env map[string]string) (string, error) {
	dir := env["XDG_CONFIG_HOME"]
	switch home := env["HOME"]; {
	case filepath.IsAbs(dir) && runtime.GOOS != "darwin":
	case home == "":
		return "", errors.New("neither XDG_CONFIG_HOME nor HOME is set")
	case runtime.GOOS == "darwin":
		dir = filepath.Join(home, "Library", "Application Support")
	default:
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "terse", "login.json"), nil
}

// Load returns the saved login, or the zero Login if there is none.
func Load(env map[string]string) (l Login, err error) {
	path, err := Path(env)
	if err != nil {
		return l, nil // no place to save one
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &l)
	}
	if err != nil {
		return l, fmt.Errorf(
			"the login in %s can't be read; log in again with terse login: %w", path, err)
	}
	return l, nil
}

// Save saves a login in a file that only its owner can read.
func (l Login) Save(path string) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "login-") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
