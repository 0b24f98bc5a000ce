import { createReporter, inTime, withFields } from './ask.ts';
import type { AskError } from './ask-types.ts';
import type { FlagStorage, Flags, FlagsOptions, FlagValue } from './flags-types.ts';

export type { AskError } from './ask-types.ts';
export type { Flags, FlagStorage, FlagsOptions, FlagValue } from './flags-types.ts';

type Values = Record<string, FlagValue>;
/** The last answer, and whose it is. */
interface Kept {
  person: string;
  values: Values;
  etag: string;
  /** Flags that running experiments decide. */
  arms?: string[];
}

const MIN_REFRESH_MS = 5_000;
const DEFAULT_REFRESH_MS = 30_000;

function faultOf({ key, url }: Partial<FlagsOptions>): string | undefined {
  if (!/^\s*svf_[\w-]+\s*$/.test(key ?? '')) return '`key` is no flag key (svf_…).';
  if (/^https?:\/\/[^\s?#]+$/.test(url ?? '') && !/\/v1\/*$/.test(url ?? '')) return undefined;
  return '`url` is such as https://host, without /v1.';
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** A value of the fallback's type: code that reads a number never gets a text. */
const fits = (value: FlagValue | null | undefined, fallback: FlagValue): value is FlagValue =>
  value !== null && kindOf(value) === kindOf(fallback);

function answerOf(body: unknown): Pick<Kept, 'values' | 'arms'> | null {
  if (!withFields<{ flags: unknown }>(body, 'flags') || !Array.isArray(body.flags)) return null;
  const values: Values = {};
  const arms: string[] = [];
  for (const one of body.flags) {
    if (!one || !('value' in one)) continue;
    values[one.key] = one.value;
    if (one.metadata?.experiment) arms.push(one.key);
  }
  return { values, arms };
}

async function readKept(storage: FlagStorage, name: string): Promise<Kept | null> {
  const kept: unknown = JSON.parse((await storage.getItem(name)) ?? 'null');
  return withFields<Kept>(kept, 'person', 'values', 'etag') ? kept : null;
}

/** What is shown, and kept beyond the app where there is a storage. */
function createAnswers({ storage, storageKey = 'cp.flags' }: FlagsOptions) {
  const listeners = new Set<() => void>();
  let kept: Kept | null = null;
  function keep(next: Kept): void {
    const isNew = JSON.stringify(kept?.values) !== JSON.stringify(next.values);
    kept = next;
    if (!isNew) return;
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // The host's own callback failed; the host must not notice through us.
      }
    }
  }
  return {
    of: (person: string | null): Kept | null => (kept?.person === person ? kept : null),
    /** Unless there is a newer answer for this person. */
    restore: async (person: string | null): Promise<void> => {
      try {
        const stored = storage ? await readKept(storage, storageKey) : null;
        if (stored && stored.person === person && kept?.person !== person) keep(stored);
      } catch {
        // A storage that fails takes nothing away.
      }
    },
    take: async (next: Kept): Promise<void> => {
      keep(next);
      try {
        await storage?.setItem(storageKey, JSON.stringify(next));
      } catch {
        // As above.
      }
    },
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

type Told = Omit<Kept, 'person'> | { isSame: true } | { error: AskError; waitMs: number };

type Asking = { context: object; etag?: string | undefined; name?: string; signal: AbortSignal };

/** Asks once, for all flags or for one. Rejects without an answer. */
function post({ key, url }: FlagsOptions, { context, etag, name, signal }: Asking) {
  const path = `/v1/ofrep/v1/evaluate/flags${name === undefined ? '' : `/${name}`}`;
  return fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key.trim()}`,
      'content-type': 'application/json',
      ...(etag && { 'if-none-match': etag }),
    },
    body: JSON.stringify({ context }),
    credentials: 'omit',
    redirect: 'error',
    signal,
  });
}

async function ask(options: FlagsOptions, asking: Asking): Promise<Told> {
  const answer = await post(options, asking);
  if (answer.status === 304) return { isSame: true };
  const text = await answer.text();
  const { status } = answer;
  const found = status === 200 ? answerOf(JSON.parse(text)) : null;
  if (found) return { ...found, etag: answer.headers.get('etag') ?? '' };
  const code = status < 500 && status !== 429 ? 'refused' : 'no_answer';
  const waitMs = status === 200 ? 0 : (Number(answer.headers.get('retry-after')) || 0) * 1_000;
  return { error: { code, message: `${status} ${text.slice(0, 500)}`, status }, waitMs };
}

/** Evaluating one flag is the exposure; one that fails is tried again after the next answer. */
function createExposures(evaluate: (name: string) => Promise<boolean>) {
  let names = new Map<string, 'sending' | 'sent' | 'failed'>();
  async function send(name: string): Promise<void> {
    const ours = names;
    ours.set(name, 'sending');
    const isSent = await evaluate(name).catch(() => false);
    ours.set(name, isSent ? 'sent' : 'failed');
  }
  return {
    saw: (name: string): void => {
      if (!names.has(name)) void send(name);
    },
    again: (): void => {
      for (const [name, state] of names) if (state === 'failed') void send(name);
    },
    /** Another person. */
    clear: (): void => {
      names = new Map();
    },
  };
}

const TIMER_MAX_MS = 2 ** 31 - 1;

/** Runs again and again, not sooner than the service wants. */
function createClock(everyMs: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = everyMs <= 0;
  return {
    next: (waitMs: number): void => {
      clearTimeout(timer);
      const ms = Math.min(Math.max(everyMs, MIN_REFRESH_MS, waitMs), TIMER_MAX_MS);
      if (!isStopped) timer = setTimeout(run, ms);
    },
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Reads flags by plain `fetch`, in browsers and in React Native. Never throws. */
export function createFlags(options: FlagsOptions): Flags {
  const given: FlagsOptions = { ...options };
  const report = createReporter(given.onError);
  const fault = faultOf(given);
  if (fault) report({ code: 'invalid_options', message: fault });
  const answers = createAnswers(given);
  const read = new Set<string>();
  let { person, context = {} } = given;
  /** Of the person and context that are asked for; an answer for earlier ones is too late. */
  let turn = 0;

  async function refresh(): Promise<boolean> {
    const [target, now, names] = [person, turn, [...read]];
    if (fault || !target) return false;
    const known = answers.of(target)?.etag;
    const sent = { ...context, targetingKey: target, flagsRead: names };
    let waitMs = 0;
    try {
      const told = await inTime(given.timeoutMs ?? 2_000, (signal) =>
        ask(given, { context: sent, etag: known, signal }),
      );
      if ('error' in told) {
        ({ waitMs } = told);
        report(told.error);
        return false;
      }
      for (const name of names) read.delete(name);
      exposures.again();
      if ('values' in told && now === turn) await answers.take({ person: target, ...told });
      return true;
    } catch (error) {
      report({ code: 'no_answer', message: String(error) });
      return false;
    } finally {
      clock.next(waitMs);
    }
  }
  const clock = createClock(given.refreshMs ?? DEFAULT_REFRESH_MS, () => void refresh());
  const exposures = createExposures((name) =>
    inTime(given.timeoutMs ?? 2_000, async (signal) => {
      const target = { ...context, targetingKey: person };
      return (await post(given, { context: target, name, signal })).ok;
    }),
  );
  const begin = async (): Promise<boolean> => {
    await answers.restore(person);
    return refresh();
  };
  function flag(name: string, fallback: boolean): boolean;
  function flag(name: string, fallback: number): number;
  function flag(name: string, fallback: string): string;
  function flag<T extends object>(name: string, fallback: T): T;
  function flag(name: string, fallback: FlagValue): FlagValue {
    const answer = answers.of(person);
    const found = answer?.values[name];
    if (!fits(found, fallback)) {
      read.add(name);
      const bundled = given.defaults?.[name];
      return fits(bundled, fallback) ? bundled : fallback;
    }
    if (answer?.arms?.includes(name)) exposures.saw(name);
    else read.add(name);
    return found;
  }
  return {
    ready: begin().then(() => undefined),
    flag,
    refresh,
    use: (nextPerson, nextContext) => {
      turn += 1;
      if (nextPerson !== person) exposures.clear();
      person = nextPerson;
      context = nextContext ?? context;
      return begin();
    },
    onChange: answers.onChange,
    stop: clock.stop,
  };
}
