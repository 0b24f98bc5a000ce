import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { parser } from '../../src/shared/schema.ts';
import { ROOT } from './sources.ts';
import { keepSaid, readText } from './streams.ts';
import { until } from './until.ts';

const Settings = parser(
  Type.Object({
    scrape_configs: Type.Array(Type.Object({ job_name: Type.String() }), { minItems: 1 }),
  }),
  'prometheus.yml of the runbook',
);
const Alert = Type.Object({
  labels: Type.Record(Type.String(), Type.String()),
  state: Type.String(),
});
const Alerts = parser(
  Type.Object({ data: Type.Object({ alerts: Type.Array(Alert) }) }),
  'alerts of Prometheus',
);

export type Alert = Static<typeof Alert>;

export type Prometheus = {
  /** Those that fire now. */
  firing: () => Promise<Alert[]>;
  /** Of its API: targets with their last error, and rules with their health. */
  explain: () => Promise<string>;
  stop: () => Promise<void>;
};

/** As docs/runbook.md has it, with these addresses and this token in the place of the example's. */
function settingsOf(targets: readonly string[], token: string) {
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const [, example = ''] = /```yaml\n([^`]*scrape_configs:[^`]*)```/.exec(runbook) ?? [];
  const { scrape_configs, ...rest } = Settings.parse(Bun.YAML.parse(example));
  const static_configs = [{ targets }];
  return {
    ...rest,
    rule_files: [join(ROOT, 'docs/alerts.yml')],
    scrape_configs: scrape_configs.map((one) => ({
      ...one,
      authorization: { credentials: token },
      static_configs,
    })),
  };
}

/** Prometheus itself with the rules of docs/alerts.yml, which asks `targets` (`host:port`). */
export async function startPrometheus(
  program: string,
  targets: readonly string[],
  token: string,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const [settings, data] = [join(folder, 'prometheus.yml'), join(folder, 'data')];
  mkdirSync(data);
  // JSON is YAML too.
  writeFileSync(settings, JSON.stringify(settingsOf(targets, token)));
  const port = await freePort();
  const child = Bun.spawn(
    [
      program,
      `--config.file=${settings}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdout: 'ignore', stderr: 'pipe' },
  );
  void readText(child.stderr, (text) => keepSaid(`prometheus ${child.pid}`, text));
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await until('Prometheus is ready', async (saw) => {
    const said = await get('/-/ready').catch(String);
    saw(said);
    return said.includes('Ready');
  });
  // A gauge that is first asked for in an outage begins with it.
  await until('every host has been asked', async (saw) => {
    const up = (await get('/api/v1/targets?state=active')).match(/"health":"up"/g) ?? [];
    saw(up.length);
    return up.length === targets.length;
  });
  return {
    firing: async () => {
      const { data: found } = Alerts.parse(JSON.parse(await get('/api/v1/alerts')));
      return found.alerts.filter(({ state }) => state === 'firing');
    },
    explain: async () => {
      const asked = ['/api/v1/targets?state=active', '/api/v1/rules?type=alert'];
      asked.push('/api/v1/query?query=dependency_up==0', '/api/v1/query?query=up');
      const answers = asked.map(async (path) => `${path}\n${await get(path)}`);
      return (await Promise.all(answers)).join('\n');
    },
    stop: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
