package web

import "encoding/json"

// manifestPath is the address of the dashboard's manifest, which is part of no version: whoever
// installed the dashboard has it.
const manifestPath = root + "manifest.webmanifest"

// manifest lets browsers install the dashboard as an app, and systems offer it where people share
// an address (W3C: Web Application Manifest, Web Share Target). There is no service worker: without
// the server the dashboard can do nothing.
type manifest struct {
	Name        string      `json:"name"`
	ShortName   string      `json:"short_name"`
	Lang        string      `json:"lang"`
	StartURL    string      `json:"start_url"`
	Scope       string      `json:"scope"`
	Display     string      `json:"display"`
	Icons       []icon      `json:"icons"`
	ShareTarget shareTarget `json:"share_target"`
}

type icon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// shareTarget is where a system opens what somebody shares: the form, filled in by newlink.js.
type shareTarget struct {
	Action string            `json:"action"`
	Method string            `json:"method"`
	Type   string            `json:"enctype"` // Chromium warns where none is named
	Params map[string]string `json:"params"`  // by the names that the system has
}

// addManifest adds the manifest, which names some of the assets.
func (f *files) addManifest() {
	asset := func(name string) string { return f.basePath + f.asset(name) }
	home := f.basePath + root
	text, err := json.MarshalIndent(manifest{
		Name: "terse", ShortName: "terse", Lang: "en",
		StartURL: home, Scope: home, Display: "standalone",
		// icon.svg, drawn by Chromium; without round corners where the system cuts out a shape
		Icons: []icon{
			{Source: asset("icon-192.png"), Sizes: "192x192", Type: "image/png"},
			{Source: asset("icon-512.png"), Sizes: "512x512", Type: "image/png"},
			{
				Source: asset("icon-maskable.png"), Sizes: "512x512", Type: "image/png",
				Purpose: "maskable",
			},
		},
		ShareTarget: shareTarget{
			Action: home, Method: "GET", Type: "application/x-www-form-urlencoded",
			Params: map[string]string{"title": "title", "text": "text", "url": "url"},
		},
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	added := newFile("application/manifest+json", text)
	added.cacheControl, added.etag = "no-cache", `"`+digest(text)+`"`
	f.assets[manifestPath] = added
}
