import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

const [host, key, records, begin, form] = process.argv.slice(2);

const Exporter = form === 'json' ? JsonExporter : ProtoExporter;
const exporter = new Exporter({
  url: `${host}/v1/otlp/v1/logs`,
  headers: { 'x-api-key': key },
  compression: 'gzip',
});
const provider = new LoggerProvider({
  resource: resourceFromAttributes({
    'service.name': 'checkout',
    'deployment.environment.name': 'staging',
  }),
  processors: [new BatchLogRecordProcessor({ exporter })],
});
const logger = provider.getLogger('payments', '1.2.0');
for (let n = 0; n < Number(records); n += 1) {
  logger.emit({
    timestamp: new Date(Date.parse(begin) + n * 1_000),
    severityNumber: 17,
    severityText: 'ERROR',
    body: `Payment ${n} failed`,
    attributes: { orderId: n, retry: true, codes: ['a', 'b'], nested: { reason: 'timeout' } },
  });
}
await provider.shutdown();
