package acmecert

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
)

// account is how an authority knows this server.
type account struct {
	Key     []byte   `json:"key"`     // PKCS #8
	URL     string   `json:"url"`     // empty: it is not known whether the authority has it
	Contact []string `json:"contact"` // as the authority has it
}

// accountName names the account with an authority: staging and production have one each.
func (k *Keeper) accountName() string {
	sum := sha256.Sum256([]byte(k.o.Directory + "\n" + k.o.EABKeyID))
	return "account-" + hex.EncodeToString(sum[:8]) + ".json"
}

// account returns the account with the authority. Its key is stored before the authority learns of
// it: an authority that knows a key returns its account, so that a server that is killed in between
// does not leave accounts behind.
func (k *Keeper) account(ctx context.Context, c *acmez.Client) (acme.Account, error) {
	value, err := k.o.Storage.Load(ctx, k.accountName())
	if err != nil {
		return acme.Account{}, err
	}
	var a account
	if value == nil {
		key, err := newKey()
		if err != nil {
			return acme.Account{}, err
		}
		a.Key = key
		if err := k.storeAccount(ctx, a); err != nil {
			return acme.Account{}, err
		}
	} else if err := json.Unmarshal(value, &a); err != nil {
		return acme.Account{}, fmt.Errorf("%s can't be understood: %w", k.accountName(), err)
	}
	key, err := parseKey(a.Key)
	if err != nil {
		return acme.Account{}, fmt.Errorf("%s: %w", k.accountName(), err)
	}
	with := acme.Account{
		Status: acme.StatusValid, Location: a.URL, Contact: k.contact(), PrivateKey: key,
		TermsOfServiceAgreed: true, // as the documents say
	}
	switch {
	case a.URL == "":
		return k.register(ctx, c, with)
	case !slices.Equal(a.Contact, with.Contact):
		if _, err := c.UpdateAccount(ctx, acme.Account{
			Location: a.URL, Contact: with.Contact, PrivateKey: key,
		}); err != nil {
			k.o.Logger.Warn("the authority did not take the new ACME_EMAIL", "error", short(err))
			return with, nil
		}
		a.Contact = with.Contact
		return with, k.storeAccount(ctx, a)
	}
	return with, nil
}

func (k *Keeper) register(
	ctx context.Context, c *acmez.Client, a acme.Account,
) (acme.Account, error) {
	a.Status = ""
	if k.o.EABKeyID != "" {
		eab := acme.EAB{KeyID: k.o.EABKeyID, MACKey: k.o.EABKey}
		if err := a.SetExternalAccountBinding(ctx, c.Client, eab); err != nil {
			return a, err
		}
	}
	a, err := c.NewAccount(ctx, a)
	if err != nil {
		return a, fmt.Errorf("register an account: %w", err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(a.PrivateKey)
	if err != nil {
		return a, err
	}
	return a, k.storeAccount(ctx, account{Key: key, URL: a.Location, Contact: k.contact()})
}

// forgetAccount keeps the key of an account that the authority does not know any more.
func (k *Keeper) forgetAccount(ctx context.Context, a acme.Account) error {
	key, err := x509.MarshalPKCS8PrivateKey(a.PrivateKey)
	if err != nil {
		return err
	}
	return k.storeAccount(ctx, account{Key: key})
}

func (k *Keeper) contact() []string {
	if k.o.Email == "" {
		return nil
	}
	return []string{"mailto:" + k.o.Email}
}

func (k *Keeper) storeAccount(ctx context.Context, a account) error {
	value, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return k.o.Storage.Store(ctx, k.accountName(), value)
}

// newKey returns a new key in PKCS #8.
func newKey() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKCS8PrivateKey(key)
}

func parseKey(der []byte) (*ecdsa.PrivateKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	k, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("the key is of another kind")
	}
	return k, nil
}
