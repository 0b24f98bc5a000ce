import { describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';
import { ROOT } from '../../support/sources.ts';

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const alerts = Bun.YAML.parse(textOf('docs/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(textOf('docs/grafana.json'));
const shown: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
  panel.targets.map(({ expr }) => expr),
);

/** Its functions, labels and words of PromQL are not followed by what follows a metric. */
function metricsIn(expr: string): string[] {
  const plain = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ');
  const words = plain.match(/[a-z]\w+\b(?!\s*\()/g) ?? [];
  return words
    .filter((word) => word.includes('_'))
    .map((word) => word.replace(/_(bucket|count|sum)$/, ''));
}

const token = 'a-token-for-metrics-0123';
const service = await startTestService(await testDatabase(), { env: { METRICS_TOKEN: token } });
const { text } = await service.call('/metrics', { headers: { authorization: `Bearer ${token}` } });
/** Of Prometheus itself. */
const OF_PROMETHEUS = ['up'];
const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? ''));
/** Only where events are in a bucket. */
const WITH_A_BUCKET = ['event_log_unshipped_seconds'];

test('every metric of the alerts and of the dashboard is there', () => {
  const log = textOf('src/event-store/intake/log-metrics.ts');
  for (const name of WITH_A_BUCKET) expect(log).toContain(name);
  const asked = [...rules.map(({ expr }) => expr), ...shown].flatMap(metricsIn);
  expect(asked.length).toBeGreaterThan(rules.length);
  const missing = asked.filter(
    (name) => !known.has(name) && ![...WITH_A_BUCKET, ...OF_PROMETHEUS].includes(name),
  );
  expect(missing).toEqual([]);
});

test('every alert leads to a heading of the runbook', () => {
  const headings = [...textOf('docs/runbook.md').matchAll(/^## (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { alert, annotations } of rules) {
    const [file, heading = ''] = annotations.runbook.split('#');
    expect([alert, file]).toEqual([alert, 'docs/runbook.md']);
    expect(headings).toContain(heading);
  }
});

test('the runbook says of every alert what it means and what to do', () => {
  const section = textOf('docs/runbook.md').split('\n## Alerts\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (\w+) +\|/gm)].map(([, name]) => name);
  expect(rows.filter((name) => name !== 'alert')).toEqual(rules.map(({ alert }) => alert));
});

const promtool = Bun.which('promtool');
if (!promtool) console.log('not run: promtool on docs/alerts.yml (Debian: apt install prometheus)');

describe.skipIf(!promtool)('Prometheus itself', () => {
  test('takes the rules; each fires when it should, and none on a quiet day', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    cpSync(join(ROOT, 'docs/alerts.yml'), join(folder, 'alerts.yml'));
    cpSync(join(ROOT, 'test/support/alerts.firing.yml'), join(folder, 'firing.yml'));
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'firing.yml'],
    ]) {
      const ran = Bun.spawnSync([promtool ?? '', ...args], { cwd: folder });
      expect({ args, code: ran.exitCode, said: `${ran.stderr}` }).toMatchObject({ code: 0 });
    }
    expect(textOf('test/support/alerts.firing.yml')).toContain(`value: ${rules.length} }`);
  });
});
