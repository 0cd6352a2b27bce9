package password

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

func TestHashAndVerify(t *testing.T) {
	t.Parallel()
	for _, password := range []string{
		"a", "päss wörd", strings.Repeat("x", 128), "$argon2id$v=19$",
	} {
		hash := Hash(password)
		if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || Check(hash) != nil ||
			IsBcrypt(hash) || !IsOurs(hash) {
			t.Errorf("%q: %s", password, hash)
		}
		if Hash(password) == hash {
			t.Errorf("%q has the same hash twice", password)
		}
		for tried, want := range map[string]bool{password: true, password + " ": false, "": false} {
			if ok, err := Verify(hash, tried); ok != want || err != nil {
				t.Errorf("%q for %q: %v %v", tried, password, ok, err)
			}
		}
	}
}

// A password is the same however its accents are put together; hashes that were made of it as it
// was sent open, too.
func TestNormalForms(t *testing.T) {
	t.Parallel()
	const composed, apart = "p\u00e4ss", "pa\u0308ss"
	made, err := bcrypt.GenerateFromPassword([]byte(apart), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		hash, tried string
		want        bool
	}{
		{Hash(composed), apart, true},
		{Hash(apart), composed, true},
		{Hash(apart), apart, true},
		{Hash(apart), "pass", false},
		{string(made), apart, true},
		{string(made), composed, false},
	} {
		if ok, err := Verify(tt.hash, tt.tried); ok != tt.want || err != nil {
			t.Errorf("%q: %v %v, want %v", tt.tried, ok, err, tt.want)
		}
	}
}

// A hash that another program made, with another cost.
func TestVerifyOthers(t *testing.T) {
	t.Parallel()
	made, err := bcrypt.GenerateFromPassword([]byte("password"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{
		string(made), "$2y$" + strings.TrimPrefix(string(made), "$2a$"),
		// of the argon2 command: echo -n password | argon2 somesalt -id -t 1 -k 64 -p 1 -l 24
		"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7",
	} {
		if err := Check(hash); err != nil {
			t.Errorf("%s: %v", hash, err)
		}
		for tried, want := range map[string]bool{"password": true, "Password": false} {
			if ok, err := Verify(hash, tried); ok != want || err != nil {
				t.Errorf("%s: %q: %v %v", hash, tried, ok, err)
			}
		}
	}
}

func TestBadHashes(t *testing.T) {
	t.Parallel()
	const salt, key = "c29tZXNhbHQ", "RdescudvJCsgt3ub+b1dWRWJTmaaJObG"
	made, err := bcrypt.GenerateFromPassword([]byte("password"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{
		"", "password", "$argon2id$", "$2", "$2a$10$short", "$2a$31$" + strings.Repeat("a", 53),
		"$2b$04$" + strings.Repeat("!", 53), string(made) + "a",
		"$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=262145,t=1,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=65536,t=11,p=1$" + salt + "$" + key,
		"$2a$15$" + string(made[len("$2a$04$"):]),
		"$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=17$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + key,
		"$argon2id$v=19$t=2,m=19456,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$",
		"$argon2id$v=19$m=19456,t=2,p=1$$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key + "!",
	} {
		if err := Check(hash); !errors.Is(err, ErrBadHash) {
			t.Errorf("Check %q: %v", hash, err)
		}
		if ok, err := Verify(hash, "password"); ok || !errors.Is(err, ErrBadHash) {
			t.Errorf("Verify %q: %v %v", hash, ok, err)
		}
	}
}

// An import brings no hash that costs more than a few of our own. Those that links have from before
// are checked nevertheless.
func TestDearHashes(t *testing.T) {
	t.Parallel()
	const salt, key = "c29tZXNhbHQ", "RdescudvJCsgt3ub+b1dWRWJTmaaJObG"
	made, err := bcrypt.GenerateFromPassword([]byte("password"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	argon := func(cost string) string { return "$argon2id$v=19$" + cost + "$" + salt + "$" + key }
	bcrypted := func(cost string) string { return "$2a$" + cost + string(made[len("$2a$04"):]) }
	ours := Cost(Hash("password"))
	for _, tt := range []struct {
		hash        string
		allowed     bool
		least, most int64 // how many of ours it costs
	}{
		{argon("m=65536,t=4,p=4"), true, 5, 9},
		{argon("m=8,t=1,p=1"), true, 0, 1},
		{argon("m=65537,t=4,p=4"), false, 5, 9},
		{argon("m=65536,t=5,p=4"), false, 6, 10},
		{argon("m=65536,t=4,p=5"), false, 5, 9},
		{argon("m=262144,t=10,p=16"), false, 50, 80},
		{bcrypted("12"), true, 8, 12},
		{bcrypted("13"), false, 16, 24},
		{bcrypted("14"), false, 32, 48},
	} {
		if err := Check(tt.hash); (err == nil) != tt.allowed {
			t.Errorf("Check %q: %v", tt.hash, err)
		}
		if cost := Cost(tt.hash); cost < 1 || cost < tt.least*ours || cost > tt.most*ours {
			t.Errorf("Cost %q: %d", tt.hash, cost)
		}
		if IsOurs(tt.hash) {
			t.Errorf("%q is ours", tt.hash)
		}
	}
	for _, hash := range []string{argon("m=65536,t=5,p=1"), bcrypted("13")} {
		if ok, err := Verify(hash, "no"); ok || err != nil {
			t.Errorf("Verify %q: %t, %v", hash, ok, err)
		}
	}
}

// BenchmarkVerify shows what checks take. Cost estimates that.
func BenchmarkVerify(b *testing.B) {
	made, err := bcrypt.GenerateFromPassword([]byte("password"), 10)
	if err != nil {
		b.Fatal(err)
	}
	for name, hash := range map[string]string{
		"ours": Hash("password"), "bcrypt 10": string(made),
		"64 MiB": "$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b1dWRWJTmaaJObG",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Verify(hash, "password"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
