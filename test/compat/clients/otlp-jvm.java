import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends records by OpenTelemetry's exporter for Java, batch by batch. */
class OtlpJvm {
    /** The exporter gives up after some tries; its result says so. */
    record Delivering(LogRecordExporter real, AtomicInteger delivered) implements LogRecordExporter {
        public CompletableResultCode export(Collection<LogRecordData> batch) {
            while (!real.export(batch).join(1, TimeUnit.MINUTES).isSuccess()) {
                try {
                    Thread.sleep(500);
                } catch (InterruptedException error) {
                    return CompletableResultCode.ofFailure();
                }
            }
            delivered.addAndGet(batch.size());
            return CompletableResultCode.ofSuccess();
        }

        public CompletableResultCode flush() { return real.flush(); }

        public CompletableResultCode shutdown() { return real.shutdown(); }
    }

    public static void main(String[] arguments) {
        int records = Integer.parseInt(arguments[2]);
        Instant begin = Instant.parse(arguments[3]);
        var exporter = OtlpHttpLogRecordExporter.builder()
            .setEndpoint(arguments[0] + "/v1/otlp/v1/logs")
            .addHeader("x-api-key", arguments[1])
            .setCompression(arguments[4])
            .build();
        var delivered = new AtomicInteger();
        var processor = BatchLogRecordProcessor.builder(new Delivering(exporter, delivered))
            .setMaxExportBatchSize(50)
            .setExporterTimeout(Duration.ofMinutes(2))
            .build();
        var resource = Resource.create(Attributes.of(
            AttributeKey.stringKey("service.name"), "checkout",
            AttributeKey.stringKey("deployment.environment.name"), "staging"));
        var provider = SdkLoggerProvider.builder()
            .setResource(resource).addLogRecordProcessor(processor).build();
        var logger = provider.get("payments");
        for (int n = 0; n < records; n += 1) {
            Instant at = begin.plusSeconds(n);
            logger.logRecordBuilder()
                .setTimestamp(at)
                .setObservedTimestamp(at)
                .setSeverity(Severity.ERROR)
                .setSeverityText("ERROR")
                .setBody("Payment " + n + " failed")
                .setAttribute(AttributeKey.longKey("orderId"), (long) n)
                .setAttribute(AttributeKey.booleanKey("retry"), true)
                .setAttribute(AttributeKey.stringArrayKey("codes"), java.util.List.of("a", "b"))
                .setAttribute(AttributeKey.valueKey("nested"),
                    Value.of(KeyValue.of("reason", Value.of("timeout"))))
                .emit();
            if (n % 50 != 49) continue;
            // A flush at once after another may have the answer of that one.
            while (delivered.get() <= n) provider.forceFlush().join(2, TimeUnit.MINUTES);
            System.out.println(n + 1);
        }
        System.exit(0);
    }
}
