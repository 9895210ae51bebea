// Renders the templates of the Helm chart with the functions that they use, because Helm itself is not installed where the tests run.
// stdin: {"folder", "values", "release", "chart"}; stdout: {"file": "text"}.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

type input struct {
	Folder                 string
	Values, Release, Chart map[string]any
}

func main() {
	var given input
	check(json.NewDecoder(os.Stdin).Decode(&given))
	all := template.New("chart")
	all.Funcs(functions(all))
	names, err := filepath.Glob(filepath.Join(given.Folder, "templates", "*"))
	check(err)
	_, err = all.ParseFiles(names...)
	check(err)
	data := map[string]any{"Values": given.Values, "Release": given.Release, "Chart": given.Chart}
	rendered := map[string]string{}
	for _, name := range names {
		if base := filepath.Base(name); !strings.HasPrefix(base, "_") {
			rendered[base] = execute(all, base, data)
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func functions(all *template.Template) template.FuncMap {
	return template.FuncMap{
		"include":    func(name string, data any) string { return execute(all, name, data) },
		"quote":      func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"trunc":      func(length int, text string) string { return text[:min(length, len(text))] },
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
		"list":       func(items ...any) []any { return items },
		// JSON is YAML.
		"toYaml": func(value any) (string, error) { text, err := json.Marshal(value); return string(text), err },
		"nindent": func(spaces int, text string) string {
			indent := "\n" + strings.Repeat(" ", spaces)
			return indent + strings.ReplaceAll(text, "\n", indent)
		},
		"default": func(fallback, value any) any {
			if value == nil || value == "" {
				return fallback
			}
			return value
		},
		"required": func(message string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
	}
}

func execute(all *template.Template, name string, data any) string {
	var text bytes.Buffer
	check(all.ExecuteTemplate(&text, name, data))
	return text.String()
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
