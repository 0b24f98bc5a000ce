import { readdir, readFile } from 'node:fs/promises';
import { parseStat, TICKS_PER_SECOND } from '../shared/threads.ts';
import { SECOND_MS } from '../shared/time.ts';

export const BEAT_EVERY_MS = SECOND_MS;
const LOOK_EVERY_MS = 2 * SECOND_MS;

const STUCK = { asleepLooks: 10, busySeconds: 20 };

export type Threads = {
  mainTicks: number;
  /** Or held by a debugger. */
  isRunnable: boolean;
  isStopped: boolean;
};

/** A starved process is runnable and uses little time. */
export class Life {
  private asleepLooks = 0;
  private ticksAtBeat: number | null = null;

  beat(): void {
    this.asleepLooks = 0;
    this.ticksAtBeat = null;
  }

  look({ mainTicks, isRunnable }: Pick<Threads, 'isRunnable' | 'mainTicks'>): string | null {
    this.ticksAtBeat ??= mainTicks;
    if (!isRunnable) this.asleepLooks += 1;
    if (this.asleepLooks >= STUCK.asleepLooks) return 'it does nothing';
    const busySeconds = (mainTicks - this.ticksAtBeat) / TICKS_PER_SECOND;
    return busySeconds >= STUCK.busySeconds ? 'it is busy with one thing' : null;
  }
}

export async function readThreads(pid: number): Promise<Threads | null> {
  const folder = `/proc/${pid}/task`;
  const ids: string[] = await readdir(folder).catch(() => []);
  const read = ids.map((id) => readFile(`${folder}/${id}/stat`, 'utf8').catch(() => ''));
  const threads = (await Promise.all(read)).map(parseStat);
  const main = threads[ids.indexOf(String(pid))];
  if (!main || !Number.isFinite(main.ticks)) return null;
  const isStopped = main.state === 'T';
  return {
    isStopped,
    mainTicks: main.ticks,
    isRunnable: threads.some(({ state }) => 'RDt'.includes(state)),
  };
}

export function watchLife(
  pid: number,
  onStuck: (why: string) => void,
): { beat: () => void; stop: () => void } {
  const life = new Life();
  let hasBeaten = true;
  const look = async () => {
    if (hasBeaten) {
      hasBeaten = false;
      return;
    }
    const threads = await readThreads(pid);
    const why = threads && !hasBeaten ? life.look(threads) : null;
    if (why !== null) onStuck(why);
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return {
    beat: () => {
      hasBeaten = true;
      life.beat();
    },
    stop: () => clearInterval(timer),
  };
}
