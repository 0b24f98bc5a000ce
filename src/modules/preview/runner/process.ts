import { join } from 'node:path';
import { sleep } from '../../../shared/time.ts';
import type { Isolation } from './isolation.ts';
import { killMarked, signalGroup } from './process-tree.ts';
import { LineReader, parseMessage, type RunnerMessage, Tail } from './protocol.ts';

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
