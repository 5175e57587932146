package cli

import (
	"encoding/json"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"replog/internal/model"
	"replog/internal/report"
)

// version is what `replog version --json` prints.
type version struct {
	// Version is the module's: of a checkout one with its revision, "unversioned" where that was left out (-buildvcs=false).
	Version string `json:"version"`
	// Model is the version of the simulated Kafka; golden files and traces carry it.
	Model  int    `json:"model"`
	Format int    `json:"format"` // of the JSON of replog run
	Go     string `json:"go"`
}

func thisVersion() version {
	v := version{Version: "unversioned", Model: model.Version, Format: report.Format, Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	return v
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of replog and of its model",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := thisVersion()
			if asJSON {
				return json.NewEncoder(a.out).Encode(v)
			}
			a.printf("replog %s, model %d, %s\n", v.Version, v.Model, v.Go)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return c
}
