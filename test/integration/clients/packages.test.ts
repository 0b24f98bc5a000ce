import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { pack } from '../../../clients/pack.ts';
import { startIngestServer } from '../../support/clients/ingest-server.ts';

// The same bytes as `GET /clients/web.tgz` of the service (`test/integration/http/clients.test.ts`).
const served = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  routes: {
    '/clients/web.tgz': async () => new Response((await pack('web')).bytes),
    '/clients/api.tgz': async () => new Response((await pack('api')).bytes),
  },
});
afterAll(() => served.stop(true));
const ROOT = join(import.meta.dir, '../../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const hasNpm = Boolean(Bun.which('npm') && Bun.which('node'));
if (!hasNpm) console.log('not run: no npm and Node here');

const WEB = `
import { type Client, createClient } from 'control-plane-web';
import { createClient as createNativeClient } from 'control-plane-web/react-native';
const client: Client = createClient({ key: 'svp_test', url: String(process.argv[2]) });
client.track('app_opened', { plan: 'yearly', price: 29.5, trial: true, coupon: null });
// @ts-expect-error Nested values are refused.
client.track('app_opened', { nested: { a: 1 } });
await client.flush();
client.stop();

const items = new Map<string, string>();
const native = createNativeClient({
  key: 'svp_test',
  url: String(process.argv[2]),
  platform: 'ios',
  newId: () => crypto.randomUUID(),
  storage: {
    getAllKeys: async () => [...items.keys()],
    getItem: async (name) => items.get(name) ?? null,
    setItem: async (name, value) => items.set(name, value),
    removeItem: async (name) => items.delete(name),
  },
});
native.track('paywall_viewed');
await native.flush();
native.stop();
`;

/** What the example in Expo imports, as far as it uses it. */
const EXPO = `
declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getAllKeys(): Promise<readonly string[]>;
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default storage;
}
declare module '@react-native-community/netinfo' {
  const netInfo: {
    addEventListener(hear: (state: { isConnected: boolean | null; type: string }) => void): () => void;
  };
  export default netInfo;
}
declare module 'expo-constants' {
  const constants: { expoConfig: { version?: string } | null };
  export default constants;
}
declare module 'expo-crypto' {
  export function randomUUID(): string;
}
declare module 'react-native' {
  export const AppState: {
    addEventListener(
      type: 'change' | 'memoryWarning' | 'blur' | 'focus',
      hear: (state: 'active' | 'background' | 'inactive' | 'unknown' | 'extension') => void,
    ): { remove(): void };
  };
  export const Platform: {
    OS: 'ios' | 'android' | 'macos' | 'windows' | 'web';
    Version: string | number;
  };
}
`;

const API = `
import { ApiError, createApi } from 'control-plane-api';
const api = createApi({ url: String(process.argv[2]), serviceKey: 'svp_test' });
const events = [{ id: 'event-0001', name: 'app_opened', anonymousId: 'anon-0001' }];
const { accepted } = await api.sendEvents({ body: { events } });
const exact: number = accepted;
// @ts-expect-error There is no such field.
await api.sendEvents({ body: { event: [] } }).catch(() => {});
try {
  await api.getApp({ id: 'app_1' });
} catch (error) {
  if (error instanceof ApiError && error.is('not_found')) console.log(error.code, exact);
  else console.log((error as Error).name, exact);
}
`;

/** The examples of docs/clients.md that import a package, each a module of its own. */
function documented(packageName: string): string[] {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const declared = "declare const client: import('control-plane-web').Client;\nexport {};\n";
  return blocks.flatMap((code) => {
    if (code.includes('import')) return code.includes(packageName) ? [code] : [];
    return packageName === 'control-plane-web' ? [declared + code] : [];
  });
}

/** An empty folder into which the package is installed from the service itself. */
async function freshProject(name: string, source: string, install: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fresh-'));
  await Bun.write(join(folder, 'package.json'), '{"name":"fresh","private":true,"type":"module"}');
  const address = `${served.url.origin}/clients/${name}.tgz`;
  const run = await $`${install} ${address}`.cwd(folder).nothrow().quiet();
  expect(run.exitCode, run.stderr.toString()).toBe(0);
  // What stands in for @types/node, so that the project needs nothing but the package.
  await Bun.write(
    join(folder, 'node.d.ts'),
    'declare const process: { argv: string[]; env: Record<string, string | undefined> };',
  );
  if (name === 'web') {
    const example = readFileSync(join(ROOT, 'clients/examples/expo/events.ts'), 'utf8');
    await Bun.write(join(folder, 'example.ts'), example);
    await Bun.write(join(folder, 'modules.d.ts'), EXPO);
  }
  await Bun.write(join(folder, 'main.ts'), source);
  for (const [n, code] of documented(`control-plane-${name}`).entries()) {
    await Bun.write(join(folder, `documented-${n}.ts`), code);
  }
  return folder;
}

/** Checks the types strictly, the package's own included, and writes `main.js`. */
async function compile(folder: string, module: string, moduleResolution: string) {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    types: [],
    lib: ['es2022', 'dom'],
    target: 'es2022',
    module,
    moduleResolution,
  };
  const config = { compilerOptions, include: ['*.ts'] };
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const run = await $`${TSC} -p .`.cwd(folder).nothrow().quiet();
  expect(run.stdout.toString()).toBe('');
}

const NPM = [
  'npm',
  'install',
  '--silent',
  '--no-audit',
  '--no-fund',
  '--registry=http://127.0.0.1:1',
];
const BUN = [process.execPath, 'add', '--silent', '--registry=http://127.0.0.1:1'];

describe('the npm packages of the clients', () => {
  for (const [name, source] of [
    ['web', WEB],
    ['api', API],
  ] as const) {
    test.skipIf(!hasNpm)(
      `${name}: npm installs it into an empty folder, it type-checks and runs in Node`,
      async () => {
        const folder = await freshProject(name, source, NPM);
        const server = await startIngestServer();
        try {
          await compile(folder, 'esnext', 'bundler');
          await compile(folder, 'nodenext', 'nodenext');
          const output = await $`node main.js ${server.url}`.cwd(folder).text();
          expect(server.names()[0]).toBe('app_opened');
          expect(server.received).toHaveLength(name === 'web' ? 2 : 1);
          if (name === 'api') expect(output.trim()).toBe('ContractError 1');
        } finally {
          server.stop();
          await rm(folder, { recursive: true, force: true });
        }
      },
    );

    test(`${name}: bun add installs it into an empty folder and runs it`, async () => {
      const folder = await freshProject(name, source, BUN);
      const server = await startIngestServer();
      try {
        await $`${process.execPath} main.ts ${server.url}`.cwd(folder).quiet();
        expect(server.names()[0]).toBe('app_opened');
      } finally {
        server.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
