import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readRunning } from '../../../src/launcher/running.ts';
import {
  allProcesses,
  commandOf,
  environmentOf,
  type Instance,
  isHealthy,
  newDataDir,
  processesOf,
  refusedStart,
  spawnStart,
  startInstance,
} from '../../support/instance.ts';
import { isFullRun } from '../../support/random.ts';
import { ROOT } from '../../support/sources.ts';
import { readText } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

async function admin(dataDir: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, 'src/admin/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, err, code: await child.exited };
}

const CRON_SECRET = 'secret-of-the-scheduler';
/** A machine without a way out, and a terminal. */
const ALONE = {
  ...{ CRON_SECRET, LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' },
  FX_RATES_URL: 'http://127.0.0.1:9/rates.zip',
};
/** Programs of every system, which a start calls. */
const NEEDED = ['chown', 'id', 'nice', 'setpriv', 'sh', 'su', 'tar', 'useradd'];
/** A line of a stack. */
const STACK = /^\s+at /m;

/** Of an instance that was stopped in order; the starts below go on with it. */
let leftDir: string;

describe('one instance', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ env: ALONE });
  });
  afterAll(() => instance.kill('SIGKILL'));

  test('says where everything is, and each place answers', async () => {
    expect(instance.errors()).toContain('The control plane is ready.');
    expect(instance.errors()).toContain(instance.dataDir);
    expect(instance.errors()).toContain('bun run admin bootstrap');
    await until('isHealthy(instance.url)', () => isHealthy(instance.url));
    const places = ['Docs', 'OpenAPI', 'Temporal UI'].map(
      (name) => new RegExp(`${name}\\s+(http:\\S+)`).exec(instance.errors())?.[1] ?? '',
    );
    for (const place of places) expect((await fetch(place)).status).toBe(200);
  });

  test('says in one line why the exchange rates are not fetched', async () => {
    const headers = { 'x-cron-secret': CRON_SECRET };
    const url = `${instance.url}/internal/analytics/sync-all`;
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(200);
    const lines = () => instance.log().split('\n');
    await until('the rates are given up', () =>
      lines().some((line) =>
        /activity failed: The exchange rates .*ECONNREFUSED.*Refresh\)/.test(line),
      ),
    );
    expect(instance.log()).toContain('database migrated');
    expect(instance.log()).not.toContain('0001_auth.sql');
    expect(`${instance.log()}\n${instance.errors()}`).not.toMatch(STACK);
  });

  test('keeps its secrets from others', () => {
    expect(modeOf(instance.dataDir)).toBe(0o700);
    const secret = [
      'running.json',
      'postgres.password',
      'secrets/secrets-key',
      'secrets/auth-secret',
    ];
    for (const name of secret) expect(modeOf(join(instance.dataDir, name))).toBe(0o600);
  });

  test('processes that work on events only have no secret of the rest', () => {
    const { query = 0, compactor = 0, api = 0 } = instance.children();
    expect(environmentOf(api)).toContainKeys(['SECRETS_KEY', 'AUTH_SECRET']);
    for (const pid of [query, compactor]) {
      const environment = environmentOf(pid);
      expect(environment.DATABASE_URL).toBeString();
      for (const name of ['SECRETS_KEY', 'AUTH_SECRET', 'TEMPORAL_CODEC_TOKEN']) {
        expect(environment).not.toContainKey(name);
      }
    }
  });

  test('a second start on the same data folder is refused, and disturbs nothing', async () => {
    const before = instance.children();
    const { code, errors } = await refusedStart({ dataDir: instance.dataDir });
    expect(code).toBe(1);
    expect(errors).toContain(`Another start (process ${instance.pid}) uses ${instance.dataDir}.`);
    expect(instance.children()).toEqual(before);
    expect(await isHealthy(instance.url)).toBe(true);
  });

  test('the operator commands find the embedded servers by the data folder alone', async () => {
    const args = ['bootstrap', '--org', 'Acme', '--email', 'owner@example.com', '--json'];
    const { out, err, code } = await admin(instance.dataDir, ...args);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const { apiKey }: { apiKey: string } = JSON.parse(out);
    const apps = await fetch(`${instance.url}/v1/apps`, { headers: { 'x-api-key': apiKey } });
    expect([apps.status, await apps.json()]).toEqual([200, []]);
  });

  test('a taken PORT is refused with its number', async () => {
    const port = new URL(instance.url).port;
    const { code, errors } = await refusedStart({ env: { PORT: port } });
    expect(code).toBe(1);
    expect(errors).toContain(`PORT ${port} on 127.0.0.1 is taken by another program.`);
    const inJson = await refusedStart({ env: { PORT: port, LOG_FORMAT: 'json' } });
    const lines = inJson.errors.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'fatal', role: 'supervisor', msg: expect.stringContaining(`PORT ${port} on`) },
    ]);
  });

  test('a download that fails and a program that is not there are a line each', async () => {
    const dataDir = newDataDir();
    const few = join(dataDir, '..', 'few');
    mkdirSync(few);
    for (const name of NEEDED) {
      const program = Bun.which(name);
      if (program) symlinkSync(program, join(few, name));
    }
    const { code, errors } = await refusedStart({
      dataDir,
      env: {
        ...ALONE,
        ...{ PATH: few, XDG_CACHE_HOME: few, TEMPORAL_CLI_PATH: '' },
        TEMPORAL_CLI_DOWNLOAD_URL: 'http://127.0.0.1:9/temporal.tar.gz',
      },
    });
    expect(code).toBe(1);
    const said = (line: RegExp) => errors.split('\n').filter((each) => line.test(each)).length;
    expect(said(/^The download from http:\S+ failed: .*TEMPORAL_CLI_DOWNLOAD_URL/)).toBe(1);
    expect(said(/^PATH holds no "uv" or "pip"/)).toBe(1);
    expect(said(/^The service could not start\. /)).toBe(1);
    expect(errors).not.toMatch(STACK);
  });

  test('every wrong variable is named before anything is started', async () => {
    const { code, errors } = await refusedStart({ env: { PORT: 'x', SIGN_UP: 'maybe' } });
    expect(code).toBe(1);
    expect(errors).toContain('PORT must be');
    expect(errors).toContain('SIGN_UP must be');
  });

  test('Ctrl-C ends everything', async () => {
    expect(await instance.stop()).toBe(0);
    await until('every process has ended', () => processesOf(instance.dataDir).length === 0);
    leftDir = instance.dataDir;
  });
});

describe('the arguments of processes, which every account of the machine reads', () => {
  const MARK = 'not-for-every-account';
  const GIVEN = {
    ...{
      CRON_SECRET: `cron-${MARK}`,
      METRICS_TOKEN: `metrics-${MARK}`,
      LAKE_TOKEN: `lake-${MARK}`,
    },
    ...{ PUBLISHER_API_KEY: `posts-${MARK}`, BACKEND_API_TOKEN: `backend-${MARK}` },
    ...{ SMTP_URL: `smtp://mail:${MARK}@127.0.0.1:9`, MAIL_FROM: 'cp@example.com' },
  };

  /** Those that were given, and all that the start made for itself. */
  async function secretsOf({ dataDir, children }: Instance): Promise<Record<string, string>> {
    const read = async (name: string) => (await Bun.file(join(dataDir, name)).text()).trim();
    const flags = JSON.parse(await read('temporal/flags.yaml')).env.default;
    const made: Record<string, string> = {
      given: MARK,
      'codec token': environmentOf(children().api ?? 0).TEMPORAL_CODEC_TOKEN ?? '',
      'codec address': flags['ui-codec-endpoint'],
      'address of the UI': flags['ui-ip'],
      'host name of the HTTP API':
        /[0-9a-f]+\.invalid/.exec(flags['dynamic-config-value'])?.[0] ?? '',
    };
    for (const name of ['postgres.password', 'secrets/secrets-key', 'secrets/auth-secret']) {
      made[name] = await read(name);
    }
    return made;
  }

  test('have no secret, from the first process of a start to the last', async () => {
    const dataDir = newDataDir();
    const commands = new Set<string>();
    const others = new Set(allProcesses());
    const noteCommands = () => {
      for (const pid of processesOf(dataDir, others)) commands.add(commandOf(pid));
    };
    let isStarting = true;
    const env = { ...ALONE, ...GIVEN, TEMPORAL_PAYLOADS: 'encrypted' };
    const starting = startInstance({ dataDir, env }).finally(() => {
      isStarting = false;
    });
    while (isStarting) {
      noteCommands();
      await pause(5, 'processes that live for moments are seen');
    }
    const instance = await starting;
    await until('it is healthy', () => isHealthy(instance.url));
    noteCommands();
    const secrets = await secretsOf(instance);
    expect(await instance.stop()).toBe(0);

    const started = [...commands].join('\n');
    for (const program of ['postgres', 'start-dev', '\0api\0', '\0worker\0', '\0query\0']) {
      expect(started).toContain(program);
    }
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, secret.length > 7]).toEqual([name, true]);
      expect([name, started.includes(secret)]).toEqual([name, false]);
    }
  });
});

describe('a stop during the start', () => {
  const delaysMs = isFullRun ? [50, 600, 1_500, 2_500] : [600, 2_500];
  test.each(delaysMs)('after %d ms ends everything', async (delayMs) => {
    const { dataDir, child } = spawnStart();
    await pause(delayMs, 'an interrupt at a moment of the start');
    child.kill('SIGINT');
    await child.exited;
    await until('processesOf(dataDir).length === 0', () => processesOf(dataDir).length === 0);
  });
});

/** The port that the API process of this folder was told, as soon as there is such a process. */
async function portOfApi(dataDir: string): Promise<number> {
  for (;;) {
    for (const pid of processesOf(dataDir)) {
      const environ = environmentOf(pid);
      const isApi = commandOf(pid).endsWith('\0api\0');
      if (isApi && environ.PORT !== undefined) return Number(environ.PORT);
    }
    await pause(25, 'looks at the processes');
  }
}

describe('two instances', () => {
  test('start at the same moment, one on a folder that was left in order, and live side by side, on other ports than a program that takes one before the API listens', async () => {
    const dataDir = newDataDir();
    const starting = Promise.all([startInstance({ dataDir }), startInstance({ dataDir: leftDir })]);
    const port = await portOfApi(dataDir);
    const thief = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response('mine') });
    const instances = await starting;
    for (const { url } of instances) {
      expect(url).not.toEndWith(`:${port}`);
      await until('isHealthy(url)', () => isHealthy(url));
    }
    expect(await (await fetch(thief.url)).text()).toBe('mine');
    await thief.stop(true);
    const [first, second] = instances;
    expect(first.url).not.toBe(second.url);
    expect(await first.stop()).toBe(0);
    expect(await isHealthy(second.url)).toBe(true);
    const args = ['bootstrap', '--org', 'B', '--email', 'b@example.com', '--json'];
    expect(JSON.parse((await admin(leftDir, ...args)).out).password).toBeString();
    expect(await second.stop()).toBe(0);
  });
});

describe('without Temporal', () => {
  test('events are taken, and the operator commands find the service once it is ready', async () => {
    const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { dataDir, child } = spawnStart({ dataDir: leftDir, env });
    let out = '';
    void readText(child.stdout, (text) => {
      out += text;
    });
    const ready = async () => {
      const api = (await readRunning(dataDir))?.places.API;
      return api !== undefined && (await isHealthy(api)) ? api : null;
    };
    let api: string | null = null;
    await until('it is so', async () => {
      api = await ready();
      return api !== null;
    });
    const args = ['bootstrap', '--org', 'Away', '--email', 'away@example.com', '--json'];
    const { out: made } = await admin(dataDir, ...args);
    const key = { 'x-api-key': JSON.parse(made).apiKey, 'content-type': 'application/json' };
    const call = async (path: string, headers: Record<string, string>, body?: unknown) => {
      const method = body === undefined ? 'GET' : 'POST';
      return fetch(`${api}${path}`, { method, headers, body: JSON.stringify(body) });
    };
    const app = (await (
      await call('/v1/apps', key, { slug: 'away-app', displayName: 'A' })
    ).json()) as any;
    const { secret: serviceKey } = (await (
      await call(`/v1/apps/${app.id}/keys`, key, {})
    ).json()) as any;
    const device = { 'x-service-key': serviceKey, 'content-type': 'application/json' };
    const events = [{ name: 'opened', anonymousId: 'somebody' }];
    expect((await call('/v1/events', device, { events })).status).toBe(202);
    const status = (await (await call('/v1/status', key)).json()) as any;
    const states = status.dependencies.map((one: any) => `${one.name} ${one.status}`);
    expect(states).toContain('temporal down');
    expect(states).toContain('ingest up');
    expect(out).toContain('Temporal (TEMPORAL_ADDRESS, 127.0.0.1:1) cannot be used');
    child.kill('SIGINT');
    await child.exited;
  });
});
