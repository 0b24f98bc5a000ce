/** `bun test/compat/record.ts`: what the clients send, kept for `bun run test`. */
import { join } from 'node:path';
import { findJvmClients, jvmCommand } from '../support/jvm.ts';
import { startTlsFront } from '../support/tls-front.ts';

const jvm = await findJvmClients();
/** Script, and the word that it takes last. */
const CLIENTS: readonly (readonly [client: string, form?: string])[] = [
  ['segment-node'],
  ['rudder-node'],
  ['posthog-node'],
  ['amplitude-node'],
  ['otlp-node', 'json'],
  ['otlp-node', 'protobuf'],
  ...(jvm === null
    ? []
    : (['segment-jvm', 'amplitude-jvm', 'posthog-jvm'] as const).map(
        (client) => [client] as const,
      )),
];
const BEGIN = '2026-01-03T08:00:00Z';
const OF_THE_CONNECTION = new Set([
  ...['host', 'connection', 'accept', 'accept-encoding', 'transfer-encoding'],
]);
/** What one client or another looks for. */
const ANSWER = {
  ...{ success: true, code: 200 },
  ...{ events_ingested: 6, payload_size_bytes: 0, server_upload_time: 0 },
  integrations: { 'Segment.io': { apiKey: 'svp_RECORDED' } },
};
/** Program, where it sends, and what is stopped after it. */
async function programOf(client: string, to: string) {
  const jars = jvm?.get(client);
  if (jars === undefined) {
    const script = join(import.meta.dir, 'clients', `${client}.mjs`);
    return { words: [process.execPath, script, to], stop: async () => {} };
  }
  const { url, trusted, stop } = await startTlsFront(to);
  return { words: [...jvmCommand(client, jars, trusted), url], stop };
}

for (const [client, form] of CLIENTS) {
  const requests: object[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const body = Buffer.from(await request.arrayBuffer()).toString('base64');
      const headers = [...request.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
      const path = new URL(request.url).pathname;
      requests.push({ method: request.method, path, headers: Object.fromEntries(headers), body });
      return Response.json(ANSWER);
    },
  });
  const { words, stop } = await programOf(client, server.url.origin);
  words.push('svp_RECORDED', '3', BEGIN);
  if (form !== undefined) words.push(form);
  const sender = Bun.spawn(words, { stdout: 'inherit', stderr: 'inherit' });
  if ((await sender.exited) !== 0) throw new Error(`${client} did not send everything.`);
  await stop();
  await server.stop(true);
  const file = join(
    import.meta.dir,
    '../fixtures/wire',
    `${[client, form].filter(Boolean).join('-')}.json`,
  );
  await Bun.write(file, `${JSON.stringify(requests, null, 2)}\n`);
}

const play = Bun.spawn([process.execPath, join(import.meta.dir, 'clients/google-play-node.mjs')], {
  stderr: 'inherit',
});
const recorded = JSON.parse(await new Response(play.stdout).text());
await Bun.write(
  join(import.meta.dir, '../fixtures/wire/google-play-node.json'),
  `${JSON.stringify(recorded, null, 2)}\n`,
);
