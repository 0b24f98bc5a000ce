import { expect, test } from 'bun:test';
import { join } from 'node:path';
import recorded from '../fixtures/wire/google-play-node.json';

test("Google's own client still sends what was recorded", async () => {
  const script = join(import.meta.dir, 'clients/google-play-node.mjs');
  const client = Bun.spawn([process.execPath, script], { stderr: 'inherit' });
  expect(JSON.parse(await new Response(client.stdout).text())).toEqual(recorded);
});
