import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import type { Account } from '../../shared/account.ts';

/** Servers get none of our environment: no secrets, no settings of another PostgreSQL. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export type ServerCommand = {
  command: readonly string[];
  cwd: string;
  /** Standard output and error are appended here; a large file is moved to `.1` first. */
  logPath: string;
  /** Asks it to stop, also when this process dies. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  account?: Account | undefined;
  env?: Record<string, string>;
};

export type Server = {
  pid: number;
  /** Settles with the exit code, or null when a signal ended it. */
  exited: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
  /** Asks it to stop, and kills it after `graceMs`. */
  stop: (graceMs: number) => Promise<void>;
};

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/**
 * A shell that reads a pipe which only this process holds open: when this process dies, the kernel
 * closes the pipe and the shell signals `target` (a pid, or `-pid` for its group).
 */
function watchParent(target: number, signal: string, delaySeconds: number) {
  const script =
    `trap '' INT TERM HUP; while read -r line; do :; done; sleep ${delaySeconds}; ` +
    `kill -s ${signal} -- ${target} 2>/dev/null`;
  return Bun.spawn(['sh', '-c', script], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    detached: true,
  });
}

/** Stops `target` soon after this process dies. Call the result when `target` has ended. */
export function endWithParent(
  target: number,
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL',
  delaySeconds = 0,
): () => void {
  const sentinel = watchParent(target, signal.slice(3), delaySeconds);
  sentinel.unref();
  return () => sentinel.kill('SIGKILL');
}

/** Bun children drain first when this process dies, then the servers that they need. */
const ORPHAN_DELAY_SECONDS = 4;

/** Starts a server in a session of its own, so that Ctrl-C reaches this process only. */
export function startServer(options: ServerCommand): Server {
  const log = openLog(options.logPath);
  const child = Bun.spawn([...options.command], {
    cwd: options.cwd,
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    detached: true,
    env: { PATH: SYSTEM_PATH, ...options.env },
    ...(options.account ?? {}),
  });
  closeSync(log);
  const release = endWithParent(child.pid, options.stopSignal, ORPHAN_DELAY_SECONDS);
  const exited = child.exited.then(() => {
    release();
    return child.exitCode;
  });
  return {
    pid: child.pid,
    exited,
    kill: (signal) => child.kill(signal),
    stop: async (graceMs) => {
      child.kill(options.stopSignal);
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

const READY_WITHIN_MS = 60_000;

/** Polls until the server is ready. Throws with the end of its log when it ends before that. */
export async function waitUntilReady(
  server: Server,
  { name, logPath, isReady }: { name: string; logPath: string; isReady: () => Promise<boolean> },
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  let hasEnded = false;
  void server.exited.then(() => {
    hasEnded = true;
  });
  while (!(await isReady())) {
    if (hasEnded) throw new Error(`${name} did not start:\n${await logTail(logPath)}`);
    if (performance.now() > deadline) {
      await server.stop(1_000);
      throw new Error(`${name} was not ready after ${READY_WITHIN_MS / 1_000} s.`);
    }
    await Bun.sleep(25);
  }
}

/** The end of a server's log, for the message that says why it did not start. */
export async function logTail(path: string, lines = 15): Promise<string> {
  const text = await Bun.file(path)
    .text()
    .catch(() => '');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
