import { join } from 'node:path';
import { Elysia } from 'elysia';
import { must } from '../shared/assert.ts';
import { notFound } from '../shared/errors.ts';
import { onlyLinesOverDays } from './console-chart.ts';
import { onlyCalledOperations } from './console-operations.ts';
import { reactIsPreact } from './console-react.ts';
import { helpPage } from './help.ts';
import { access } from './route.ts';

const ENTRY = join(import.meta.dir, '../console/main.tsx');

/** Everything below is rendered in the browser. */
export const CONSOLE_PAGES = [
  '/',
  '/sales',
  '/store',
  '/webhooks',
  '/logs',
  '/messages',
  '/members',
  '/keys',
  '/organization',
  '/status',
  '/account',
  '/apps/*',
];

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ASSET_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
};

/** Once per process, so speed does not matter. */
const SMALLEST = { library: 'libdeflate', level: 12 } as const;

type Asset = { name: string; type: string; plain: Uint8Array<ArrayBuffer>; gzip: Uint8Array };
type Bundle = { page: string; stylesheet: string; assets: ReadonlyMap<string, Asset> };

async function buildBundle(): Promise<Bundle> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    minify: true,
    target: 'browser',
    jsx: { development: false },
    plugins: [onlyCalledOperations, onlyLinesOverDays, reactIsPreact],
    naming: '[name]-[hash].[ext]',
  });
  const assets = await Promise.all(
    outputs.map(async (output): Promise<Asset> => {
      const plain = new Uint8Array(await output.arrayBuffer());
      const name = output.path.slice(output.path.lastIndexOf('/') + 1);
      return { name, type: output.type, plain, gzip: Bun.gzipSync(plain, SMALLEST) };
    }),
  );
  const stylesheet = must(
    assets.find(({ type }) => type.startsWith('text/css')),
    'the console imports its styles',
  );
  const tags = assets.map(({ name, type }) =>
    type.startsWith('text/css')
      ? `<link rel="stylesheet" href="/console/${name}">`
      : `<script type="module" src="/console/${name}"></script>`,
  );
  return {
    page: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Control plane</title>
    <link rel="icon" href="data:,">
    <link rel="preload" as="fetch" href="/v1/auth/get-session" crossorigin="use-credentials">
    ${tags.join('\n    ')}
  </head>
  <body>
    <div id="console"></div>
    <noscript>The console needs JavaScript. The API is described under /docs.</noscript>
  </body>
</html>
`,
    stylesheet: `/console/${stylesheet.name}`,
    assets: new Map(assets.map((asset) => [asset.name, asset])),
  };
}

let bundle: Promise<Bundle> | undefined;

export function consoleBundle(): Promise<Bundle> {
  bundle ??= buildBundle().catch((error: unknown) => {
    bundle = undefined;
    throw error;
  });
  return bundle;
}

/** Clients not asking for HTML get the usual 404. */
async function page(request: Request): Promise<Response> {
  const accepted = request.headers.get('accept') ?? '';
  if (!accepted.includes('text/html') && !accepted.includes('*/*')) throw notFound();
  return new Response((await consoleBundle()).page, { headers: PAGE_HEADERS });
}

async function asset(name: string, request: Request): Promise<Response> {
  const found = (await consoleBundle()).assets.get(name);
  if (!found) throw notFound();
  const isGzip = request.headers.get('accept-encoding')?.includes('gzip') ?? false;
  return new Response(isGzip ? new Uint8Array(found.gzip) : found.plain, {
    headers: {
      ...ASSET_HEADERS,
      'content-type': found.type,
      ...(isGzip && { 'content-encoding': 'gzip' }),
    },
  });
}

async function help(name: string): Promise<Response> {
  const { stylesheet } = await consoleBundle();
  return new Response(await helpPage(name, stylesheet), {
    headers: {
      ...PAGE_HEADERS,
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  });
}

const toPage = ({ request }: { request: Request }) => page(request);

/** A `/v1` client like any other, same origin. */
export function consoleRoutes() {
  const routes = new Elysia({ detail: { hide: true } })
    .use(access)
    .get('/console/:asset', ({ params, request }) => asset(params.asset, request), {
      open: { errors: ['not_found'] },
    })
    .get('/help', () => help('README'), { open: { errors: ['not_found'] } })
    .get('/help/*', ({ params }) => help(params['*']), { open: { errors: ['not_found'] } });
  for (const path of CONSOLE_PAGES) routes.get(path, toPage, { open: { errors: ['not_found'] } });
  return routes;
}
