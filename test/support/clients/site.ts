import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bundle } from '../../../clients/pack.ts';
import type { Client } from '../../../clients/web/src/types.ts';

// What the tests touch inside the page; the DOM's own types would reach the whole project.
declare global {
  var window: {
    client: Client;
    faults: string[];
    document: EventTarget;
    localStorage: unknown;
    navigator: { locks?: unknown };
  };
}

/** A web site with the client's <script> file on it, to be driven by a real browser. */
export async function startSite() {
  const script = await bundle('web', 'script.ts', 'iife');
  const api = await bundle('api', 'index.ts');
  const html = (body: string) =>
    new Response(`<!doctype html><title>site</title>${body}`, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname === '/control-plane.js') {
        return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      }
      if (pathname === '/api.js') {
        return new Response(api, { headers: { 'content-type': 'text/javascript' } });
      }
      if (pathname === '/empty') return html('');
      const options = searchParams.get('options') ?? '{}';
      const start = `<script src="/control-plane.js"></script><script>
        window.faults = [];
        window.client = ControlPlane.createClient({
          ...${options}, onError: (error) => window.faults.push(error.code) });
        </script>`;
      if (pathname !== '/framed') return html(start);
      // An opaque origin: the frame may run scripts, and storage throws.
      const inner = start
        .replaceAll('"', '&quot;')
        .replaceAll('/control-plane.js', `${new URL(url).origin}/control-plane.js`);
      return html(`<iframe sandbox="allow-scripts" srcdoc="${inner}"></iframe>`);
    },
  });
  return {
    port: server.port,
    page: (options: object, path = '/', host = '127.0.0.1') =>
      `http://${host}:${server.port}${path}?options=${encodeURIComponent(JSON.stringify({ key: 'svp_test', ...options }))}`,
    stop: () => server.stop(true),
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;

/** A browser profile of its own for one test, closed after it. */
export async function withProfile<T>(
  browser: Browser,
  work: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext();
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

export async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
