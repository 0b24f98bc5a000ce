import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ChildReply, childReply, MAX_BYTES } from '../../modules/sql/model.ts';
import { type Lane, SHORT_SECONDS } from '../../query/schedule/places.ts';
import { Overrun } from '../../query/schedule/schedule.ts';
import { listThreads, processorSeconds, setNiceness } from '../../shared/threads.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { type ChildQuestion, type Confinement, confinementPath, questionPath } from './protocol.ts';

const ROOT = join(import.meta.dir, '../../..');
/** In the bundle of the running process, if it runs from one. */
function programOf(name: string): string {
  const bundled = join(dirname(Bun.main), `${name}.js`);
  return existsSync(bundled) ? bundled : join(import.meta.dir, `${name}.ts`);
}

const ENTER = programOf('enter');
const CHILD = programOf('child');

const PROGRAMS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', process.execPath];
const READ = [
  ...['src', 'node_modules', 'package.json', 'tsconfig.json'].map((name) => join(ROOT, name)),
  ...['/etc/ld.so.cache', '/dev/null', '/dev/urandom'],
  // Bun and DuckDB ask how much memory and how many processors there are.
  ...['/proc/self', '/sys/fs/cgroup', '/sys/devices/system/cpu'],
];

/** Columns and brackets beyond the rows. */
const REPLY_SLACK_BYTES = 1024 * 1024;
const CPU_SLACK_SECONDS = 10;
const GRACE_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 100;
const YIELD_SECONDS = 0.3;
/** Niceness. */
const LAST = 19;
const BYTES_PER_PAGE = 4_096;
/** Bun's own, uncounted by DuckDB. */
const UNCOUNTED_BYTES = 512 * 1024 * 1024;
const BYTES_PER_MB = 1024 * 1024;
const MICROSECONDS = 1_000_000;

async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * BYTES_PER_PAGE;
}

async function readBounded(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.byteLength;
    if (bytes > limit) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function yieldToShorter(pid: number): void {
  for (const thread of listThreads(pid)) setNiceness(thread, LAST);
}

export type Run = {
  signal: AbortSignal;
  lane?: Lane;
  onUsed?: (processorSeconds: number) => unknown;
};

type Child = Bun.Subprocess<'ignore', 'pipe', 'ignore'>;

function watch(child: Child, { timeMs, memoryMb }: ChildQuestion, { signal, lane }: Run) {
  let ended: 'timeout' | 'memory' | 'overrun' | null = null;
  let hasYielded = false;
  const end = (why: typeof ended) => {
    ended ??= why;
    child.kill('SIGKILL');
  };
  const late = setTimeout(() => end('timeout'), timeMs + GRACE_MS);
  const limitBytes = memoryMb * BYTES_PER_MB + UNCOUNTED_BYTES;
  const look = setInterval(async () => {
    if ((await residentBytes(child.pid)) > limitBytes) end('memory');
    const usedSeconds = await processorSeconds(child.pid);
    if (lane === 'short' && usedSeconds > SHORT_SECONDS) end('overrun');
    if (hasYielded || !(usedSeconds > YIELD_SECONDS)) return;
    hasYielded = true;
    yieldToShorter(child.pid);
  }, LOOK_EVERY_MS);
  const leave = () => child.kill('SIGKILL');
  signal.addEventListener('abort', leave, { once: true });
  return {
    why: () => ended,
    stop: () => {
      clearTimeout(late);
      clearInterval(look);
      signal.removeEventListener('abort', leave);
      child.kill('SIGKILL');
    },
  };
}

/** `folder` is private to this question. */
export async function runChild(
  folder: string,
  question: ChildQuestion,
  run: Run,
): Promise<ChildReply> {
  const text = await runConfined(folder, question, { ...run, entry: CHILD });
  return typeof text === 'string' ? childReply.parse(JSON.parse(text)) : text;
}

export async function runConfined(
  folder: string,
  question: ChildQuestion,
  { entry, ...run }: Run & { entry: string },
): Promise<ChildReply | string> {
  const confinement: Confinement = {
    files: [...READ, entry, folder, ...question.paths],
    programs: PROGRAMS,
    entry,
    cpuSeconds: Math.ceil((question.timeMs / SECOND_MS) * question.threads) + CPU_SLACK_SECONDS,
  };
  writeFileSync(confinementPath(folder), JSON.stringify(confinement), { mode: 0o600 });
  writeFileSync(questionPath(folder), JSON.stringify(question), { mode: 0o600 });
  const child = Bun.spawn([process.execPath, '--no-env-file', '--no-install', '--smol', ENTER], {
    ...{ cwd: folder, env: {}, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
  });
  const watched = watch(child, question, run);
  try {
    const text = await readBounded(child.stdout, MAX_BYTES + REPLY_SLACK_BYTES);
    const why = watched.why();
    if (why === 'overrun') throw new Overrun();
    if (why !== null) return { fault: why, message: 'The process was ended.' };
    if (text) return text;
    await child.exited;
    // Ended by the kernel, mostly for its memory.
    if (child.signalCode === 'SIGXCPU')
      return { fault: 'timeout', message: 'Out of processor time.' };
    const isKilled = child.signalCode === 'SIGKILL';
    const message = `The process ended with ${child.signalCode ?? child.exitCode}.`;
    return { fault: isKilled ? 'memory' : 'lost', message };
  } finally {
    watched.stop();
    await child.exited;
    const { total = 0n } = child.resourceUsage()?.cpuTime ?? {};
    run.onUsed?.(Number(total) / MICROSECONDS);
  }
}
