// Package memberjwt verifies the JWT with which toolgate says for whom it calls (auth_strategy member_jwt), with the standard library only.
//
//	claims, err := memberjwt.Verify(r.Header.Get("Authorization"), issuer, audience, keys, time.Now())
//
// keys is the list "keys" of {issuer}/jwks.json. Keep it, and fetch it again when a kid is not in it.
package memberjwt

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"time"
)

const skew = 5 * time.Second

// Key is one key of a JSON Web Key Set.
type Key struct {
	Kid string `json:"kid"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Y   string `json:"y"`
}

// Claims of the JWT. SubType is empty if Sub is the member.
type Claims struct {
	Iss           string  `json:"iss"`
	Sub           string  `json:"sub"`
	SubType       string  `json:"sub_type"`
	Aud           string  `json:"aud"`
	ProjectID     string  `json:"project_id"`
	IntegrationID *string `json:"integration_id"`
	Jti           string  `json:"jti"`
	Iat           int64   `json:"iat"`
	Exp           int64   `json:"exp"`
}

// ErrInvalid means: answer 401.
var ErrInvalid = errors.New("invalid member JWT")

// Verify returns the claims of a valid token.
func Verify(authorization, issuer, audience string, keys []Key, now time.Time) (*Claims, error) {
	token := authorization
	if len(token) > 7 && strings.EqualFold(token[:7], "bearer ") {
		token = token[7:]
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, ErrInvalid
	}
	var header struct{ Alg, Kid string }
	var claims Claims
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	// The algorithm is ours, whatever the token says.
	if err != nil || len(signature) != 64 || !decode(parts[0], &header) || !decode(parts[1], &claims) || header.Alg != "ES256" {
		return nil, ErrInvalid
	}
	key := find(keys, header.Kid)
	hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if key == nil || !ecdsa.Verify(key, hash[:], r, s) {
		return nil, ErrInvalid
	}
	isNow := !now.Before(time.Unix(claims.Iat, 0).Add(-skew)) && now.Before(time.Unix(claims.Exp, 0).Add(skew))
	if claims.Iss != issuer || claims.Aud != audience || !isNow {
		return nil, ErrInvalid
	}
	return &claims, nil
}

func decode(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(text, into) == nil
}

func find(keys []Key, kid string) *ecdsa.PublicKey {
	for _, key := range keys {
		x, errX := base64.RawURLEncoding.DecodeString(key.X)
		y, errY := base64.RawURLEncoding.DecodeString(key.Y)
		if key.Kid != kid || key.Crv != "P-256" || errX != nil || errY != nil {
			continue
		}
		return &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
	}
	return nil
}
