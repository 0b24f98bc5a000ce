import { afterAll, expect, test } from 'bun:test';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { type KillableProcess, killableProcess } from '../../support/event-processes.ts';
import { temporaryFolder } from '../../support/events.ts';
import { flagApp, ON_OFF, PERSON } from '../../support/flags/flags.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const proxy = await cuttableProxy(database.url);
const service = await startTestService(database);
const app = await flagApp(service, await createTestOrg(service));

const env = (name: string) => ({
  DATA_DIR: temporaryFolder(name),
  ...poolerEnv,
  DATABASE_URL: proxy.url,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
  PORT: '0',
  DISK_FLOOR_MB: '1',
  RATE_LIMIT_SCALE: '1000',
  LOG_LEVEL: 'fatal',
  LOG_FORMAT: 'json',
});
/** Two hosts: nothing but the database is common to them. */
const hosts = [
  await killableProcess('api', env('one')),
  await killableProcess('api', env('two')),
] as const;
const [one, two] = hosts;
afterAll(() => Promise.all(hosts.map((host) => host.kill('SIGKILL'))));

const flag = (await app.create({ key: 'kill', ...ON_OFF, isOn: true, defaultVariant: 'on' })).body;

type Answered = { status: number; value?: unknown; retryAfter: string | null };
async function ask(host: KillableProcess): Promise<Answered> {
  const answer = await fetch(`${host.address()}/v1/ofrep/v1/evaluate/flags/kill`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.flagKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: PERSON }),
  });
  const body = (await answer.json()) as { value?: unknown };
  const retryAfter = answer.headers.get('retry-after');
  return { status: answer.status, value: body.value, retryAfter };
}

const answers = (host: KillableProcess, value: boolean) =>
  until(`the flag is ${value}`, async (saw) => {
    const { status, value: found } = await ask(host);
    saw([status, found]);
    return found === value;
  });

async function feltBy(alive: readonly KillableProcess[], value: boolean): Promise<void> {
  await Promise.all(alive.map((host) => answers(host, value)));
}

test('a switch is felt by both hosts, through a kill of either', async () => {
  await feltBy(hosts, true);
  await app.change(flag.id, { isOn: false });
  await feltBy(hosts, false);
  for (const killed of hosts) {
    const other = killed === one ? two : one;
    await killed.kill('SIGKILL');
    await app.change(flag.id, { isOn: true });
    await feltBy([other], true);
    await killed.start();
    await app.change(flag.id, { isOn: false });
    await feltBy(hosts, false);
  }
});

test('with PostgreSQL away the last answer goes on, and a switch of then is felt once it is back', async () => {
  await app.change(flag.id, { isOn: true });
  await feltBy(hosts, true);
  for (const takeAway of [proxy.cut, proxy.freeze]) {
    takeAway();
    await app.change(flag.id, { isOn: false });
    for (let times = 0; times < 20; times += 1) {
      for (const host of hosts) expect(await ask(host)).toMatchObject({ status: 200, value: true });
    }
    proxy.mend();
    await feltBy(hosts, false);
    await app.change(flag.id, { isOn: true });
    await feltBy(hosts, true);
  }
});
