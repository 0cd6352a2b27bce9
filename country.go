package terse

import "strings"

// Country is an upper-case ISO 3166-1 alpha-2 code, or UnknownCountry.
type Country [2]byte

// UnknownCountry counts clicks from unknown countries, so that every map of an answer adds up to
// the total.
var UnknownCountry = Country{'X', 'X'}

// String does not allocate for two letters, because every redirect calls it.
func (c Country) String() string {
	if i, j := int(c[0])-'A', int(c[1])-'A'; 0 <= i && i < letters && 0 <= j && j < letters {
		at := 2 * (i*letters + j)
		return pairs[at : at+2]
	}
	return string(c[:])
}

const letters = 'Z' - 'A' + 1

// pairs are all pairs of upper-case letters, one after the other.
var pairs = func() string {
	var b []byte
	for i := range letters * letters {
		b = append(b, byte('A'+i/letters), byte('A'+i%letters))
	}
	return string(b)
}()

// ParseCountry returns the country with the assigned ISO 3166-1 alpha-2 code s, in any case. For
// anything else it returns UnknownCountry, also for reserved codes such as "UK" and "EU".
func ParseCountry(s string) Country {
	if len(s) != 2 {
		return UnknownCountry
	}
	c := Country{s[0] &^ 0x20, s[1] &^ 0x20}
	if c[0] < 'A' || c[0] > 'Z' || c[1] < 'A' || c[1] > 'Z' || !assigned[c[0]-'A'][c[1]-'A'] {
		return UnknownCountry
	}
	return c
}

// assigned marks the 249 codes of ISO 3166-1 by their letters, and XK. The standard leaves XK to
// its users; proxies and country data use it for Kosovo, which has no other code.
var assigned = func() (is [letters][letters]bool) {
	for code := range strings.FieldsSeq(countryCodes) {
		is[code[0]-'A'][code[1]-'A'] = true
	}
	return is
}()

const countryCodes = "" +
	"AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN " +
	"BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ " +
	"DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL " +
	"GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM " +
	"JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME " +
	"MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP " +
	"NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD " +
	"SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO " +
	"TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW "
