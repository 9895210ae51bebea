// Package verify verifies requests and webhooks of toolgate, with the standard library only.
//
//	func orders(w http.ResponseWriter, r *http.Request) {
//		body, _ := io.ReadAll(r.Body)
//		call, err := verify.ToolRequest(r, body, time.Now(), secret)
//		if err != nil {
//			http.Error(w, "", http.StatusUnauthorized)
//			return
//		}
//		ordersOf(call.MemberID)
//	}
package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how far the clocks may differ.
const Tolerance = 300 * time.Second

// SignatureError says why a request is refused: answer 401.
// Reason is missing_header, malformed, expired or mismatch.
type SignatureError struct {
	Reason, Message string
	// CanonicalString of a tool request is what was compared with the signature.
	CanonicalString string
}

func (e *SignatureError) Error() string { return e.Reason + ": " + e.Message }

func refuse(reason, message string) *SignatureError {
	return &SignatureError{Reason: reason, Message: message}
}

// Call says on whose behalf toolgate calls. IntegrationID and MemberID may be empty.
type Call struct {
	ProjectID, IntegrationID, MemberID, RequestID string
}

var (
	toolSignature    = regexp.MustCompile(`^v1=[0-9a-f]{64}$`)
	webhookSignature = regexp.MustCompile(`^v1,[A-Za-z0-9+/=]+$`)
	unixTime         = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// ToolRequest verifies a request to your API. body is what r.Body contained. One of several secrets is enough.
func ToolRequest(r *http.Request, body []byte, now time.Time, secrets ...string) (*Call, error) {
	if err := checkSecrets(secrets); err != nil {
		return nil, err
	}
	header := func(name string) string { return r.Header.Get("X-Toolgate-" + name) }
	for _, name := range []string{"Timestamp", "Request-Id", "Project-Id", "Signature"} {
		if header(name) == "" {
			return nil, refuse("missing_header", "X-Toolgate-"+name)
		}
	}
	given := matching(strings.Split(header("Signature"), ","), toolSignature)
	if len(given) == 0 {
		return nil, refuse("malformed", "X-Toolgate-Signature has no entry v1=<64 hex digits>")
	}
	if !unixTime.MatchString(header("Timestamp")) {
		return nil, refuse("malformed", "X-Toolgate-Timestamp is not a Unix time")
	}
	// RequestURI is the target as it was sent. r.URL has been decoded.
	path, query, _ := strings.Cut(r.RequestURI, "?")
	digest := sha256.Sum256(body)
	canonical := strings.Join([]string{
		"v1", header("Timestamp"), header("Request-Id"), r.Method, r.Host, path, query,
		hex.EncodeToString(digest[:]), header("Project-Id"), header("Integration-Id"), header("Member-Id"),
	}, "\n")
	isGenuine := false
	for _, secret := range secrets {
		expected := "v1=" + hex.EncodeToString(sign([]byte(secret), []byte(canonical)))
		isGenuine = isGenuine || contains(given, expected)
	}
	if !isGenuine || strings.Count(canonical, "\n") != 10 {
		return nil, &SignatureError{"mismatch", "another secret, or the request was changed on its way", canonical}
	}
	if err := checkTime(header("Timestamp"), now); err != nil {
		return nil, err
	}
	member, err := url.PathUnescape(header("Member-Id"))
	if err != nil {
		return nil, refuse("malformed", "X-Toolgate-Member-Id is not percent-encoded")
	}
	return &Call{header("Project-Id"), header("Integration-Id"), member, header("Request-Id")}, nil
}

// Webhook verifies the headers of Standard Webhooks. After nil, decode the body.
func Webhook(headers http.Header, body []byte, now time.Time, secrets ...string) error {
	if err := checkSecrets(secrets); err != nil {
		return err
	}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if headers.Get(name) == "" {
			return refuse("missing_header", name)
		}
	}
	given := matching(strings.Split(headers.Get("Webhook-Signature"), " "), webhookSignature)
	if len(given) == 0 {
		return refuse("malformed", "Webhook-Signature has no entry v1,<base64>")
	}
	timestamp := headers.Get("Webhook-Timestamp")
	if !unixTime.MatchString(timestamp) {
		return refuse("malformed", "Webhook-Timestamp is not a Unix time")
	}
	signed := append([]byte(headers.Get("Webhook-Id")+"."+timestamp+"."), body...)
	isGenuine := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return fmt.Errorf("a secret must be the text whsec_… of the webhook")
		}
		expected := "v1," + base64.StdEncoding.EncodeToString(sign(key, signed))
		isGenuine = isGenuine || contains(given, expected)
	}
	if !isGenuine {
		return refuse("mismatch", "another secret, or the body was changed on its way")
	}
	return checkTime(timestamp, now)
}

// An empty secret would accept what anybody can sign.
func checkSecrets(secrets []string) error {
	for _, secret := range secrets {
		if secret == "" {
			return fmt.Errorf("a secret is empty")
		}
	}
	if len(secrets) == 0 {
		return fmt.Errorf("there is no secret")
	}
	return nil
}

func checkTime(timestamp string, now time.Time) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return refuse("malformed", "the timestamp is not a Unix time")
	}
	age := now.Unix() - seconds
	if limit := int64(Tolerance / time.Second); age > limit || age < -limit {
		return refuse("expired", fmt.Sprintf("signed %d s ago", age))
	}
	return nil
}

func sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

func matching(entries []string, pattern *regexp.Regexp) []string {
	var result []string
	for _, entry := range entries {
		if entry = strings.TrimSpace(entry); pattern.MatchString(entry) {
			result = append(result, entry)
		}
	}
	return result
}

func contains(given []string, expected string) bool {
	for _, entry := range given {
		if hmac.Equal([]byte(entry), []byte(expected)) {
			return true
		}
	}
	return false
}
