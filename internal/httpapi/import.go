package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"terse"
	"terse/internal/move/archive/importer"
	"terse/internal/move/archive/table"
)

const importPath = "/api/import"

// Failures of imports that are about neither a link nor a parameter.
var (
	errImportTooLarge = &httpError{
		http.StatusRequestEntityTooLarge, importer.ErrTooLong.Error(), "",
	}
	errContentEncoding = &httpError{
		http.StatusUnsupportedMediaType, importer.ErrEncoding.Error(), "Content-Encoding",
	}
	errNoRoom      = &httpError{http.StatusInsufficientStorage, importer.ErrNoRoom.Error(), ""}
	errIsStopping  = &httpError{http.StatusServiceUnavailable, "the server is stopping", ""}
	errImportedKey = terse.Invalidf("Idempotency-Key",
		"Idempotency-Key can not be used with an import, which can be sent again anyway")
)

// importLinks serves POST /api/import.
func (s *service) importLinks(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return terse.Invalidf("", "malformed query string")
	}
	request, err := importer.ParseRequest(importer.Parameters{
		Format: query.Get("format"), Conflict: query.Get("conflict"),
		DryRun: query.Get("dry_run"), ShowLinks: query.Get("show_links"),
		Guess: query.Get("guess"),
		Table: table.Parameters{
			Map: query["map"], TimeZone: query.Get("time_zone"),
			DateFormat: query.Get("date_format"), Delimiter: query.Get("delimiter"),
		},
	})
	if err != nil {
		return err
	}
	if len(r.Header["Idempotency-Key"]) > 0 {
		return errImportedKey
	}
	by.Cause = terse.CauseImport
	request.Caller = by
	release, err := s.alone("an import", by)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-s.Stopping: // may be nil
			cancel()
		case <-ctx.Done():
		}
	}()

	body, err := s.Importer.Receive(ctx, http.MaxBytesReader(w, r.Body, importer.MaxBody),
		strings.ToLower(r.Header.Get("Content-Encoding")))
	if err == nil {
		defer func() { _ = body.Close() }() // it has no name, so that is its end
		err = s.Importer.Check(ctx, body, request)
	}
	if err != nil {
		if s.isStopping() {
			err = errIsStopping
		}
		return importError(err)
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	err = s.Importer.Run(ctx, body, request, func(lines []any) error {
		return sendLines(w, lines)
	})
	if err != nil {
		s.Logger.LogAttrs(ctx, slog.LevelWarn, "an import ended early",
			slog.String("request_id", request.Caller.RequestID), slog.Any("error", err))
		panic(http.ErrAbortHandler) // so that the client sees that there is no summary
	}
	return nil
}

// sendLines sends a part of an answer of lines of JSON.
func sendLines(w http.ResponseWriter, lines []any) error {
	var text []byte
	for _, line := range lines {
		one, err := encode(line)
		if err != nil {
			return err
		}
		text = append(append(text, one...), '\n')
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("send results: %w", err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return fmt.Errorf("send results: %w", err)
	}
	return nil
}

// importError returns the error to answer with.
func importError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || errors.Is(err, importer.ErrTooLong) {
		return errImportTooLarge
	}
	switch {
	case errors.Is(err, importer.ErrEncoding):
		return errContentEncoding
	case errors.Is(err, importer.ErrNoRoom):
		return errNoRoom
	}
	return err
}
