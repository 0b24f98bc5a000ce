import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { launchChromium } from '../support/clients/chromium.ts';

const transpiler = new Bun.Transpiler({ loader: 'ts' });
const document = await Bun.file(join(import.meta.dir, '../../docs/clients.md')).text();
const [, section = ''] = document.split('### Ids that are carried over');
/** As the document has them, in a scope of their own. */
const [posthog = '', amplitude = ''] = [...section.matchAll(/```js\n(.*?)```/gs)].map(
  ([, code = '']) => transpiler.transformSync(code),
);

const SCRIPTS = [
  'posthog-js/dist/array.full.js',
  '@amplitude/analytics-browser/lib/scripts/amplitude-min.js',
];
const page = SCRIPTS.map((_, index) => `<script src="/${index}.js"></script>`).join('');
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) => {
    const script = SCRIPTS[Number(/(\d)\.js$/.exec(url)?.[1] ?? Number.NaN)];
    return script === undefined
      ? new Response(`<!doctype html>${page}`, { headers: { 'content-type': 'text/html' } })
      : new Response(Bun.file(join(import.meta.dir, 'node_modules', script)));
  },
});
const browser = await launchChromium();
beforeAll(() => expect(browser).not.toBeNull());
afterAll(async () => {
  await browser?.close();
  await server.stop(true);
});

const OLD = '0123456789abcdef';
const NEW = 'svp_0123456789abcdef';
const begin = (code: string) =>
  `{ ${code.replaceAll('OLD_KEY', OLD).replaceAll('NEW_KEY', NEW).replaceAll('https://intake.example.com', server.url.origin)} }`;

test.each([
  [
    'posthog-js',
    `posthog.init('${OLD}', { api_host: location.origin })`,
    posthog,
    'posthog.get_distinct_id()',
    'posthog.reset()',
  ],
  [
    '@amplitude/analytics-browser',
    `amplitude.init('${OLD}', { serverUrl: location.origin, fetchRemoteConfig: false })`,
    amplitude,
    'amplitude.getDeviceId()',
    'amplitude.reset()',
  ],
])(
  '%s keeps the id of a device under the new key, until it is reset',
  async (_, old, code, id, reset) => {
    const context = await browser!.newContext();
    const tab = await context.newPage();
    const idAfter = async (start: string): Promise<string> => {
      await tab.goto(server.url.href);
      await tab.evaluate(start);
      return String(await (await tab.waitForFunction(id)).jsonValue());
    };
    const first = await idAfter(old);
    expect(first).toHaveLength(36);
    expect(await idAfter(begin(code))).toBe(first);
    expect(await idAfter(begin(code))).toBe(first);
    await tab.evaluate(reset);
    const next = String(await (await tab.waitForFunction(id)).jsonValue());
    expect(next).not.toBe(first);
    expect(await idAfter(begin(code))).toBe(next);
    await context.close();
  },
);
