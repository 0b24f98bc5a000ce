import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import absolutePath from 'swagger-ui-dist/absolute-path.js';
import { notFound } from '../shared/errors.ts';
import { access } from './route.ts';

const ASSETS_DIR = absolutePath();
const SERVED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'favicon-16x16.png'];
const ASSETS = new Map(
  readdirSync(ASSETS_DIR)
    .filter((name) => SERVED.includes(name))
    .map((name) => [name, join(ASSETS_DIR, name)]),
);

/** All assets are local. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mobile App Control Plane: API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="viewer"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** No inline script. Keys stay in page memory. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** The viewer sets inline styles; all else comes from this service. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

function docsAsset(name: string): Response {
  if (name === 'start.js') {
    return new Response(START, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
  }
  const path = ASSETS.get(name);
  if (path === undefined) throw notFound();
  return new Response(Bun.file(path), { headers: { 'cache-control': 'public, max-age=3600' } });
}

export const docsRoutes = (document: () => Record<string, unknown>) =>
  new Elysia({ detail: { hide: true } })
    .use(access)
    .get('/openapi.json', () => document(), { open: true })
    .get('/docs', () => new Response(PAGE, { headers: PAGE_HEADERS }), { open: true })
    .get('/docs/:asset', ({ params }) => docsAsset(params.asset), {
      open: { errors: ['not_found'] },
    });
