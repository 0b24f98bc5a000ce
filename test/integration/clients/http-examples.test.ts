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

describe('the examples of docs/events-http.md', () => {
  for (const { name, fence, tools, file, run } of LANGUAGES) {
    const missing = tools.find((tool) => !Bun.which(tool));
    if (missing) console.log(`not run: the example in ${name}, no ${missing} here`);
    test.skipIf(missing !== undefined)(`${name} delivers its event`, async () => {
      await Bun.write(join(folder, file), example(fence));
      const child = Bun.spawn(['sh', '-c', run], {
        cwd: folder,
        env: {
          ...process.env,
          GOFLAGS: '-mod=mod',
          SERVICE_URL: served.url,
          SERVICE_KEY: served.app.serviceKey,
        },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(await child.exited, `${out}\n${err}`).toBe(0);
      const rows = (await stored.rows()).filter(
        (row) => JSON.parse(row.props ?? '{}').language === name,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ name: 'signup_completed', timeFlag: null });
      expect(rows[0]?.eventId).toBeString();
    });
  }
});
