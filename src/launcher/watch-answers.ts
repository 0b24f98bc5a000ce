import { connect } from 'node:net';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { readThreads } from './life.ts';

const LOOK_EVERY_MS = 5 * SECOND_MS;
const ANSWER_MS = 4 * SECOND_MS;
const STUCK_LOOKS = 4;

/** PostgreSQL's SSLRequest, answered with one byte before anybody signs in. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export function answersPostgres(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_MS });
    const end = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    socket.on('connect', () => socket.write(SSL_REQUEST));
    socket.on('data', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
    socket.on('close', () => end(false));
  });
}

type Watched = {
  pids: () => readonly number[];
  answers: () => Promise<boolean>;
  onStuck: (why: string) => void;
};

/** A silent one that could run is starved, or its disk is slow: no fault of its own. */
async function findFault({ pids, answers }: Watched): Promise<string | null> {
  const isAnswering = await answers();
  const found = await Promise.all(pids().map(readThreads));
  const threads = found.filter((one) => one !== null);
  if (threads.some(({ isStopped }) => isStopped)) return 'it is stopped';
  const isIdle = threads.length > 0 && !threads.some(({ isRunnable }) => isRunnable);
  return !isAnswering && isIdle ? 'it answers nothing and does nothing' : null;
}

export async function watchAnswers(watched: Watched, signal: AbortSignal): Promise<void> {
  let faults = 0;
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, signal);
    const fault = await findFault(watched);
    if (signal.aborted) return;
    faults = fault === null ? 0 : faults + 1;
    if (fault === null || faults < STUCK_LOOKS) continue;
    watched.onStuck(fault);
    return;
  }
}
