import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { absolutePath } from 'swagger-ui-dist';
import { notFound } from '../shared/errors.ts';

const ASSETS_DIR = absolutePath();
const SERVED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'favicon-16x16.png'];
const ASSETS = new Map(
  readdirSync(ASSETS_DIR)
    .filter((name) => SERVED.includes(name))
    .map((name) => [name, join(ASSETS_DIR, name)]),
);

/** The viewer; every asset comes from this service, so that it works without the internet. */
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
    <script>
      SwaggerUIBundle({ url: '/openapi.json', dom_id: '#viewer', deepLinking: true, docExpansion: 'list', persistAuthorization: true, tryItOutEnabled: true, validatorUrl: null });
    </script>
  </body>
</html>
`;

export function docsPage(): Response {
  return new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

export function docsAsset(name: string): Response {
  const path = ASSETS.get(name);
  if (path === undefined) throw notFound();
  return new Response(Bun.file(path), { headers: { 'cache-control': 'public, max-age=3600' } });
}
