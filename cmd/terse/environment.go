package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
	"terse/internal/cli/console"
)

func variables(environ []string) map[string]string {
	vars := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			vars[name] = value
		}
	}
	return vars
}

// environment resolves flags from variables. A flag's variable is its name in capitals, or its
// "variable" tag. A secret may also come from the file that NAME_FILE names. An empty variable
// counts as unset, except AUTH_TOKENS.
func environment(vars map[string]string) kong.ResolverFunc {
	return func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		name := variableOf(flag.Value)
		if name == "" {
			return nil, nil
		}
		value, set := vars[name]
		if file := vars[name+"_FILE"]; flag.Tag.Has("secret") && file != "" {
			if set {
				return nil, wrongSetting(name,
					fmt.Errorf("%s and %s_FILE are both set; set one", name, name))
			}
			secret, err := readSecret(name, file)
			return secret, wrongSetting(name, err)
		}
		if value != "" || set && flag.Tag.Has("secret") && name == "AUTH_TOKENS" {
			return value, nil
		}
		return nil, nil
	}
}

// wrongSetting says that a variable's error is one of the server's settings, unless the variable
// belongs to the commands that talk to a server.
func wrongSetting(name string, err error) error {
	if err == nil || strings.HasPrefix(name, "TERSE_") {
		return err
	}
	return cli.SettingsError{Err: err}
}

// maxSecretBytes bounds the file of a secret.
const maxSecretBytes = 64 << 10

func readSecret(name, path string) (any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s_FILE: %w", name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecretBytes+1))
	if err == nil && len(b) > maxSecretBytes {
		err = errors.New("is larger than 64 KiB")
	}
	text := string(b)
	if err == nil {
		text, err = console.Beginning(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s_FILE: %s: %w", name, path, err)
	}
	return strings.TrimSpace(text), nil
}

func variableOf(v *kong.Value) string {
	if v.Tag.Has("variable") {
		return v.Tag.Get("variable")
	}
	return strings.ToUpper(strings.ReplaceAll(v.Name, "-", "_"))
}

func helpWithVariable(v *kong.Value) string {
	name := ""
	if v.Flag != nil {
		name = variableOf(v)
	}
	switch {
	case name == "" || name == "HELP":
		return v.Help
	case v.Tag.Has("secret"):
		return fmt.Sprintf("%s ($%s, or a file: $%s_FILE)", v.Help, name, name)
	}
	return fmt.Sprintf("%s ($%s)", v.Help, name)
}
