import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { blocksByHand, Reader, readClients } from '../../support/clients/readme.ts';
import { findSwift, runSwift, swiftRepository } from '../../support/clients/swift.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { describeFull } from '../../support/left-out.ts';
import { isFullRun } from '../../support/random.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(900_000);

const asked = isFullRun;
const possible = existsSync(join(ROOT, '.git')) && Boolean(Bun.which('git') && Bun.which('npm'));
const swift = asked ? findSwift() : null;

/** What an app in Expo brings; its core runs in Bun here. */
const EXPO: Record<string, string> = {
  '@react-native-async-storage/async-storage': `
    const items = new Map();
    export default {
      getAllKeys: async () => [...items.keys()],
      getItem: async (name) => items.get(name) ?? null,
      setItem: async (name, value) => void items.set(name, value),
      removeItem: async (name) => void items.delete(name),
    };`,
  'expo-crypto': 'export const randomUUID = () => crypto.randomUUID();',
  'react-native': `
    export const AppState = { addEventListener: () => ({ remove() {} }) };
    export const Platform = { OS: 'ios', Version: '18.0' };`,
};

const folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
const clone = join(folder, 'control-plane');
let instance: Instance | undefined;
let startedAt = 0;
afterAll(async () => {
  await instance?.stop();
  await rm(folder, { recursive: true, force: true });
});

const [byHand] = blocksByHand(ROOT);
const { web, expo, swift: swiftClient } = readClients(ROOT);

/** From a new app to its report, as docs/http.md types it, with `send` in place of the event by curl. */
async function readAlong(slug: string, send: (reader: Reader) => Promise<void>) {
  if (!instance) throw new Error('The service does not run.');
  const reader = new Reader(clone, instance.url);
  const [bootstrap, rest] = blocksByHand(clone);
  await reader.type(bootstrap?.code ?? '', (command) =>
    // Each of these tests is another reader on one installation.
    command.replace('My company', `My company ${slug}`).replace('you@', `${slug}@`),
  );
  const commands = rest?.code ?? '';
  const event = commands.indexOf('curl -s $API/v1/events ');
  const report = commands.indexOf('curl -s $API/v1/apps/$APP/funnels ');
  expect(event).toBeGreaterThan(0);
  expect(report).toBeGreaterThan(event);
  await reader.type(commands.slice(0, event));
  await send(reader);
  const { API, APP, KEY } = reader.variables;
  // An empty list means: not yet.
  await until('the funnel', async () => {
    const answer = await fetch(`${API}/v1/apps/${APP}/funnels`, {
      headers: { 'x-api-key': KEY ?? '' },
    });
    return (await answer.text()) !== '[]';
  });
  await reader.type(commands.slice(report));
  return reader.answer;
}

/** A snippet with the key and the address of this installation. */
const filledIn = (code: string, reader: Reader) =>
  code
    .replace('svp_…', reader.variables.SERVICE_KEY ?? '')
    .replace('https://events.example.com', reader.variables.API ?? '');

async function appFolder(name: string): Promise<string> {
  const app = join(folder, name);
  mkdirSync(app);
  await Bun.write(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}');
  return app;
}

async function install(app: string, block: string, reader: Reader): Promise<void> {
  // Expo's own packages stand in the folder already: they need its registry and its tools.
  const commands = filledIn(block, reader)
    .split('\n')
    .filter((line) => !line.startsWith('npx expo '));
  const own = new Reader(app, reader.variables.API ?? '');
  Object.assign(own.variables, reader.variables);
  await own.type(commands.join('\n'));
}

const why = 'no git or no npm here, or this is no clone';
describeFull(possible, why)('a new user, by the documents alone, from a clean clone', () => {
  test('starts the service and sends an event by curl', async () => {
    startedAt = performance.now();
    await $`git clone -q ${ROOT} ${clone}`.quiet();
    instance = await startInstance({ root: clone, dataDir: join(clone, '.data') });
    const commands = blocksByHand(clone)[1]?.code ?? '';
    const event = commands.slice(commands.indexOf('curl -s $API/v1/events '));
    const report = await readAlong('hand', (reader) => reader.type(event.split('\n\n')[0] ?? ''));
    expect(report.people).toBe(1);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`from the clone to "people": 1 in ${seconds.toFixed(0)} s`);
  });

  test('installs the web client and sees its event', async () => {
    const report = await readAlong('web', async (reader) => {
      const app = await appFolder('web');
      await install(app, web.install, reader);
      await Bun.write(join(app, 'main.ts'), filledIn(web.code, reader));
      await $`${process.execPath} main.ts`.cwd(app).quiet();
    });
    expect(report.people).toBe(1);
  });

  test('installs the client in an app in Expo and sees its event', async () => {
    const report = await readAlong('expo', async (reader) => {
      const app = await appFolder('expo');
      await install(app, expo.install, reader);
      for (const [name, code] of Object.entries(EXPO)) {
        await Bun.write(join(app, 'node_modules', name, 'index.js'), code);
        const manifest = { name, type: 'module', main: './index.js' };
        await Bun.write(join(app, 'node_modules', name, 'package.json'), JSON.stringify(manifest));
      }
      await Bun.write(join(app, 'main.ts'), filledIn(expo.code, reader));
      await $`${process.execPath} main.ts`.cwd(app).quiet();
    });
    expect(report.people).toBe(1);
  });

  test.skipIf(!swift)('adds the Swift package and sees its event', async () => {
    if (!swift) return;
    const report = await readAlong('swift', async (reader) => {
      const built = join(ROOT, 'clients/swift/.build');
      // Inside the package, because Swift may live in a root of its own.
      await swiftRepository(join(built, 'control-plane'));
      const app = join(built, 'first-hour');
      rmSync(app, { recursive: true, force: true });
      const dependency = swiftClient.install.replace(
        /"https:[^"]+"/,
        `"file://${swift.at('.build/control-plane')}"`,
      );
      await Bun.write(
        join(app, 'Package.swift'),
        `// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "App",
    platforms: [.macOS(.v12)],
    dependencies: [${dependency}],
    targets: [
        .executableTarget(name: "App", dependencies: [.product(name: "ControlPlane", package: "control-plane")])
    ]
)
`,
      );
      // An app goes on running; a program has to wait until its event is sent.
      const wait =
        'import Foundation\nlet sent = DispatchSemaphore(value: 0)\nControlPlane.shared.flush { sent.signal() }\nsent.wait()\n';
      await Bun.write(
        join(app, 'Sources/App/main.swift'),
        `${filledIn(swiftClient.code, reader)}${wait}`,
      );
      const run = await runSwift(swift, [
        'swift',
        'run',
        '--package-path',
        '.build/first-hour',
        'App',
      ]);
      expect(run.code, run.output).toBe(0);
    });
    expect(report.people).toBe(1);
  });
});

test('the documents have what a new user types: by hand, web, Expo, Swift', () => {
  expect(byHand?.code).toContain('bun run admin bootstrap');
  for (const { install: command, code } of [web, expo, swiftClient]) {
    expect(command).toMatch(/npm install https:\/\/events.example.com|\.package\(url:/);
    expect(code).toContain('svp_…');
    expect(code).toContain('https://events.example.com');
  }
});

test('README leads to the first figure in at most 100 lines', async () => {
  const lines = (await Bun.file(join(ROOT, 'README.md')).text()).split('\n');
  expect(lines.length).toBeLessThanOrEqual(100);
  for (const part of [
    'bun run start',
    'bun run demo',
    '**Funnels**',
    'No licence is chosen yet.',
  ]) {
    expect(lines.some((line) => line.includes(part))).toBe(true);
  }
});
