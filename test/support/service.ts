import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeps, openIdentity } from '../../src/app/deps.ts';
import { createApp } from '../../src/app/routes.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { checkAgainstContract } from './contract.ts';
import { HASTY_HASHING } from './passwords.ts';
import { poolerEnv, type TestDatabase } from './postgres.ts';
import type { TestTemporal } from './temporal.ts';

const MASTER_KEY = Buffer.alloc(32, 9).toString('base64');
const NOWHERE = '127.0.0.1:1';

export type Answer = { status: number; headers: Headers; body: any; text: string };

export type Call = {
  method?: string;
  body?: unknown;
  rawBody?: string | ReadableStream;
  headers?: Record<string, string>;
};

export type TestService = {
  deps: Deps;
  /** Sends a request through the whole HTTP stack; the answer is held against the OpenAPI document. */
  call: (path: string, call?: Call) => Promise<Answer>;
  dataDir: string;
};

export type ServiceOptions = {
  temporal?: TestTemporal;
  env?: Record<string, string>;
  /** Replaces some of the dependencies, such as a provider or the clock. */
  with?: (deps: Deps) => Partial<Deps>;
  /** True: passwords are kept as the service keeps them, which takes a tenth of a second for each. */
  realPasswords?: boolean;
};

/** The application in this process, on the suite's own database. */
export async function startTestService(
  database: TestDatabase,
  options: ServiceOptions = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cp-test-'));
  const config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...poolerEnv,
    TEMPORAL_ADDRESS: options.temporal?.address ?? NOWHERE,
    TEMPORAL_NAMESPACE: options.temporal?.namespace ?? 'default',
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
    SECRETS_KEY: MASTER_KEY,
    LOG_FORMAT: 'json',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    RATE_LIMIT_SCALE: '1000',
    ...options.env,
  });
  const made = await createDeps(config, 'api');
  const deps: Deps = Object.defineProperties({} as Deps, Object.getOwnPropertyDescriptors(made));
  if (!options.realPasswords) {
    let identity: Deps['identity'] | undefined;
    const open = () => {
      identity ??= openIdentity(made, HASTY_HASHING);
      return identity;
    };
    Object.defineProperty(deps, 'identity', { get: open, configurable: true, enumerable: true });
  }
  Object.assign(deps, options.with?.(deps));
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  afterAll(async () => {
    await made.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call: TestService['call'] = async (path, { method, body, rawBody, headers } = {}) => {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://localhost:3000${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(typeof payload === 'string' && {
          'content-length': String(Buffer.byteLength(payload)),
        }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const response = await app.handle(request);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
    checkAgainstContract(request.method, path, answer);
    return answer;
  };
  return { deps, call, dataDir };
}

export {
  createFlagKey,
  createTestApp,
  createTestKey,
  createTestOrg,
  type TestApp,
  type TestOrg,
} from './factories.ts';
