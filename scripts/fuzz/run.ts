import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Type } from '@sinclair/typebox';
import { parser } from '../../src/shared/schema.ts';
import { type Instance, startInstance } from '../../test/support/instance.ts';
import { ROOT } from '../install.ts';
import { findSchemathesis, fuzz } from './schemathesis.ts';

const NOWHERE = 'http://127.0.0.1:1';
/** Providers that refuse at once: nothing leaves this machine. */
const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '100000',
  STORE_API_URL: NOWHERE,
  STORE_SERVER_API_URL: NOWHERE,
  STORE_SERVER_SANDBOX_API_URL: NOWHERE,
  FX_RATES_URL: NOWHERE,
  CRON_SECRET: 'only-for-the-fuzzer-0123',
  SIGN_UP: 'open',
};

const LIMIT_SECONDS = 20 * 60;
const CALLERS = ['organization', 'session', 'device', 'flags', 'nobody'] as const;
/** Would end the session, or take its organization away, before the rest has been asked. */
const ENDS_THE_SESSION = '/v1/auth/(sign-out|change-password|organization/set-active)$';

const Bootstrapped = parser(
  Type.Object({ apiKey: Type.String(), email: Type.String(), password: Type.String() }),
  'answer of bootstrap',
);
const Made = parser(Type.Object({ id: Type.String() }), 'answer of the service');
const MadeKey = parser(
  Type.Object({ key: Type.Object({ id: Type.String() }), secret: Type.String() }),
  'answer of the service',
);

async function bootstrap(dataDir: string) {
  const child = Bun.spawn(
    [
      process.execPath,
      join(ROOT, 'src/admin/main.ts'),
      ...['bootstrap', '--org', 'Fuzzed', '--email', 'fuzz@example.com', '--json'],
    ],
    { env: { ...Bun.env, DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }, stdout: 'pipe' },
  );
  return Bootstrapped.parse(JSON.parse(await new Response(child.stdout).text()));
}

/** The cookies of a session of this person. */
async function signIn(url: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in answers ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** An organization with one of each thing, for requests to find. */
async function prepare({ url, dataDir }: Instance) {
  const { apiKey, email, password } = await bootstrap(dataDir);
  const organization = { 'x-api-key': apiKey };
  const session = { cookie: await signIn(url, email, password) };
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...organization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const app = Made.parse(await post('/v1/apps', { slug: 'fuzzed', displayName: 'Fuzzed' }));
  const path = `/v1/apps/${app.id}`;
  const key = MadeKey.parse(await post(`${path}/keys`, {}));
  const flags = MadeKey.parse(await post(`${path}/keys`, { kind: 'flags' }));
  const steps = ['app_opened', 'paywall_viewed'].map((event) => ({ event, label: event }));
  const funnel = Made.parse(await post(`${path}/funnels`, { name: 'Fuzzed', steps }));
  const onboarding = Made.parse(
    await post(`${path}/onboardings`, { name: 'Fuzzed', config: { screens: [] } }),
  );
  return {
    headers: {
      organization,
      session,
      device: { 'x-service-key': key.secret },
      flags: { 'x-api-key': flags.secret },
      nobody: {},
    },
    ids: { id: app.id, funnelId: funnel.id, onboardingId: onboarding.id, personId: 'person-0001' },
  };
}

/** Each caller meets a service of its own: one that deletes must not take from the others. */
async function fuzzAs(
  caller: (typeof CALLERS)[number],
  options: { program: string; examples: number; seed: number; only: string | undefined },
): Promise<boolean> {
  const workDir = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const service = await startInstance({ dataDir: join(workDir, 'data'), env: ENVIRONMENT });
  try {
    const { headers, ids } = await prepare(service);
    console.log(`\nAs ${caller}, ${options.examples} examples an operation, at ${service.url}`);
    return await fuzz({
      ...options,
      url: service.url,
      headers: headers[caller],
      ids,
      leftOut: caller === 'session' ? ENDS_THE_SESSION : undefined,
      workDir,
      limitSeconds: LIMIT_SECONDS,
    });
  } finally {
    await service.stop();
    rmSync(workDir, { recursive: true, force: true });
  }
}

/**
 * Holds a service of its own against its OpenAPI document with an outside fuzzer, as an
 * organization's key, a signed-in owner, a device, a flag key and nobody. Gives the exit code.
 */
export async function runFuzz(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      examples: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      as: { type: 'string', default: CALLERS.join(',') },
      only: { type: 'string' },
    },
  });
  const program = await findSchemathesis(resolve(Bun.env.DATA_DIR ?? '.data', 'cache'));
  if (program === null) {
    console.log('not run: the fuzzer needs python3 with venv, and PyPI.');
    return 0;
  }
  const wanted = values.as.split(',');
  const failed: string[] = [];
  for (const caller of CALLERS.filter((one) => wanted.includes(one))) {
    const options = { examples: Number(values.examples), seed: Number(values.seed) };
    if (!(await fuzzAs(caller, { program, ...options, only: values.only }))) failed.push(caller);
  }
  if (failed.length === 0) return 0;
  console.error(`Answers departed from the document as ${failed.join(', ')}; seed ${values.seed}.`);
  return 1;
}
