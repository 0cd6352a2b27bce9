package auth

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"terse/internal/durable"
)

const (
	tokenFile = "token"
	// maxTokenFileBytes is far above the 44 bytes that LoadOrCreateToken writes. A larger file is
	// something else.
	maxTokenFileBytes = 4096
)

// GenerateToken returns a new token: 32 random bytes as 43 characters.
func GenerateToken() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// LoadOrCreateToken returns the token in the file "token" of a directory. The first call creates
// both, and created is true. The file has mode 0600, and is complete and on disk before it gets its
// name. It refuses a file that is empty, holds no token or is readable by others, and never
// replaces it.
func LoadOrCreateToken(dir string) (token string, created bool, err error) {
	path := filepath.Join(dir, tokenFile)
	token, err = loadToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, false, err
	}
	token = GenerateToken()
	err = createToken(dir, path, token)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		token, err = loadToken(path)
		return token, false, err
	}
	return token, err == nil, err
}

// LoadToken returns the token that LoadOrCreateToken created in a directory, or fs.ErrNotExist.
func LoadToken(dir string) (string, error) { return loadToken(filepath.Join(dir, tokenFile)) }

func loadToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("access token: %w", err)
	}
	switch perm := info.Mode().Perm(); {
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("access token: %s is not a regular file", path)
	case perm&0o077 != 0:
		return "", fmt.Errorf(
			"access token: %s is open to other users (mode %04o): run chmod 600 on it", path, perm)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("access token: %w", err)
	}
	defer func() { _ = f.Close() }() // reading only
	content, err := io.ReadAll(io.LimitReader(f, maxTokenFileBytes+1))
	if err != nil {
		return "", fmt.Errorf("access token: read %s: %w", path, err)
	}
	token := strings.TrimSpace(string(content))
	switch {
	case token == "":
		return "", fmt.Errorf("access token: %s is empty: delete it to have a new token made", path)
	case len(content) > maxTokenFileBytes || !sendable(token):
		return "", fmt.Errorf("access token: %s does not hold one token", path)
	}
	return token, nil
}

// createToken writes the file under another name, then links it to its own. That fails if the name
// exists, and a crash leaves no half-written file.
func createToken(dir, path, token string) error {
	tmp, err := os.CreateTemp(dir, tokenFile+"-*") // mode 0600
	if err != nil {
		return fmt.Errorf("access token: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(token + "\n")
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("access token: write %s: %w", tmp.Name(), err)
	}
	if err := os.Link(tmp.Name(), path); err != nil {
		return fmt.Errorf("access token: %w", err)
	}
	if err := durable.SyncDir(dir); err != nil {
		return fmt.Errorf("access token: %w", err)
	}
	return nil
}
