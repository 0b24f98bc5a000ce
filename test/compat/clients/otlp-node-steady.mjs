/** Sends records by OpenTelemetry's exporter for Node, batch by batch. */
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

const [host, key, records, begin, form] = process.argv.slice(2);

const Exporter = form === 'json' ? JsonExporter : ProtoExporter;
const exporter = new Exporter({
  url: `${host}/v1/otlp/v1/logs`,
  headers: { 'x-api-key': key },
  compression: form === 'json' ? 'none' : 'gzip',
});
/** The exporter gives up after some tries; its result says so. */
const delivering = {
  export: (batch, done) => {
    const send = () =>
      exporter.export(batch, (result) =>
        result.code === 0 ? done(result) : setTimeout(send, 500),
      );
    send();
  },
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
};
const processor = new BatchLogRecordProcessor({
  exporter: delivering,
  maxExportBatchSize: 50,
  exportTimeoutMillis: 120_000,
});
const provider = new LoggerProvider({
  resource: resourceFromAttributes({
    'service.name': 'checkout',
    'deployment.environment.name': 'staging',
  }),
  processors: [processor],
});
const logger = provider.getLogger('payments', '1.2.0');
for (let n = 0; n < Number(records); n += 1) {
  const at = new Date(Date.parse(begin) + n * 1_000);
  logger.emit({
    timestamp: at,
    observedTimestamp: at,
    severityNumber: 17,
    severityText: 'ERROR',
    body: `Payment ${n} failed`,
    attributes: { orderId: n, retry: true, codes: ['a', 'b'], nested: { reason: 'timeout' } },
  });
  if (n % 50 === 49) {
    await provider.forceFlush();
    console.log(n + 1);
  }
}
await provider.shutdown();
