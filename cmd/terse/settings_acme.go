package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"terse"
	"terse/internal/certs/acmecert"
	"terse/internal/link/hosts"
)

// rawACME are the settings of certificates that the server orders itself, as given.
type rawACME struct {
	TLSDomains     string `name:"tls-domains" help:"Hosts for which the server orders certificates by ACME and serves HTTPS, up to 100, separated by commas; the first is the host of BASE_URL, unless that is set. Setting it accepts the terms of the authority; default none."`
	ACMEDirectory  string `name:"acme-directory" help:"Directory of the authority that issues certificates: an https URL. The default is Let's Encrypt's." default:"https://acme-v02.api.letsencrypt.org/directory"`
	ACMEEmail      string `name:"acme-email" help:"Address at which the authority may write to you."`
	ACMECAFile     string `name:"acme-ca-file" help:"A PEM file with the certificates that sign the authority's own, if it is a private one; default those that this machine trusts." complete:"files"`
	ACMEEABKeyID   string `name:"acme-eab-key-id" help:"ID of the key by which the authority knows you as its customer (external account binding)."`
	ACMEEABHMACKey string `name:"acme-eab-hmac-key" help:"That key, in base64url, as the authority gives it." secret:""`
	ACMEProfile    string `name:"acme-profile" help:"Profile of certificates, such as shortlived, if the authority has several; default the authority's."`
}

// acmeSettings are the settings of certificates that the server orders itself, parsed.
type acmeSettings struct {
	domains          []string // as hosts.ParseNames returns them; empty: none
	directory        string
	email            string
	caFile           string // "": those that the machine trusts
	eabKeyID, eabKey string // the key in base64url without padding
	profile          string
}

// firstDomain returns the first of TLS_DOMAINS, "" without any that can be one.
func (raw *rawACME) firstDomain() string {
	if all, _ := hosts.ParseNames(raw.TLSDomains); len(all) > 0 {
		return all[0]
	}
	return ""
}

// acme parses the settings.
func (p *problems) acme(raw *rawACME) acmeSettings {
	s := acmeSettings{
		directory: raw.ACMEDirectory, email: raw.ACMEEmail, caFile: raw.ACMECAFile,
		eabKeyID: raw.ACMEEABKeyID, profile: raw.ACMEProfile,
	}
	if raw.TLSDomains == "" {
		for _, other := range []struct{ variable, value string }{
			{"ACME_EMAIL", raw.ACMEEmail},
			{"ACME_CA_FILE", raw.ACMECAFile},
			{"ACME_EAB_KEY_ID", raw.ACMEEABKeyID},
			{"ACME_EAB_HMAC_KEY", raw.ACMEEABHMACKey},
			{"ACME_PROFILE", raw.ACMEProfile},
		} {
			if other.value != "" {
				p.errs = append(p.errs, fmt.Errorf("%s is set without TLS_DOMAINS", other.variable))
			}
		}
		return s
	}
	s.domains = p.hosts("TLS_DOMAINS", raw.TLSDomains, "", acmecert.MaxHosts)
	u, err := url.Parse(s.directory)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		p.add("ACME_DIRECTORY", s.directory, "an https URL without a user")
	}
	if _, ok := terse.ParseEmail(s.email); s.email != "" && !ok {
		p.add("ACME_EMAIL", s.email, "an address such as ann@example.com")
	}
	if !profileName.MatchString(s.profile) {
		p.add("ACME_PROFILE", s.profile, "the name of a profile, such as shortlived")
	}
	// Some authorities pad it, some show it in the other alphabet.
	s.eabKey = strings.NewReplacer("+", "-", "/", "_").
		Replace(strings.TrimRight(raw.ACMEEABHMACKey, "="))
	_, err = base64.RawURLEncoding.DecodeString(s.eabKey)
	switch {
	case (s.eabKeyID == "") != (s.eabKey == ""):
		p.errs = append(p.errs, errors.New(
			"ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY belong together; one of them is not set"))
	case err != nil:
		p.errs = append(p.errs, errors.New("ACME_EAB_HMAC_KEY is no base64url")) // it is a secret
	}
	return s
}

var profileName = regexp.MustCompile(`^[A-Za-z0-9._-]{0,64}$`)
