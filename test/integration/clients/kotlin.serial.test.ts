import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { sleep } from '../../../src/shared/time.ts';
import { seeded, startChaosProxy } from '../../support/clients/chaos-proxy.ts';
import { startIngestServer } from '../../support/clients/ingest-server.ts';
import {
  buildKotlin,
  classPath,
  documentedKotlin,
  findKotlin,
  kotlinCommand,
  otherJars,
} from '../../support/clients/kotlin.ts';
import { startServed } from '../../support/clients/served.ts';
import { openStored } from '../../support/clients/stored.ts';

setDefaultTimeout(900_000);

const LIVES = process.env.TEST_FULL ? 200 : 12;
const SEED = Number(process.env.TEST_SEED ?? 8) + 3;
const BEHAVIOUR = join(import.meta.dir, '../../../clients/behaviour');

const JAVA = `
import controlplane.*;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
public class Caller {
  public static void main(String[] arguments) throws Exception {
    Options options = new Options("svp_test", arguments[0]);
    options.setAppVersion("1.4.0");
    options.setOnError(error -> System.out.println(error.getCode().getText()));
    ControlPlane.start(options);
    ControlPlane.track("app_opened", Map.of("plan", "yearly", "price", 29.5, "trial", true));
    ControlPlane.screen("Paywall");
    ControlPlane.identify("user-1");
    CountDownLatch sent = new CountDownLatch(1);
    ControlPlane.flush(sent::countDown);
    sent.await();
    System.out.println(ControlPlane.getAnonymousId().length());
  }
}
`;

const kotlin = findKotlin();
// Compilers at once: each uses one of the cores.
const [jar, others] = kotlin
  ? await Promise.all([buildKotlin(kotlin), otherJars(kotlin)])
  : ['', []];

test.skipIf(!kotlin)('the jars that are served are what the compiler makes', () => {
  expect(others).toEqual([]);
});

test.skipIf(!kotlin)('the Kotlin client passes every case of the table', async () => {
  if (!kotlin) return;
  const run = await $`${kotlinCommand(kotlin, jar, 'behaviour', BEHAVIOUR)}`.nothrow().quiet();
  expect(run.stdout.toString()).toMatch(/^\d{2,} cases, 0 faults\n$/);
  expect(run.exitCode).toBe(0);
});

test.skipIf(!kotlin)('the example of the documents sends its first event', async () => {
  if (!kotlin) return;
  expect(documentedKotlin()[0]).toContain('fun main');
  const server = await startIngestServer();
  const folder = mkdtempSync(join(tmpdir(), 'kotlin-'));
  try {
    const main = ['java', '-cp', classPath(kotlin, jar), 'Documented0Kt'];
    const run = await $`${main} svp_test ${server.url} ${folder}`.nothrow().quiet();
    expect(run.exitCode, run.stderr.toString()).toBe(0);
    expect(server.names()).toEqual(['app_opened']);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
});

const hasJavac = Boolean(Bun.which('javac'));
test.skipIf(!kotlin || !hasJavac)('Java calls the Kotlin client', async () => {
  if (!kotlin) return;
  const server = await startIngestServer();
  const folder = mkdtempSync(join(tmpdir(), 'java-'));
  try {
    await Bun.write(join(folder, 'Caller.java'), JAVA);
    const path = classPath(kotlin, jar);
    const compile = ['javac', '--release', '17', '-cp', path, '-d', folder];
    await $`${compile} ${join(folder, 'Caller.java')}`.quiet();
    const caller = ['java', '-cp', classPath(kotlin, jar, folder), 'Caller'];
    const ran = await $`${caller} ${server.url}`.text();
    // Without a folder nothing outlives the process, which is said.
    expect(ran).toBe('storage_unavailable\n36\n');
    expect(server.names()).toEqual(['app_opened', 'screen_viewed']);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
});

/** `begins` is called once something has come. */
async function textOf(stream: ReadableStream<Uint8Array>, begins: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    begins();
  }
  return text;
}

test.skipIf(!kotlin)(`killed ${LIVES} times, it delivers every event exactly once`, async () => {
  if (!kotlin) return;
  const served = await startServed();
  const stored = await openStored(served);
  const random = seeded(SEED);
  const proxy = await startChaosProxy(served.url, random);
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  const command = (first: number, count: number) =>
    kotlinCommand(
      kotlin,
      jar,
      'chaos',
      proxy.url,
      served.app.serviceKey,
      folder,
      `${first}`,
      `${count}`,
    );
  let started = 0;
  const lines: string[] = [];
  for (let life = 0; life < LIVES; life += 1) {
    const count = 1 + Math.floor(random() * 9);
    const child = Bun.spawn(command(started, count), { stdout: 'pipe', stderr: 'inherit' });
    started += count;
    const spoken = Promise.withResolvers<void>();
    const output = textOf(child.stdout, spoken.resolve);
    // Every fourth may end before it has tracked anything; how long a JVM takes, the machine says.
    if (life % 4 > 0) await Promise.race([spoken.promise, child.exited]);
    await sleep(random() * 500);
    child.kill('SIGKILL');
    await child.exited;
    lines.push(...(await output).split('\n'));
  }
  proxy.heal();
  const drained = await $`${command(started, 0)}`.nothrow().quiet();
  proxy.stop();
  rmSync(folder, { recursive: true });
  expect(drained.exitCode, drained.stdout.toString()).toBe(0);
  const said = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  expect(said('error').filter((code) => code !== 'not_delivered')).toEqual([]);
  const found = (await stored.rows())
    .filter(({ name }) => name === 'chaos_kotlin')
    .map(({ props }) => JSON.parse(props ?? '{}').n as number);
  await stored.stop();
  // A call that was killed before it returned may have left its event or not; never two of it.
  expect(found.length).toBe(new Set(found).size);
  expect(said('tracked').filter((n) => !found.includes(Number(n)))).toEqual([]);
  expect(said('tracked').length).toBeGreaterThan(LIVES / 2);
});
