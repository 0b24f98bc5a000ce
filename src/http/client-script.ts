import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { access } from './route.ts';

/** The web client for pages without a bundler (`clients/web`). */
const ENTRY = join(import.meta.dir, '../../clients/web/src/script.ts');

type Script = { text: string; etag: string };

async function bundle(): Promise<Script> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    minify: true,
    target: 'browser',
    format: 'iife',
  });
  const [output] = built.outputs;
  if (!output) throw new Error(`${ENTRY} cannot be bundled: ${built.logs.join('\n')}`);
  const text = await output.text();
  return { text, etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"` };
}

/** Pages of any origin may load it; a new release is there within the hour. */
const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Whether the caller has this version; caches and proxies may have weakened the tag. */
const isKnown = (etag: string, sent: string | undefined): boolean =>
  sent?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;

/** `GET /client.js`: the web client, bundled at the first request. */
export function clientScriptRoutes() {
  let bundled: Promise<Script> | null = null;
  return new Elysia({ detail: { hide: true } }).use(access).get(
    '/client.js',
    async ({ headers }) => {
      bundled ??= bundle().catch((thrown: unknown) => {
        bundled = null;
        throw thrown;
      });
      const { text, etag } = await bundled;
      const answer = { headers: { ...HEADERS, etag } };
      if (isKnown(etag, headers['if-none-match']))
        return new Response(null, { ...answer, status: 304 });
      return new Response(text, answer);
    },
    { open: true },
  );
}
