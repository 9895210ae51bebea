package verify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, name string, into any) {
	text, err := os.ReadFile("../../vectors/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func reasonOf(err error) string {
	var refused *SignatureError
	if errors.As(err, &refused) {
		return refused.Reason
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

type toolVector struct {
	Name, Secret, Reason string
	Request              struct {
		Method, Host, Path, Query, Body string
		BodyBase64                      string `json:"body_base64"`
		Headers                         map[string]string
	}
}

func TestToolRequests(t *testing.T) {
	var document struct {
		Now               int64
		Accepted, Refused []toolVector
	}
	read(t, "tool-signature.json", &document)
	allowed := map[string]string{"": "", "missing": "missing_header malformed", "window": "expired", "different": "mismatch"}
	for _, vector := range append(document.Accepted, document.Refused...) {
		request := vector.Request
		target := request.Path
		if request.Query != "" {
			target += "?" + request.Query
		}
		body := []byte(request.Body)
		if request.BodyBase64 != "" {
			body, _ = base64.StdEncoding.DecodeString(request.BodyBase64)
		}
		r := &http.Request{Method: request.Method, Host: request.Host, RequestURI: target, Header: headersOf(request.Headers)}
		call, err := ToolRequest(r, body, time.Unix(document.Now, 0), vector.Secret)
		reason := reasonOf(err)
		if (vector.Reason == "") != (reason == "") || !strings.Contains(allowed[vector.Reason], reason) {
			t.Errorf("%s: %q", vector.Name, reason)
		}
		if err == nil && call.RequestID != request.Headers["x-toolgate-request-id"] {
			t.Errorf("%s: request id %s", vector.Name, call.RequestID)
		}
	}
}

func TestWebhooks(t *testing.T) {
	var document struct {
		Cases []struct {
			Name, Body, Secret string
			PreviousSecret     string `json:"previous_secret"`
			Timestamp          int64
			Headers            map[string]string
		}
	}
	read(t, "webhook-signature.json", &document)
	for _, vector := range document.Cases {
		headers, body := headersOf(vector.Headers), []byte(vector.Body)
		for _, secret := range []string{vector.Secret, vector.PreviousSecret} {
			if secret == "" {
				continue
			}
			for _, check := range []struct {
				reason string
				age    int64
				body   []byte
			}{{"", 5, body}, {"expired", 301, body}, {"mismatch", 5, append(append([]byte{}, body...), ' ')}} {
				err := Webhook(headers, check.body, time.Unix(vector.Timestamp+check.age, 0), secret)
				if reason := reasonOf(err); reason != check.reason {
					t.Errorf("%s: %q, not %q", vector.Name, reason, check.reason)
				}
			}
		}
	}
}

func headersOf(values map[string]string) http.Header {
	headers := http.Header{}
	for name, value := range values {
		headers.Set(name, value)
	}
	return headers
}
