import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { readFile } from 'node:fs/promises';

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

export const TICKS_PER_SECOND = 100;

/** The bracketed name before these fields may hold anything. */
export const statFields = (text: string): string[] =>
  text.slice(text.lastIndexOf(')') + 2).split(' ');

export function parseStat(text: string): { state: string; parent: number; ticks: number } {
  const fields = statFields(text);
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { state: fields[0] ?? '', parent: Number(fields[1]), ticks };
}

export function parentOf(pid: number): number | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).parent;
  } catch {
    return null;
  }
}

/** Sum over its threads; not a number for a process that ended. */
export async function processorSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return parseStat(text).ticks / TICKS_PER_SECOND;
}

export function setNiceness(thread: number, niceness: number): boolean {
  try {
    setPriority(thread, niceness);
    return true;
  } catch {
    return false;
  }
}
