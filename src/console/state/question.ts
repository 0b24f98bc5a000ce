import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Fault, faultOf } from './api.ts';
import { isPolling } from './polling.ts';
import { hasEnded, session } from './session.ts';

export type Asked<T> = {
  /** The last answer; kept, dimmed, while a new one is on its way or could not be had. */
  answer: T | undefined;
  fault: Fault | undefined;
  isAsking: boolean;
  /** When the answer came; 0 without one. */
  answeredAtMs: number;
};

type Entry = {
  state: Signal<Asked<unknown>>;
  running: AbortController | undefined;
  /** Parts of the screen that show it. */
  viewers: number;
};

/** Parts that are drawn together share an answer; what is older is asked again. */
const FRESH_MS = 2_000;
/** Who comes back to a tab after so long is shown new figures. */
const OLD_MS = 300_000;

const UNASKED: Asked<unknown> = {
  answer: undefined,
  fault: undefined,
  isAsking: false,
  answeredAtMs: 0,
};

export const isOld = ({ answeredAtMs }: Asked<unknown>): boolean =>
  Date.now() - answeredAtMs > OLD_MS;

/** Answers by question, so that going back shows the last figure at once. */
const entries = new Map<string, Entry>();
const MAX_ENTRIES = 200;

function entryOf(key: string): Entry {
  const found = entries.get(key);
  if (found) return found;
  if (entries.size >= MAX_ENTRIES) {
    for (const oldest of [...entries.keys()].slice(0, MAX_ENTRIES / 2)) entries.delete(oldest);
  }
  const entry: Entry = { state: signal(UNASKED), running: undefined, viewers: 0 };
  entries.set(key, entry);
  return entry;
}

async function ask(entry: Entry, question: (signal: AbortSignal) => Promise<unknown>) {
  entry.running?.abort();
  const running = new AbortController();
  entry.running = running;
  const { state } = entry;
  state.value = { ...state.value, isAsking: true };
  try {
    const answer = await question(running.signal);
    if (entry.running !== running) return;
    state.value = { answer, fault: undefined, isAsking: false, answeredAtMs: Date.now() };
  } catch (error) {
    if (entry.running !== running) return;
    const fault = faultOf(error);
    if (running.signal.aborted) {
      state.value = { ...state.value, isAsking: false };
      return;
    }
    state.value = { ...state.value, fault, isAsking: false };
    if (fault.signedOut) {
      hasEnded.value = true;
      session.value = null;
    }
  }
}

/** Forgets every answer: another organization or person sees none of the last one's. */
export function forgetAnswers(): void {
  for (const { running } of entries.values()) running?.abort();
  entries.clear();
}

/** Guarantee: an entry's answers all come from the question of its key. */
function answersOf<T>(state: Signal<Asked<unknown>>): Signal<Asked<T>> {
  return state as Signal<Asked<T>>;
}

export type Question<T> = Signal<Asked<T>> & { again: () => void };

/** The last answer to a question, for what is not drawn: a file that is saved. */
export const answerOf = <T>(key: string): T | undefined =>
  answersOf<T>(entryOf(key).state).peek().answer;

/**
 * The answer to a question, asked when it is first shown and again every `everySeconds` while
 * somebody looks. `key` names the question with everything that it depends on. What a page can do
 * without for a moment is not `wanted` until its figures have come.
 */
export function useQuestion<T>(
  key: string,
  question: (signal: AbortSignal) => Promise<T>,
  everySeconds?: number,
  wanted = true,
): Question<T> {
  const entry = useMemo(() => entryOf(key), [key]);
  useEffect(() => {
    if (!wanted) return;
    const askUnless = (isKnown: boolean) => {
      if (!isKnown && !entry.state.peek().isAsking) void ask(entry, question);
    };
    askUnless(Date.now() - entry.state.peek().answeredAtMs < FRESH_MS);
    entry.viewers += 1;
    const timer = everySeconds && setInterval(() => askUnless(!isPolling()), everySeconds * 1_000);
    const comeBack = () => askUnless(document.hidden || !isOld(entry.state.peek()));
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', comeBack);
      entry.viewers -= 1;
      if (entry.viewers === 0) entry.running?.abort();
    };
  }, [entry, everySeconds, wanted]);
  return Object.assign(answersOf<T>(entry.state), { again: () => void ask(entry, question) });
}
