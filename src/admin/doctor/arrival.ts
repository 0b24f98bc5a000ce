import { Value } from '@sinclair/typebox/value';
import type { Config } from '../../config.ts';
import * as system from '../../modules/system/index.ts';
import type { Finding } from '../../app/doctor/check.ts';
import { errorMessage } from '../../shared/errors.ts';
import { isPublic } from '../../shared/own-origin.ts';
import { SECOND_MS } from '../../shared/time.ts';

type Reached = system.Arrival | Finding | null;

async function ask(url: string, headers: Record<string, string> = {}): Promise<Response | Finding> {
  try {
    const response = await fetch(url, {
      headers: { ...system.PROBE_HEADERS, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(15 * SECOND_MS),
      tls: { rejectUnauthorized: false },
    });
    const to = response.headers.get('location');
    if (to === null) return response;
    return {
      found: `${url} redirects to ${to}.`,
      cure: 'Set PUBLIC_URL to the address without a redirect.',
    };
  } catch (thrown) {
    return { found: `${url} cannot be reached: ${errorMessage(thrown)}` };
  }
}

const elsewhere = (url: string, { status }: Response): Finding => ({
  found: `${url} leads elsewhere, or to another path: it answers ${status} and is not this service.`,
});

async function beforeStart({ host, port }: Config, publicUrl: string): Promise<Reached> {
  const path = `/doctor/${crypto.randomUUID()}`;
  let arrival: system.Arrival | null = null;
  const server = Bun.serve({
    hostname: host,
    port,
    fetch: (request, listener) => {
      const isOurs = new URL(request.url).pathname === path;
      if (isOurs) arrival = system.toArrival(request.headers, listener.requestIP(request)?.address);
      return new Response(isOurs ? path : null, { status: isOurs ? 200 : 404 });
    },
  });
  try {
    const answer = await ask(publicUrl + path);
    if (!(answer instanceof Response)) return answer;
    return (await answer.text()) === path ? arrival : elsewhere(publicUrl, answer);
  } finally {
    await server.stop(true);
  }
}

async function whileRunning({ metricsToken }: Config, publicUrl: string): Promise<Reached> {
  const health = await ask(`${publicUrl}/healthz`);
  if (!(health instanceof Response)) return health;
  if (!(await health.text()).includes(system.SERVICE_NAME)) return elsewhere(publicUrl, health);
  if (metricsToken === undefined) return null;
  const answer = await ask(`${publicUrl}/doctor`, { authorization: `Bearer ${metricsToken}` });
  if (!(answer instanceof Response)) return answer;
  const report: unknown = answer.ok ? await answer.json() : null;
  if (Value.Check(system.DoctorReport, report)) return report.arrival;
  return {
    found: `${publicUrl}/doctor answers ${answer.status}: the header Authorization does not arrive, or another installation answers.`,
    cure: 'Let the proxy pass the header Authorization, and lead PUBLIC_URL to this installation.',
  };
}

export async function askThrough(config: Config, isRunning: boolean): Promise<Reached> {
  const { publicUrl, roles } = config;
  if (publicUrl === undefined || !roles.includes('api') || !isPublic(config)) return null;
  return isRunning ? whileRunning(config, publicUrl) : beforeStart(config, publicUrl);
}
