import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import type { Account } from '../../shared/account.ts';

/** Keeps our environment, with its secrets and PG* settings, from servers. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export type ServerCommand = {
  command: readonly string[];
  cwd: string;
  logPath: string;
  /** For a graceful stop, also when this process dies. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  account?: Account | undefined;
  env?: Record<string, string>;
};

export type Server = {
  pid: number;
  exited: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
  stop: (graceMs: number) => Promise<void>;
};

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

type Ending = {
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  delaySeconds?: number;
  /** Kills one that is still there this long after its signal. */
  graceSeconds?: number;
};

/**
 * A pipe only this process holds: when the kernel closes it, the shell signals `target` (`-pid`:
 * its group).
 */
function watchParent(target: number, { signal, delaySeconds = 0, graceSeconds = 0 }: Ending) {
  const send = (name: string) => `kill -s ${name} -- ${target} 2>/dev/null`;
  const script =
    `trap '' INT TERM HUP; while read -r line; do :; done; sleep ${delaySeconds}; ` +
    `${send(signal.slice(3))} || exit 0; left=${graceSeconds}; ` +
    `while [ $left -gt 0 ]; do sleep 1; ${send('0')} || exit 0; left=$((left - 1)); done; ` +
    send('KILL');
  return Bun.spawn(['sh', '-c', script], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    detached: true,
  });
}

export function endWithParent(target: number, ending: Ending): () => void {
  const sentinel = watchParent(target, ending);
  sentinel.unref();
  return () => sentinel.kill('SIGKILL');
}

const ORPHAN_DELAY_SECONDS = 4;
const ORPHAN_GRACE_SECONDS = 15;

/** In its own session: Ctrl-C reaches this process only. */
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
  const release = endWithParent(child.pid, {
    signal: options.stopSignal,
    delaySeconds: ORPHAN_DELAY_SECONDS,
    graceSeconds: ORPHAN_GRACE_SECONDS,
  });
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

export async function logTail(path: string, lines = 15): Promise<string> {
  const text = await Bun.file(path)
    .text()
    .catch(() => '');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
