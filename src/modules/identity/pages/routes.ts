import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { notFound } from '../../../shared/errors.ts';
import { PAGES, type PageName } from './parts.ts';

const FOLDER = join(import.meta.dir, 'assets');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

type Asset = { path: string; text: string; type: string };

/** Content hash in the name, for caching without end. */
function asset(name: string, extension: string, type: string): Asset {
  const text = read(`${name}.${extension}`);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/pages/${name}-${hash}.${extension}`, text, type };
}

const SCRIPT = asset('person', 'js', 'text/javascript; charset=utf-8');
const STYLE = asset('person', 'css', 'text/css; charset=utf-8');
const ASSETS = new Map([SCRIPT, STYLE].map((one) => [one.path.slice('/pages/'.length), one]));

/** Own script and style only, no framing, no referrer. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const SHELL = read('shell.html');

function render(name: PageName): string {
  const { title, parts } = PAGES[name];
  return SHELL.replaceAll('{{title}}', title)
    .replace('{{style}}', STYLE.path)
    .replace('{{script}}', SCRIPT.path)
    .replace('{{parts}}', parts.join(''));
}

function page(name: PageName): () => Response {
  const text = render(name);
  return () => new Response(text, { headers: HEADERS });
}

function assetAnswer(name: string): Response {
  const found = ASSETS.get(name);
  if (!found) throw notFound();
  return new Response(found.text, {
    headers: {
      'content-type': found.type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  });
}

export const pageRoutes = new Elysia({ detail: { hide: true } })
  .use(access)
  .get('/accept-invitation', page('accept-invitation'), { open: true })
  .get('/sign-up', page('sign-up'), { open: true })
  .get('/reset-password', page('reset-password'), { open: true })
  .get('/pages/:asset', ({ params }) => assetAnswer(params.asset), {
    open: { errors: ['not_found'] },
  });
