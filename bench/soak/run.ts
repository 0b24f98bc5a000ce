import { bootstrapClient } from '../../test/support/crash-client.ts';
import { startInstance } from '../../test/support/instance.ts';
import { option } from '../support/options.ts';
import { treeMs } from '../support/processor-time.ts';
import { median, print, printRatio } from '../support/report.ts';

const MINUTES = Number(option('minutes') ?? 60);
/** Slices of which the first and the last are compared. */
const SLICES = Number(option('slices') ?? 6);
/** There before. */
const EVENTS = Number(option('events') ?? 1_000_000);
const PEOPLE = 50_000;
const BATCH = 100;
const BATCHES_PER_SECOND = 3;
const SIGN_INS_PER_BATCH = 6;
const ERASE_EVERY_MS = 20_000;
const ASK_EVERY_MS = 1_500;
const DAYS = 28;
/** Until what was there before is in files. */
const SETTLE_SECONDS = Number(option('settle') ?? 90);
const NAMES = ['opened', 'viewed', 'added', 'paid'];
const ROLES = ['api', 'compactor', 'query', 'worker'];

/** The same work each time: what others on the machine do to processor time. */
function controlMs(): number {
  const before = process.cpuUsage();
  const words = Array.from({ length: 300_000 }, (_, n) => `home${(n * 7_919) % 50_021}`);
  const counted = new Map<string, number>();
  for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  const { user, system } = process.cpuUsage(before);
  return counted.size > 0 ? (user + system) / 1_000 : Number.NaN;
}

type Asked = { name: string; wallMs: number; processorMs: number; status: number };

/** Somebody's events; some of them sign in, nobody twice. */
function batch(n: number, atMs: (place: number) => number) {
  return Array.from({ length: BATCH }, (_, place) => {
    const count = n * BATCH + place;
    const person = (count * 7_919) % PEOPLE;
    const signsIn = place < SIGN_INS_PER_BATCH;
    return {
      name: NAMES[count % NAMES.length],
      ts: new Date(atMs(place)).toISOString(),
      anonymousId: signsIn ? `device-${count}` : `person-${person}`,
      ...(signsIn && { userId: `user-${count}` }),
      props: { screen: `home${count % 50}`, price: count % 100 },
    };
  });
}

/** No two of one kind alike. */
const questionsOf = (app: string, n: number) => ({
  series: [
    `${app}/questions/answer`,
    {
      ...{ kind: 'series', days: DAYS - (n % 2), timezone: 'UTC' },
      series: [{ where: { all: [{ field: 'prop:screen', op: 'isNot', value: `home${n}` }] } }],
    },
  ],
  funnel: [
    `${app}/questions/answer`,
    {
      ...{ kind: 'funnel', days: DAYS, timezone: 'UTC' },
      steps: NAMES.map((name, step) => ({
        events: [name],
        ...(step === 0 && {
          where: { all: [{ field: 'prop:price', op: 'isNot', value: String(n) }] },
        }),
      })),
    },
  ],
  sql: [
    '/v1/sql',
    { sql: `SELECT name, count(*) FROM events WHERE person_id <> '${n}' GROUP BY name` },
  ],
});

async function repeat(everyMs: number, until: () => boolean, work: (n: number) => Promise<void>) {
  for (let n = 0; !until(); n += 1) {
    const startedAt = performance.now();
    await work(n);
    await Bun.sleep(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
}

function printSlices(asked: readonly Asked[][]): void {
  for (const name of new Set(asked.flat().map((one) => one.name))) {
    for (const measure of ['wallMs', 'processorMs'] as const) {
      const medians = asked.map((slice) =>
        median(slice.filter((one) => one.name === name).map((one) => one[measure])),
      );
      const value = `${medians.map((ms) => ms.toFixed(0)).join(' ')} ms`;
      print({ label: `${name}: p50 of ${measure}, by slice`, value });
      const ratio = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN);
      printRatio('  last / first', ratio, '≤ 1.3');
    }
  }
  const refused = asked.flat().filter(({ status }) => status !== 200);
  print({
    label: 'questions, and those refused',
    value: `${asked.flat().length}, ${refused.length}`,
  });
}

/** Mixed load with erasures: what it does to questions in the end. */
export default async function run(): Promise<void> {
  const instance = await startInstance({
    env: { RATE_LIMIT_SCALE: '1000', QUERY_PROCESSES: '1', LOG_LEVEL: 'error' },
  });
  try {
    const { call, once } = bootstrapClient(instance, 'soak');
    const made = await call('POST', '/v1/apps', { slug: 'soak', displayName: 'Soak' });
    const { id } = (await made.json()) as { id: string };
    const key = await call('POST', `/v1/apps/${id}/keys`, { name: 'soak' });
    const { secret } = (await key.json()) as { secret: string };
    const app = `/v1/apps/${id}`;
    const send = async (events: unknown[]) => {
      const answer = await fetch(`${instance.url}/v1/events`, {
        ...{ method: 'POST', body: JSON.stringify({ events }) },
        headers: { 'content-type': 'application/json', 'x-service-key': secret },
      });
      if (answer.status !== 202) console.error(answer.status, await answer.text());
    };
    const before = Date.now();
    const stored = EVENTS / BATCH;
    for (let n = 0; n < stored; n += 16) {
      const sent = Array.from({ length: 16 }, (_, more) => {
        const ageMs = ((n + more) / stored) * DAYS * 86_400_000;
        return send(batch(n + more, (place) => before - 60_000 - ageMs + place));
      });
      await Promise.all(sent);
    }
    const role = (name: string) =>
      Object.entries(instance.children()).find(([child]) => child.startsWith(name))?.[1] ?? 0;
    const usedBy = (name: string) => treeMs(role(name));
    await Bun.sleep(SETTLE_SECONDS * 1_000);
    const startedAt = performance.now();
    const endsAt = startedAt + MINUTES * 60_000;
    const isOver = () => performance.now() >= endsAt;
    const asked: Asked[][] = Array.from({ length: SLICES }, () => []);
    const sliceOf = () =>
      Math.min(
        SLICES - 1,
        Math.floor(((performance.now() - startedAt) / 60_000 / MINUTES) * SLICES),
      );
    let sent = Math.ceil(stored);
    const erasuresMs: number[] = [];
    const used: string[][] = [];
    await Promise.all([
      repeat(1_000 / BATCHES_PER_SECOND, isOver, () => send(batch(sent++, () => Date.now()))),
      repeat(ERASE_EVERY_MS, isOver, async (n) => {
        const since = performance.now();
        const first = stored * BATCH + n * BATCH * 60;
        const answer = await once('DELETE', `${app}/people/user-${first}`);
        if (answer.status !== 204) console.error(answer.status, await answer.text());
        erasuresMs.push(performance.now() - since);
      }),
      repeat(ASK_EVERY_MS, isOver, async (n) => {
        const all = Object.entries(questionsOf(app, n));
        const [name, [path, body]] = all[n % all.length] as [string, [string, unknown]];
        const [since, processor] = [performance.now(), usedBy('query')];
        const answer = await once('POST', path, body);
        const text = await answer.text();
        if (answer.status !== 200) console.error(name, answer.status, text);
        const control = controlMs();
        asked[sliceOf()]?.push({
          ...{ name: 'control', status: 200, wallMs: control, processorMs: control },
        });
        asked[sliceOf()]?.push({
          ...{ name, status: answer.status, wallMs: performance.now() - since },
          processorMs: usedBy('query') - processor,
        });
      }),
      repeat((MINUTES / SLICES) * 60_000, isOver, async () => {
        used.push(ROLES.map((name) => String(usedBy(name))));
      }),
    ]);
    used.push(ROLES.map((name) => String(usedBy(name))));
    printSlices(asked);
    for (const [place, name] of ROLES.entries()) {
      const seconds = used.map((all) => Number(all[place]) / 1_000);
      const each = seconds.slice(1).map((now, slice) => (now - (seconds[slice] ?? 0)).toFixed(0));
      print({ label: `processor seconds of ${name}, by slice`, value: each.join(' ') });
    }
    print({
      label: 'erasures, p50, longest',
      value: `${erasuresMs.length}, ${median(erasuresMs).toFixed(0)}, ${Math.max(...erasuresMs).toFixed(0)} ms`,
    });
  } finally {
    await instance.stop();
  }
}
