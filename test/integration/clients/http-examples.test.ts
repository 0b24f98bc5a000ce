import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServed } from '../../support/clients/served.ts';
import { openStored } from '../../support/clients/stored.ts';

const served = await startServed();
const stored = await openStored(served);
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(async () => {
  await stored.stop();
  await rm(folder, { recursive: true, force: true });
});

const page = readFileSync(join(import.meta.dir, '../../../docs/events-http.md'), 'utf8');

function example(language: string): string {
  const [, code] = page.match(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``)) ?? [];
  if (!code) throw new Error(`docs/events-http.md has no example in ${language}.`);
  return code;
}

type Language = { name: string; fence: string; tools: string[]; file: string; run: string };

const LANGUAGES: Language[] = [
  { name: 'curl', fence: 'sh', tools: ['sh', 'curl'], file: 'send.sh', run: 'sh send.sh' },
  { name: 'Python', fence: 'python', tools: ['python3'], file: 'send.py', run: 'python3 send.py' },
  { name: 'Go', fence: 'go', tools: ['go'], file: 'main.go', run: 'go run main.go' },
  {
    name: 'Kotlin',
    fence: 'kotlin',
    tools: ['kotlinc', 'java'],
    file: 'Send.kt',
    run: 'kotlinc -nowarn Send.kt -include-runtime -d send.jar && java -jar send.jar',
  },
];

async function runExample(run: string, url: string, key = served.app.serviceKey) {
  const child = Bun.spawn(['sh', '-c', run], {
    cwd: folder,
    env: { ...process.env, GOFLAGS: '-mod=mod', SERVICE_URL: url, SERVICE_KEY: key },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, said: `${out}\n${err}` };
}

/** As a proxy that sends plain http elsewhere. */
const elsewhere = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => {
    const location = new URL(new URL(request.url).pathname, served.url).href;
    return new Response(null, { status: 308, headers: { location } });
  },
});
afterAll(() => elsewhere.stop(true));

describe('the examples of docs/events-http.md', () => {
  for (const { name, fence, tools, file, run } of LANGUAGES) {
    const missing = tools.find((tool) => !Bun.which(tool));
    if (missing) console.log(`not run: the example in ${name}, no ${missing} here`);
    test.skipIf(missing !== undefined)(`${name} delivers its event`, async () => {
      await Bun.write(join(folder, file), example(fence));
      const { code, said } = await runExample(run, served.url);
      expect(code, said).toBe(0);
      const rows = (await stored.rows()).filter(
        (row) => JSON.parse(row.props ?? '{}').language === name,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ name: 'signup_completed', timeFlag: null });
      expect(rows[0]?.eventId).toBeString();

      // Compiled once; a redirect and a wrong key are failures that say so.
      const again = run.split(' && ').at(-1) ?? run;
      const moved = await runExample(again, elsewhere.url.origin);
      expect(moved.code, moved.said).not.toBe(0);
      expect(moved.said).toMatch(/redirect|the service is at http/);
      const refused = await runExample(again, served.url, 'svp_mistyped');
      expect(refused.code, refused.said).not.toBe(0);
      expect(refused.said).toMatch(/invalid_service_key|dropped/);
    });
  }
});
