import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

/** A test run within this one, with a temporary folder of its own. */
function runTests(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'inner-'));
  const child = Bun.spawn([process.execPath, join(ROOT, 'scripts/test.ts'), ...args], {
    cwd: ROOT,
    // With servers of its own: none of the outer run's.
    env: { ...process.env, TMPDIR: folder, TEST_POOLER_URL: undefined },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  /** Everything of it but the run itself. */
  const others = () => processesOf(folder).filter((pid) => pid !== child.pid);
  const isRunning = (program: string) =>
    readdirSync(folder).some((name) => name.startsWith('mcp-test-')) &&
    others().length > 0 &&
    Bun.spawnSync(['ps', '-o', 'args=', '-p', others().join(',')])
      .stdout.toString()
      .includes(program);
  return { child, folder, others, isRunning };
}

const WITH_SERVERS = 'test/integration/test-servers.test.ts';

describe('a test run', () => {
  test('ends with one line that counts, and takes its servers and files with it', async () => {
    const { child, folder, others } = runTests(WITH_SERVERS);
    const lines = (await new Response(child.stdout).text()).trim().split('\n');
    expect(await child.exited).toBe(0);
    expect(lines.at(-1)).toBe('3 passed, 0 failed');
    await until('others().length === 0', () => others().length === 0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that finds no test fails', async () => {
    const { child } = runTests('no-such-test');
    const lines = (await new Response(child.stdout).text()).trim().split('\n');
    expect(await child.exited).toBe(1);
    expect(lines.at(-1)).toBe('0 passed, 0 failed');
  });

  test('that is interrupted takes its servers and files with it', async () => {
    const { child, folder, others, isRunning } = runTests(WITH_SERVERS);
    await until('isRunning(temporal)', () => isRunning('temporal'));
    child.kill('SIGINT');
    expect(await child.exited).toBe(130);
    await until('others().length === 0', () => others().length === 0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is killed leaves no process', async () => {
    const { child, others, isRunning } = runTests(WITH_SERVERS);
    await until('isRunning(temporal)', () => isRunning('temporal'));
    child.kill('SIGKILL');
    await child.exited;
    await until('others().length === 0', () => others().length === 0);
  });
});
