import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../config.ts';
import { SECOND_MS } from '../shared/time.ts';

const EXPORT_LIMIT_MS = 5 * SECOND_MS;
const SCOPE = 'mobile-control-plane';

export type RequestSpan = {
  method: string;
  route: string;
  status: number;
  startedAt: Date;
  durationMs: number;
  requestId: string;
  orgId: string | null;
};

/** OTLP over HTTP; a no-op without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export type Telemetry = {
  recordRequest: (span: RequestSpan) => void;
  close: () => Promise<void>;
};

const OFF: Telemetry = { recordRequest: () => undefined, close: () => Promise.resolve() };

export function createTelemetry(config: Config, role: string): Telemetry {
  const endpoint = config.log.otlpEndpoint;
  if (endpoint === undefined) return OFF;
  const resource = resourceFromAttributes({
    'service.name': SCOPE,
    'service.instance.id': `${role}-${process.pid}`,
  });
  const traces = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: EXPORT_LIMIT_MS,
        }),
      }),
    ],
  });
  const tracer = traces.getTracer(SCOPE);

  return {
    recordRequest: (request) => {
      const span = tracer.startSpan(
        `${request.method} ${request.route}`,
        {
          kind: SpanKind.SERVER,
          startTime: request.startedAt,
          attributes: {
            'http.request.method': request.method,
            'http.route': request.route,
            'http.response.status_code': request.status,
            'request.id': request.requestId,
            'org.id': request.orgId ?? '',
          },
        },
        context.active(),
      );
      if (request.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(new Date(request.startedAt.getTime() + request.durationMs));
    },
    close: () => traces.shutdown().catch(() => undefined),
  };
}
