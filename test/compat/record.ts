/** `bun test/compat/record.ts`: what the clients send, kept for `bun run test`. */
import { join } from 'node:path';

/** Script, and the word that it takes last. */
const CLIENTS: readonly (readonly [client: string, form?: string])[] = [
  ['segment-node'],
  ['rudder-node'],
  ['posthog-node'],
  ['amplitude-node'],
  ['otlp-node', 'json'],
  ['otlp-node', 'protobuf'],
];
const BEGIN = '2026-01-03T08:00:00Z';
const OF_THE_CONNECTION = new Set(['host', 'connection', 'accept', 'accept-encoding']);

for (const [client, form] of CLIENTS) {
  const requests: object[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const body = Buffer.from(await request.arrayBuffer()).toString('base64');
      const headers = [...request.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
      const path = new URL(request.url).pathname;
      requests.push({ method: request.method, path, headers: Object.fromEntries(headers), body });
      return Response.json({ success: true, code: 200 });
    },
  });
  const script = join(import.meta.dir, 'clients', `${client}.mjs`);
  const words = [process.execPath, script, server.url.origin, 'svp_RECORDED', '3', BEGIN];
  if (form !== undefined) words.push(form);
  const sender = Bun.spawn(words, { stdout: 'inherit', stderr: 'inherit' });
  if ((await sender.exited) !== 0) throw new Error(`${client} did not send everything.`);
  await server.stop(true);
  const file = join(
    import.meta.dir,
    '../fixtures/wire',
    `${[client, form].filter(Boolean).join('-')}.json`,
  );
  await Bun.write(file, `${JSON.stringify(requests, null, 2)}\n`);
}
