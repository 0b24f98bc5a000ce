import { afterAll } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { temporaryFolder } from './events.ts';
import { ROOT } from './sources.ts';

/** From where an operator hears that something is wrong. */
export type Watcher = 'status' | 'metrics' | 'alert';
/** How a service says that something is wrong: in its status and metrics, and by a rule of docs/alerts.yml. */
export type Sign = { dependency: string; alert: string };

/** What each watcher says now: true where it names the sign. */
export type Watch = {
  look: (sign: Sign) => Promise<Partial<Record<Watcher, boolean>>>;
  /** Beyond pending; null where no Prometheus is. */
  isFiring: (sign: Sign) => Promise<boolean | null>;
};

const ANSWER_LIMIT_MS = 10_000;
const EVERY = '2s';

const prometheus = Bun.which('prometheus');
if (!prometheus)
  console.log('not run: alerts of a running Prometheus (Debian: apt install prometheus)');

async function read(url: string, headers: Record<string, string> = {}): Promise<Response | null> {
  return fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(() => null);
}

/** A Prometheus with our rules that scrapes this service; its address. */
async function startPrometheus(program: string, serviceUrl: string): Promise<string> {
  const folder = temporaryFolder('prometheus');
  cpSync(join(ROOT, 'docs/alerts.yml'), join(folder, 'alerts.yml'));
  const target = { targets: [new URL(serviceUrl).host] };
  const config = {
    global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'control-plane', static_configs: [target] }],
  };
  await Bun.write(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = Bun.spawn(
    [
      program,
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  );
  afterAll(() => child.kill('SIGKILL'));
  return `http://${address}`;
}

type Status = { dependencies: { name: string; status: string }[] };
type Alert = { labels: Record<string, string>; state: 'pending' | 'firing' };
type Alerts = { data: { alerts: Alert[] } };

/** Asks the status, the metrics, and where it is installed a Prometheus, as an operator does. */
export async function watchService(url: string, apiKey: string): Promise<Watch> {
  const prometheusUrl = prometheus ? await startPrometheus(prometheus, url) : null;
  const status = async ({ dependency }: Sign) => {
    const answer = await read(`${url}/v1/status`, { 'x-api-key': apiKey });
    if (answer?.status !== 200) return true;
    const { dependencies } = (await answer.json()) as Status;
    return dependencies.some(({ name, status }) => name === dependency && status === 'down');
  };
  const metrics = async ({ dependency }: Sign) => {
    const text = (await (await read(`${url}/metrics`))?.text()) ?? '';
    return new RegExp(`^dependency_up\\{dependency="${dependency}"[^}]*\\} 0$`, 'm').test(text);
  };
  /** Pending or firing: a rule waits before it wakes somebody. */
  const alertsOf = async (sign: Sign): Promise<Alert[]> => {
    const answer = await read(`${prometheusUrl}/api/v1/alerts`);
    if (!answer?.ok) return [];
    const { data } = (await answer.json()) as Alerts;
    return data.alerts.filter(
      ({ labels }) =>
        labels.alertname === sign.alert &&
        (labels.dependency === undefined || labels.dependency === sign.dependency),
    );
  };
  const look: Watch['look'] = async (sign) => {
    const [inStatus, inMetrics, asAlert] = await Promise.all([
      status(sign),
      metrics(sign),
      prometheusUrl === null ? undefined : alertsOf(sign).then((found) => found.length > 0),
    ]);
    return {
      status: inStatus,
      metrics: inMetrics,
      ...(asAlert !== undefined && { alert: asAlert }),
    };
  };
  const isFiring: Watch['isFiring'] = async (sign) =>
    prometheusUrl === null ? null : (await alertsOf(sign)).some(({ state }) => state === 'firing');
  return { look, isFiring };
}
