// Sends records by OpenTelemetry's exporter for Go, batch by batch.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/log"
	sdk "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"
)

// The exporter gives up after a minute, or where nobody answers; it says so.
type delivering struct{ sdk.Exporter }

func (one delivering) Export(all context.Context, records []sdk.Record) error {
	for one.Exporter.Export(all, records) != nil {
		time.Sleep(500 * time.Millisecond)
	}
	return nil
}

func main() {
	host, key := os.Args[1], os.Args[2]
	records, _ := strconv.Atoi(os.Args[3])
	begin, _ := time.Parse(time.RFC3339, os.Args[4])
	compression := otlploghttp.NoCompression
	if os.Args[5] == "gzip" {
		compression = otlploghttp.GzipCompression
	}
	all := context.Background()
	exporter, err := otlploghttp.New(all,
		otlploghttp.WithEndpointURL(host+"/v1/otlp/v1/logs"),
		otlploghttp.WithHeaders(map[string]string{"x-api-key": key}),
		otlploghttp.WithCompression(compression),
	)
	if err != nil {
		panic(err)
	}
	provider := sdk.NewLoggerProvider(
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "checkout"),
			attribute.String("deployment.environment.name", "staging"),
		)),
		sdk.WithProcessor(sdk.NewBatchProcessor(delivering{exporter},
			sdk.WithExportMaxBatchSize(50), sdk.WithExportTimeout(2*time.Minute))),
	)
	logger := provider.Logger("payments")
	for n := 0; n < records; n++ {
		at := begin.Add(time.Duration(n) * time.Second)
		var record log.Record
		record.SetTimestamp(at)
		record.SetObservedTimestamp(at)
		record.SetSeverity(log.SeverityError)
		record.SetSeverityText("ERROR")
		record.SetBody(attribute.StringValue(fmt.Sprintf("Payment %d failed", n)))
		record.AddAttributes(
			attribute.Int("orderId", n),
			attribute.Bool("retry", true),
			attribute.Slice("codes", attribute.StringValue("a"), attribute.StringValue("b")),
			attribute.Map("nested", attribute.String("reason", "timeout")),
		)
		logger.Emit(all, record)
		if n%50 == 49 {
			provider.ForceFlush(all)
			fmt.Println(n + 1)
		}
	}
	provider.Shutdown(all)
}
