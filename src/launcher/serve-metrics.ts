import type { Config } from '../config.ts';
import { metricsOfHost } from '../observability/metrics-socket.ts';
import { holdsToken } from '../shared/same-secret.ts';
import { isFromThisMachine } from '../shared/this-machine.ts';

const TEXT = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

export function serveHostMetrics(
  config: Pick<
    Config,
    'host' | 'metricsPort' | 'metricsToken' | 'publicUrl' | 'runDir' | 'trustProxy'
  >,
  hasStarted: () => boolean,
): { url: URL; stop: () => void } | null {
  const { host, metricsPort, metricsToken, runDir } = config;
  if (metricsPort === undefined) return null;
  const server = Bun.serve({
    hostname: host,
    port: metricsPort,
    fetch: async (request, own) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/livez') return new Response('alive\n');
      if (pathname === '/healthz') return new Response(null, { status: hasStarted() ? 200 : 503 });
      const peer = own.requestIP(request)?.address;
      const isTrusted =
        isFromThisMachine({ config }, { request, peer }) ||
        holdsToken(metricsToken, request.headers.get('authorization'));
      if (!isTrusted || pathname !== '/metrics') {
        return new Response('not found\n', { status: 404 });
      }
      return new Response(await metricsOfHost(runDir), { headers: TEXT });
    },
  });
  return { url: server.url, stop: () => void server.stop(true) };
}
