package main

import (
	"slices"
	"testing"

	"terse/api"
)

func TestEveryDimensionHasAChart(t *testing.T) {
	t.Parallel()
	var names []string
	for _, d := range dimensionCharts {
		if names = append(names, d.name); d.title == "" || d.label == nil {
			t.Errorf("%s lacks a title or labels", d.name)
		}
	}
	if want := api.Dimensions(); !slices.Equal(names, want) {
		t.Errorf("there are charts of %q, want %q", names, want)
	}
}
