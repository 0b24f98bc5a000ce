import { join } from 'node:path';
import { endWithParent } from '../../src/launcher/embedded/server.ts';
import { ROOT } from '../install.ts';
import { type Counts, countResults } from './counts.ts';

/**
 * The last resort: a loaded machine is slow, and no test here measures time. What waits for
 * something gives up by itself once nothing changes any more (`test/support/until.ts`).
 */
const TEST_TIMEOUT_MS = 20 * 60_000;
const RUN_LIMIT_MS = 90 * 60_000;
const PRELOAD = `--preload=${join(import.meta.dir, 'measure.ts')}`;

export type TestRun = {
  counts: Counts;
  output: string;
  seconds: number;
  /** Its own, and that of the processes that it started and waited for. */
  processorSeconds: number;
};

const groups = new Set<number>();

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left, which is what was wanted.
  }
}

/** Ends every `bun test` under way with all that it started. */
export function killRuns(): void {
  for (const pid of groups) killGroup(pid);
}

async function collect(stream: ReadableStream<Uint8Array>, live: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    const part = decoder.decode(chunk, { stream: true });
    text += part;
    if (live) process.stdout.write(part);
  }
  return text;
}

/** Runs one `bun test` over `paths` in a process group of its own, of which nothing remains. */
export async function runBunTest(
  paths: readonly string[],
  env: Record<string, string>,
  options: { live: boolean; flags: readonly string[] },
): Promise<TestRun> {
  const started = performance.now();
  const files = paths.map((path) => `./${path}`);
  const child = Bun.spawn(
    [process.execPath, 'test', `--timeout=${TEST_TIMEOUT_MS}`, PRELOAD, ...options.flags, ...files],
    {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    },
  );
  groups.add(child.pid);
  const release = endWithParent(-child.pid, { signal: 'SIGKILL' });
  const timer = setTimeout(() => killGroup(child.pid), RUN_LIMIT_MS);
  const outputs = [collect(child.stdout, options.live), collect(child.stderr, options.live)];
  await child.exited;
  clearTimeout(timer);
  killGroup(child.pid);
  release();
  groups.delete(child.pid);
  const output = (await Promise.all(outputs)).join('');
  const seconds = (performance.now() - started) / 1_000;
  const processorSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  return { counts: countResults(output, child.exitCode), output, seconds, processorSeconds };
}
