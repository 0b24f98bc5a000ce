import { expect } from 'bun:test';
import { join } from 'node:path';
import type { EventSummary, Ingestion } from '../../src/modules/events/read.model.ts';
import type { FunnelReport } from '../../src/modules/questions/funnel/answer.model.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient, type CrashClient, type Place } from './crash-client.ts';
import { NumberedEvents, STEPS } from './numbered-events.ts';
import { ROOT } from './sources.ts';
import { until } from './until.ts';

const ORGANIZATION = 'crash';
/** `analyst` answers with 100,000 rows at most. */
const PAGE_EVENTS = 50_000;

export type EventCrash = {
  sender: NumberedEvents;
  appId: string;
  client: CrashClient;
  summary: () => Promise<EventSummary>;
  funnel: () => Promise<FunnelReport>;
};

export type EventCrashOptions = {
  seed: number;
  clients: number;
  everyMs: number;
  keepsPace?: boolean;
  batchEvents?: number;
  /** Where its clients send, other than to the instance. */
  url?: () => string;
  /** What the commands need to find the databases, where they are not embedded. */
  env?: Record<string, string>;
};

/** An app with a key and a funnel over the steps, and clients that are ready to send. */
export async function prepareEventCrash(
  instance: Place,
  options: EventCrashOptions,
): Promise<EventCrash> {
  const client = bootstrapClient(instance, ORGANIZATION, options.env);
  const { call } = client;
  const read = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await call(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const app = await read<{ id: string }>('POST', '/v1/apps', {
    slug: 'crash',
    displayName: 'Crash',
  });
  const base = `/v1/apps/${app.id}`;
  const { secret } = await read<{ secret: string }>('POST', `${base}/keys`, { name: 'crash' });
  const steps = STEPS.map((event) => ({ event, label: event }));
  const funnel = await read<{ id: string }>('POST', `${base}/funnels`, { name: 'Crash', steps });
  return {
    sender: new NumberedEvents({ url: instance.url, secret, ...options }),
    appId: app.id,
    client,
    summary: () => read<EventSummary>('GET', `${base}/events/summary`),
    funnel: () => read<FunnelReport>('GET', `${base}/funnels/${funnel.id}/report`),
  };
}

/** While events come in: what is acknowledged is visible, and nothing that was not sent. */
export async function expectVisible({ sender, summary, funnel }: EventCrash): Promise<void> {
  const atLeast = { ...sender.acknowledged };
  const { names } = await summary();
  const { people } = await funnel();
  const atMost = { ...sender.sent };
  for (const step of STEPS) {
    const seen = names.find(({ name }) => name === step)?.events ?? 0;
    expect(seen).toBeGreaterThanOrEqual(atLeast[step]);
    expect(seen).toBeLessThanOrEqual(atMost[step]);
  }
  expect(people).toBeGreaterThanOrEqual(atLeast.crash_one);
  expect(people).toBeLessThanOrEqual(atMost.crash_one);
}

async function expectAnswers({ summary, funnel }: EventCrash, total: number): Promise<void> {
  const each = total / STEPS.length;
  const seen = await summary();
  expect(seen).toMatchObject({ events: total, people: each });
  const names = Object.fromEntries(seen.names.map(({ name, events }) => [name, events]));
  expect(names).toEqual(Object.fromEntries(STEPS.map((step) => [step, each])));
  const report = await funnel();
  expect(report.steps.map(({ people }) => people)).toEqual(STEPS.map(() => each));
}

/** Waits until nothing is left in the log of the host. */
export async function untilCompacted(instance: Pick<Place, 'url'>): Promise<void> {
  const metrics = async () => (await fetch(`${instance.url}/metrics`)).text();
  await until('every event is in a file', async (saw) => {
    const left = /^event_log_bytes\S* (\d+)$/m.exec(await metrics().catch(() => ''))?.[1];
    saw(left);
    return left === '0';
  });
}

/** The numbers of the events as an analyst reads them out of the Parquet files, page by page. */
function analystNumbers(
  instance: Pick<Place, 'dataDir'>,
  env: Record<string, string>,
  from: number,
): { n: number; times: number }[] {
  const question = `
    SELECT (props->>'n')::INTEGER AS n, count(*)::INTEGER AS times FROM events
    WHERE (props->>'n')::INTEGER BETWEEN ${from} AND ${from + PAGE_EVENTS - 1}
    GROUP BY n ORDER BY n`;
  const words = ['--org', ORGANIZATION, '--format', 'json', question];
  const asked = Bun.spawnSync(
    [process.execPath, join(ROOT, 'src/admin/analyst/main.ts'), ...words],
    {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: instance.dataDir, ...env },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (asked.exitCode !== 0) throw new Error(asked.stderr.toString());
  const lines = asked.stdout.toString().trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** How often each number below `total` is there, as an analyst reads them out of the files. */
export function storedNumbers(
  instance: Pick<Place, 'dataDir'>,
  env: Record<string, string>,
  total: number,
): Map<number, number> {
  const stored = new Map<number, number>();
  for (let from = 0; from < total; from += PAGE_EVENTS) {
    for (const { n, times } of analystNumbers(instance, env, from)) stored.set(n, times);
  }
  return stored;
}

/**
 * Every event from 0 to `total` is there exactly once, and no other: by the API, then, when all of
 * them are in files, by the catalogue and number by number as an analyst reads the files.
 */
export async function expectExactlyOnce(
  instance: Place,
  crash: EventCrash,
  total: number,
  database: { url: string; env?: Record<string, string> },
): Promise<void> {
  await expectAnswers(crash, total);
  await untilCompacted(instance);
  await expectAnswers(crash, total);

  const sql = createSql(database.url, { maxConnections: 1, applicationName: 'crash-test' });
  const [stored] = await sql`
    SELECT sum(rows)::int AS rows FROM event_file_apps WHERE app_id = ${crash.appId}`;
  await sql.end();
  expect(stored?.rows).toBe(total);
  for (let from = 0; from <= total; from += PAGE_EVENTS) {
    const length = Math.max(0, Math.min(PAGE_EVENTS, total - from));
    const expected = Array.from({ length }, (_, i) => ({ n: from + i, times: 1 }));
    expect(analystNumbers(instance, database.env ?? {}, from)).toEqual(expected);
  }

  const answer = await crash.client.call('GET', `/v1/apps/${crash.appId}/events/ingestion`);
  const { hours } = (await answer.json()) as Ingestion;
  const sum = (of: (hour: Ingestion['hours'][number]) => number) =>
    hours.reduce((all, hour) => all + of(hour), 0);
  expect(sum((hour) => hour.accepted - hour.duplicates)).toBe(total);
  expect(sum((hour) => hour.duplicates)).toBeGreaterThanOrEqual(crash.sender.sentAgain);
}

/** What was sent and answered, for the log of the run. */
export function report(crash: EventCrash, total: number): string {
  const { sender } = crash;
  const answers = [...sender.answers].map(([status, count]) => `${status || 'none'}: ${count}`);
  return (
    `${total} events, ${sender.sentAgain} of them sent again; answers ${answers.join(', ')}; ` +
    `slowest 202 ${Math.round(sender.slowestMs)} ms`
  );
}
