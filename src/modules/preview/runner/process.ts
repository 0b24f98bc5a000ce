import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../shared/errors.ts';
import { sleep } from '../../../shared/time.ts';
import type { Isolation } from './isolation.ts';
import { LineReader, parseMessage, type RunnerMessage, Tail } from './protocol.ts';

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    // Ended, or the id was reused.
    if (!/ESRCH|EPERM|no such process|not permitted/i.test(errorMessage(thrown))) throw thrown;
  }
}

function signalGroup(leader: number, name: NodeJS.Signals): void {
  signal(-leader, name);
}

/** Including daemons outside of the group. Linux only. */
async function processesWith(name: string, value: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const marker = `${name}=${value}`;
  const found = await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry))
      .map(async (entry) => {
        const environment = await Bun.file(`/proc/${entry}/environ`)
          .text()
          .catch(() => '');
        return environment.split('\0').includes(marker) ? Number(entry) : null;
      }),
  );
  return found.flatMap((pid) => (pid === null || pid === process.pid ? [] : pid));
}

/** Includes descendants. */
async function killMarked(name: string, value: string): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const pids = await processesWith(name, value);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, 'SIGKILL');
    await Bun.sleep(20);
  }
}

export type RunnerOptions = {
  command: string;
  appId: string;
  sessionId: string;
  /** Created when missing. */
  folder: string;
  isolation: Isolation;
  maxOutputBytes: number;
  onMessage: (message: RunnerMessage) => void;
};

export type Runner = {
  /** Resolves after the whole process tree. */
  ended: Promise<{ code: number | null; tooMuchOutput: boolean }>;
  stop: () => Promise<void>;
  tail: () => string;
};

const GUARD = join(import.meta.dir, 'guard.ts');
const SESSION_MARK = 'PREVIEW_SESSION_ID';
const STOP_GRACE_MS = 5_000;

/** Ours holds the service's keys. */
function scrubbedEnvironment({ appId, sessionId, folder }: RunnerOptions) {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PREVIEW_APP_ID: appId,
    [SESSION_MARK]: sessionId,
  };
}

export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { isolation, folder, command } = options;
  await isolation.prepare(folder);
  const commandLine = isolation.commandLine(folder, command);
  const guard = Bun.spawn([process.execPath, GUARD, ...commandLine], {
    cwd: options.folder,
    env: scrubbedEnvironment(options),
    detached: true,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const tail = new Tail();
  let outputBytes = 0;
  let tooMuchOutput = false;

  const read = async (stream: ReadableStream<Uint8Array>, isProtocol: boolean) => {
    const lines = new LineReader();
    for await (const bytes of stream) {
      outputBytes += bytes.byteLength;
      if (outputBytes > options.maxOutputBytes) {
        tooMuchOutput = true;
        signalGroup(guard.pid, 'SIGKILL');
        return;
      }
      for (const line of lines.push(bytes)) {
        const message = isProtocol ? parseMessage(line) : null;
        if (message) options.onMessage(message);
        else tail.add(line);
      }
    }
  };

  const reading = Promise.all([read(guard.stdout, true), read(guard.stderr, false)]);
  const ended = guard.exited.then(async () => {
    signalGroup(guard.pid, 'SIGKILL');
    await killMarked(SESSION_MARK, options.sessionId);
    await Promise.race([reading.catch(() => undefined), sleep(STOP_GRACE_MS)]);
    return { code: guard.signalCode === null ? guard.exitCode : null, tooMuchOutput };
  });
  return {
    ended,
    tail: () => tail.text(),
    stop: async () => {
      signalGroup(guard.pid, 'SIGTERM');
      await Promise.race([ended, sleep(STOP_GRACE_MS)]);
      signalGroup(guard.pid, 'SIGKILL');
      await ended;
    },
  };
}
