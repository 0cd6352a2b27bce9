package acmecert

import (
	"context"
	"crypto/x509"
	"errors"
	"net"

	"github.com/mholt/acmez/v3/acme"
)

// Advice says what to do about a failure.
func Advice(name string, err error) string {
	problem, refused := errors.AsType[acme.Problem](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, unreachable := errors.AsType[net.Error](err)
	switch {
	case refused:
		return adviceOn(name, problem.Type)
	case unknown:
		return "Set ACME_CA_FILE to the certificate that signs the authority's own, if it is a " +
			"private one."
	case unreachable, errors.Is(err, context.DeadlineExceeded):
		return "Have this machine reach the address of ACME_DIRECTORY. terse doctor says more."
	}
	return "terse doctor may say more."
}

func adviceOn(name, kind string) string {
	switch kind {
	case acme.ProblemTypeDNS:
		return "Have a record in DNS, A or AAAA, lead from " + name + " to this server. Each of " +
			"its addresses has to."
	case acme.ProblemTypeConnection, acme.ProblemTypeTLS:
		return "The authority has to reach port 80 or 443 of " + name + " from the internet: " +
			"open both in the firewall, and have them lead to this server."
	case acme.ProblemTypeUnauthorized, acme.ProblemTypeIncorrectResponse:
		return "Something else may answer for " + name + ": have DNS and each proxy lead to this " +
			"server. terse doctor says where the name leads."
	case acme.ProblemTypeRateLimited:
		return "The authority's limit is reached. It passes by itself; keep the data folder, so " +
			"that certificates are not ordered twice."
	case acme.ProblemTypeCAA:
		return "A CAA record in DNS forbids this authority to issue for " + name + ": add it, or " +
			"set ACME_DIRECTORY to another one."
	case acme.ProblemTypeExternalAccountRequired:
		return "This authority wants to know its customers: set ACME_EAB_KEY_ID and " +
			"ACME_EAB_HMAC_KEY to what it gave you."
	case acme.ProblemTypeRejectedIdentifier, acme.ProblemTypeUnsupportedIdentifier:
		return "This authority does not issue for such a name. Public ones want a name in " +
			"public DNS."
	case acme.ProblemTypeInvalidContact, acme.ProblemTypeUnsupportedContact:
		return "Correct ACME_EMAIL."
	case acme.ProblemTypeUserActionRequired:
		return "Open the address that the authority names, and do what it wants."
	case acme.ProblemTypeNamespace + "invalidProfile":
		return "Set ACME_PROFILE to one that the authority has, or leave it out."
	case acme.ProblemTypeServerInternal:
		return "The authority has a problem of its own, which passes."
	case acme.ProblemTypeAccountDoesNotExist:
		return "The authority forgot this server's account; the next try registers it again."
	}
	return "terse doctor may say more."
}
