import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const tasksOf = (pid: number): string => `/proc/${pid}/task`;

/** None of a process that ended. */
export function listThreads(pid: number): number[] {
  try {
    return readdirSync(tasksOf(pid)).map(Number);
  } catch {
    return [];
  }
}

export function threadName(pid: number, thread: number): string {
  try {
    return readFileSync(`${tasksOf(pid)}/${thread}/comm`, 'utf8');
  } catch {
    return '';
  }
}

export function setNiceness(thread: number, niceness: number): boolean {
  try {
    setPriority(thread, niceness);
    return true;
  } catch {
    return false;
  }
}
