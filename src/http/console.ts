import { Elysia } from 'elysia';
import * as pages from '../shared/console-pages.ts';
import { notFound, orNotFound } from '../shared/errors.ts';
import { consoleBundle, ENCODINGS } from './console-bundle.ts';
import { helpPage } from './help.ts';
import { access } from './route.ts';

export const CONSOLE_ADDRESSES = [
  ...pages.CONSOLE_PAGES.filter((page) => !pages.isOfApp(page)).map(({ path }) => path),
  '/apps/*',
  `${pages.ORGANIZATION_PATH}*`,
  ...pages.ARRIVAL_PATHS,
];

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ASSET_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
};

/** Clients not asking for HTML get the usual 404. */
async function page(request: Request, isWhole: boolean): Promise<Response> {
  const accepted = request.headers.get('accept') ?? '';
  if (!accepted.includes('text/html') && !accepted.includes('*/*')) throw notFound();
  const { htmlAt } = await consoleBundle();
  const html = htmlAt(new URL(request.url).pathname, isWhole);
  return new Response(html, { headers: PAGE_HEADERS });
}

async function asset(name: string, request: Request): Promise<Response> {
  const found = orNotFound((await consoleBundle()).assets.get(name));
  const accepted = request.headers.get('accept-encoding') ?? '';
  const encoding = found.encoded && ENCODINGS.find((one) => accepted.includes(one));
  const content = encoding && found.encoded ? found.encoded[encoding] : found.plain;
  return new Response(content, {
    headers: {
      ...ASSET_HEADERS,
      'content-type': found.type,
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
}

async function help(name: string): Promise<Response> {
  const { stylesheet } = await consoleBundle();
  return new Response(await helpPage(name, stylesheet), {
    headers: {
      ...PAGE_HEADERS,
      'content-security-policy':
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  });
}

/** Not whole: what mails lead to, for a console of the operator's own. */
export function consoleRoutes(isWhole: boolean) {
  const routes = new Elysia({ detail: { hide: true } })
    .use(access)
    .get('/console/:asset', ({ params, request }) => asset(params.asset, request), {
      open: { errors: ['not_found'] },
    });
  for (const path of isWhole ? CONSOLE_ADDRESSES : pages.ARRIVAL_PATHS) {
    routes.get(path, ({ request }) => page(request, isWhole), { open: { errors: ['not_found'] } });
  }
  if (!isWhole) return routes;
  return routes
    .get('/help', () => help('README'), { open: { errors: ['not_found'] } })
    .get('/help/*', ({ params }) => help(params['*']), { open: { errors: ['not_found'] } });
}
