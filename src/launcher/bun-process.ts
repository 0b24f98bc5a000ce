import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { childEnvironment, type ProcessRole } from '../config.ts';
import { parser } from '../shared/schema.ts';
import { ENTRIES } from './bundle/find.ts';
import { watchLife } from './life.ts';
import { runtimeSettings } from './runtime-settings.ts';
import type { Run } from './supervised.ts';

const NICENESS = 5;

export function niced(command: readonly string[]): string[] {
  const nice = Bun.which('nice');
  return nice ? [nice, '-n', String(NICENESS), ...command] : [...command];
}

const PROCESSES = join(import.meta.dir, '../app/processes');
const READY_WITHIN_MS = 180_000;

const Message = Type.Union([
  Type.Object({ type: Type.Literal('alive') }),
  Type.Object({
    type: Type.Literal('ready'),
    details: Type.Record(Type.String(), Type.String()),
  }),
]);

export const processMessage = parser(Message, 'message of a process');

export type BunProcess = {
  role: ProcessRole;
  index: number;
  bundle: string | null;
  env: Record<string, string>;
  onStart: (pid: number) => void;
  onEnd: () => void;
  onStuck: (pid: number, why: string) => void;
};

export type BunRun = Run & { details: Record<string, string> };

export function processCommand({
  role,
  index,
  bundle,
}: Pick<BunProcess, 'role' | 'index' | 'bundle'>): string[] {
  // Newer builds remove it.
  const bundled = join(bundle ?? '', `${ENTRIES[role]}.js`);
  const isBundled = bundle !== null && existsSync(bundled);
  const path = isBundled ? bundled : join(PROCESSES, `${role}.ts`);
  const run = [process.execPath, path, String(index), role];
  return role === 'query' ? niced(run) : run;
}

export async function startBunProcess(options: BunProcess): Promise<BunRun> {
  const ready = Promise.withResolvers<Record<string, string>>();
  const child = Bun.spawn(processCommand(options), {
    env: childEnvironment({ ...runtimeSettings(options.role), ...options.env }, options.role),
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    detached: true,
    serialization: 'json',
    ipc: (message) => {
      if (!processMessage.check(message)) return;
      if (message.type === 'ready') ready.resolve(message.details);
      life.beat();
    },
  });
  const life = watchLife(child.pid, (why) => {
    options.onStuck(child.pid, why);
    child.kill('SIGKILL');
  });
  options.onStart(child.pid);
  const exited = child.exited.then((code) => {
    life.stop();
    options.onEnd();
    const how = child.signalCode ? `signal ${child.signalCode}` : `exit code ${code}`;
    ready.reject(new Error(`The ${options.role} process ended before it was ready (${how}).`));
  });
  const stop = async (graceMs: number) => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  };
  const timer = setTimeout(() => {
    ready.reject(new Error(`The ${options.role} process was not ready in time.`));
    child.kill('SIGKILL');
  }, READY_WITHIN_MS);
  try {
    return { pid: child.pid, details: await ready.promise, exited, stop };
  } finally {
    clearTimeout(timer);
  }
}
