import { residentMb } from '../../test/support/memory.ts';

const LOOK_MS = 50;
const SETTLED_LOOKS = 60;
const SETTLED_MB = 1;

/** The memory of a process that has nothing to do, once it has stopped changing. */
export async function idleMb(pid: number): Promise<number> {
  let steady = 0;
  let last = residentMb(pid);
  while (steady < SETTLED_LOOKS) {
    await Bun.sleep(LOOK_MS);
    const now = residentMb(pid);
    steady = Math.abs(now - last) < SETTLED_MB ? steady + 1 : 0;
    if (steady === 0) last = now;
  }
  return residentMb(pid);
}

/** Looks at the memory of a process twenty times a second until it is told to stop. */
export function watch(pid: number): { stop: () => number[] } {
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(residentMb(pid)), LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return seen;
    },
  };
}
