package helm

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/yannh/kubeconform/pkg/validator"
	"sigs.k8s.io/yaml"
)

// kubernetesVersions are the oldest that the chart promises, and the newest that there is.
var kubernetesVersions = []string{"1.30.14", "1.37.2"}

// TestKubernetesSchemas: Kubernetes knows each object, and each field in it.
func TestKubernetesSchemas(t *testing.T) {
	t.Parallel()
	rendered := map[string]string{}
	for name, file := range installations(t) {
		rendered[name] = render(t, file)
	}
	for _, version := range kubernetesVersions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			kubernetes, err := validator.New([]string{
				writeSchemas(t, version) + "/{{ .ResourceKind }}{{ .KindSuffix }}.json",
			}, validator.Opts{
				Strict: true, KubernetesVersion: version,
				// TestOperatorTypes has them.
				SkipKinds: map[string]struct{}{"ServiceMonitor": {}, "PrometheusRule": {}},
			})
			if err != nil {
				t.Fatal(err)
			}
			validate := func(text string) []validator.Result {
				return kubernetes.Validate("chart", io.NopCloser(strings.NewReader(text)))
			}
			for name, text := range rendered {
				valid, skipped := 0, 0
				for _, result := range validate(text) {
					switch result.Status {
					case validator.Valid:
						valid++
					case validator.Skipped:
						skipped++
					case validator.Empty:
					default:
						t.Errorf("%s: %v\n%s", name, result.Err, result.Resource.Bytes)
					}
				}
				monitored := strings.Count(text, "apiVersion: monitoring.coreos.com/v1\n")
				if all := len(objects(t, text)); valid+skipped != all || skipped != monitored {
					t.Errorf("%s: %d of %d objects are valid, %d were skipped", name, valid, all,
						skipped)
				}
			}
			for _, wrong := range []string{
				"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: 80}",
				"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: '80'}]}",
				"apiVersion: v2\nkind: Service\nmetadata: {name: a}",
			} {
				if result := validate(wrong); result[0].Status == validator.Valid {
					t.Errorf("this is valid:\n%s", wrong)
				}
			}
		})
	}
}

// writeSchemas writes a JSON schema for each kind of a version of Kubernetes into a folder, made
// from its own description of its API.
func writeSchemas(t *testing.T, version string) string {
	t.Helper()
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json",
		"k8s.io/kubernetes@v"+version)
	download.Dir = t.TempDir() // no requirement of this module, whose versions it would change
	out, err := download.Output()
	if err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	var api struct{ Definitions map[string]map[string]any }
	if err := json.Unmarshal([]byte(read(t, filepath.Join(module.Dir,
		"api/openapi-spec/swagger.json"))), &api); err != nil {
		t.Fatal(err)
	}
	for name, definition := range api.Definitions {
		if _, ok := definition["properties"]; ok && definition["additionalProperties"] == nil {
			definition["additionalProperties"] = false
		}
		switch name {
		case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
			definition["type"] = []string{"integer", "string"}
		case "io.k8s.apimachinery.pkg.api.resource.Quantity":
			definition["type"] = []string{"number", "string"}
		}
	}
	folder := t.TempDir()
	for name, definition := range api.Definitions {
		kinds, _ := definition["x-kubernetes-group-version-kind"].([]any)
		for _, kind := range kinds {
			kind, _ := kind.(map[string]any)
			group, version := kind["group"].(string), kind["version"].(string)
			file := strings.ToLower(kind["kind"].(string)) + "-"
			if group != "" {
				short, _, _ := strings.Cut(group, ".")
				file += short + "-"
			}
			used := map[string]any{}
			collect(definition, api.Definitions, used)
			used[name] = definition
			schema, err := json.Marshal(map[string]any{
				"$ref": "#/definitions/" + name, "definitions": used,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, file+version+".json"), schema,
				0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// collect adds the definitions to which a value refers, and those to which they refer.
func collect(value any, all map[string]map[string]any, used map[string]any) {
	switch value := value.(type) {
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, "#/definitions/")
			if _, ok := used[name]; !ok {
				used[name] = all[name]
				collect(all[name], all, used)
			}
		}
		for _, inner := range value {
			collect(inner, all, used)
		}
	case []any:
		for _, inner := range value {
			collect(inner, all, used)
		}
	}
}

// TestOperatorTypes: the Prometheus operator knows each field of what is for it.
func TestOperatorTypes(t *testing.T) {
	t.Parallel()
	all := objects(t, render(t, "testdata/postgresql.yaml"))
	var monitor monitoring.ServiceMonitor
	var rule monitoring.PrometheusRule
	for name, into := range map[string]any{
		"ServiceMonitor terse": &monitor, "PrometheusRule terse": &rule,
	} {
		b, err := json.Marshal(all[name])
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(b))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var file monitoring.PrometheusRuleSpec
	if err := yaml.UnmarshalStrict([]byte(read(t, "terse/files/alerts.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	if len(rule.Spec.Groups) == 0 || len(rule.Spec.Groups[0].Rules) != len(file.Groups[0].Rules) {
		t.Errorf("the rules are not those of the file: %+v", rule.Spec)
	}
	for _, labels := range []map[string]string{monitor.Labels, rule.Labels} {
		if labels["release"] != "prometheus" {
			t.Errorf("the labels are %v", labels)
		}
	}
	// The operator finds the service of the nodes, no other, and its port; the token is there.
	var found []string
	for name, o := range all {
		var service struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Ports []struct{ Name string }
			}
		}
		if o.into(t, &service); !strings.HasPrefix(name, "Service ") {
			continue
		}
		has := maps.Clone(service.Metadata.Labels)
		maps.Copy(has, monitor.Spec.Selector.MatchLabels)
		if maps.Equal(has, service.Metadata.Labels) {
			found = append(found, name)
			if service.Spec.Ports[0].Name != monitor.Spec.Endpoints[0].Port {
				t.Errorf("%s has other ports: %+v", name, service.Spec.Ports)
			}
			if job := service.Metadata.Labels[monitor.Spec.JobLabel]; job != "terse" {
				t.Errorf("the job is %q", job)
			}
		}
	}
	if !slices.Equal(found, []string{"Service terse-nodes"}) {
		t.Errorf("the operator finds %q", found)
	}
	var secret struct{ StringData map[string]string }
	all["Secret terse"].into(t, &secret)
	token := monitor.Spec.Endpoints[0].Authorization.Credentials
	if token.Name != "terse" || secret.StringData[token.Key] == "" {
		t.Errorf("the token is in %+v", token)
	}
	// Or a Secret with a token for Prometheus alone, or none is sent.
	for set, want := range map[string]string{
		"serviceMonitor.tokenSecret.name=mine":                               "mine token",
		"serviceMonitor.tokenSecret.key=some":                                "terse auth_tokens",
		"serviceMonitor.tokenSecret.name=a,serviceMonitor.tokenSecret.key=b": "a b",
		"settings.METRICS_AUTH_ENABLED=false":                                "",
	} {
		var monitor monitoring.ServiceMonitor
		objects(t, render(t, "testdata/postgresql.yaml", set))["ServiceMonitor terse"].into(t,
			&monitor)
		sent := ""
		if with := monitor.Spec.Endpoints[0].Authorization; with != nil {
			sent = with.Credentials.Name + " " + with.Credentials.Key
		}
		if sent != want {
			t.Errorf("with %s Prometheus sends %q, want %q", set, sent, want)
		}
	}
}
