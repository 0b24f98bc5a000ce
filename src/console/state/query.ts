import { computed, type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isElsewhere, type RequestError, toRequestError } from './api.ts';
import { changed, isOutdatedBy, noting, type Part } from './changes.ts';
import { isPolling } from './polling.ts';
import { hasEnded, session } from './session.ts';

export type QueryState<T> = {
  /** Kept while a newer one is fetched or could not be had. */
  data: T | undefined;
  error: RequestError | undefined;
  isFetching: boolean;
  /** `data` is of the key before, until that of this key is there. */
  isPrevious: boolean;
  fetchedAtMs: number;
};

export type Query<T> = ReadonlySignal<QueryState<T>> & { refetch: () => void };

type Fetch<T> = (signal: AbortSignal) => Promise<T>;

type Entry = {
  state: Signal<QueryState<unknown>>;
  running: AbortController | undefined;
  fetch: Fetch<unknown> | undefined;
  viewers: number;
  /** By path, and whether one was changed since. */
  parts: Map<string, Part>;
  isOutdated: boolean;
};

/** Components drawn together share data; older data is fetched again. */
const FRESH_MS = 2_000;
const OLD_MS = 300_000;

const UNFETCHED: QueryState<unknown> = {
  data: undefined,
  error: undefined,
  isFetching: false,
  isPrevious: false,
  fetchedAtMs: 0,
};

export const isOld = ({ fetchedAtMs }: QueryState<unknown>): boolean =>
  Date.now() - fetchedAtMs > OLD_MS;

const entries = new Map<string, Entry>();
const MAX_ENTRIES = 200;
/** Drawn now, also where `entries` has dropped them. */
const viewed = new Set<Entry>();

export function entryOf(key: string): Entry {
  const found = entries.get(key);
  if (found) return found;
  if (entries.size >= MAX_ENTRIES) {
    for (const oldest of [...entries.keys()].slice(0, MAX_ENTRIES / 2)) entries.delete(oldest);
  }
  const entry: Entry = {
    state: signal(UNFETCHED),
    running: undefined,
    fetch: undefined,
    viewers: 0,
    parts: new Map(),
    isOutdated: false,
  };
  entries.set(key, entry);
  return entry;
}

/** First ones and changed keys, not polling. */
const awaited = signal(0);
export const isAwaiting = computed(() => awaited.value > 0);

/** What failed beside it may answer too. */
function retryOthers(): void {
  for (const entry of viewed) {
    const { error, isFetching } = entry.state.peek();
    if (error && !isFetching && entry.fetch) void run(entry, entry.fetch);
  }
}

function stop(entry: Entry): void {
  entry.running?.abort();
  entry.running = undefined;
  entry.state.value = { ...entry.state.peek(), isFetching: false };
}

async function run(entry: Entry, fetch: Fetch<unknown>): Promise<void> {
  entry.running?.abort();
  entry.fetch = fetch;
  const running = new AbortController();
  entry.running = running;
  entry.isOutdated = false;
  const { state } = entry;
  const isAwaited = state.peek().data === undefined;
  const hadFailed = state.peek().error !== undefined;
  if (isAwaited) awaited.value += 1;
  state.value = { ...state.peek(), isFetching: true };
  try {
    const data = await fetch(running.signal);
    if (entry.running !== running) return;
    state.value = { ...UNFETCHED, data, fetchedAtMs: Date.now() };
    if (hadFailed) retryOthers();
  } catch (caught) {
    if (entry.running !== running) return;
    const error = toRequestError(caught);
    state.value = { ...state.peek(), error, isFetching: false };
    if (isElsewhere(error)) location.reload();
    if (error.signedOut) {
      hasEnded.value = true;
      session.value = null;
    }
  } finally {
    if (isAwaited) awaited.value -= 1;
  }
}

changed.subscribe((change) => {
  for (const entry of new Set([...entries.values(), ...viewed])) {
    if (!change || ![...entry.parts.values()].some((read) => isOutdatedBy(change, read))) continue;
    entry.isOutdated = true;
    if (entry.viewers > 0 && entry.fetch) void run(entry, entry.fetch);
  }
});

/** Another organization or person sees none of the last one's data. */
export function forgetData(): void {
  for (const entry of entries.values()) stop(entry);
  entries.clear();
}

/** Guarantee: an entry's data comes from the fetch of its key. */
function stateOf<T>(entry: Entry): Signal<QueryState<T>> {
  return entry.state as Signal<QueryState<T>>;
}

/** The last shown stays until there is one. */
function withPrevious<T>(state: QueryState<T>, previous: QueryState<T> | undefined): QueryState<T> {
  if (state.data !== undefined || state.error || !previous) return state;
  const { data, fetchedAtMs } = previous;
  return { ...state, data, fetchedAtMs, isPrevious: true };
}

export function show(
  entry: Entry,
  fetch: Fetch<unknown>,
  everySeconds: number | undefined,
): () => void {
  const fetchUnless = (isKnown: boolean) => {
    if (!isKnown && !entry.state.peek().isFetching) void run(entry, fetch);
  };
  const isFresh = Date.now() - entry.state.peek().fetchedAtMs < FRESH_MS;
  fetchUnless(isFresh && !entry.isOutdated);
  entry.viewers += 1;
  viewed.add(entry);
  const timer = everySeconds && setInterval(() => fetchUnless(!isPolling()), everySeconds * 1_000);
  const comeBack = () => fetchUnless(document.hidden || !isOld(entry.state.peek()));
  document.addEventListener('visibilitychange', comeBack);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', comeBack);
    entry.viewers -= 1;
    if (entry.viewers === 0) viewed.delete(entry);
    // Who looks on in the same moment goes on waiting.
    queueMicrotask(() => {
      if (entry.viewers === 0) stop(entry);
    });
  };
}

/** `of` names what it is about whatever its key, such as an app. */
export type Question<T> = { of: string; key: string; fetch: Fetch<T> };

/** The service lets so many of an organization wait. */
const AT_ONCE = 4;
let inTurn = 0;
const waiting: (() => void)[] = [];

type Ask = <T>(fetch: Fetch<T>, signal: AbortSignal) => Promise<T>;

async function askInTurn<T>(fetch: Fetch<T>, signal: AbortSignal): Promise<T> {
  if (inTurn < AT_ONCE) inTurn += 1;
  else await new Promise<void>((begin) => waiting.push(begin));
  try {
    signal.throwIfAborted();
    return await fetch(signal);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else inTurn -= 1;
  }
}

export type Options = { everySeconds?: number | undefined; enabled?: boolean };

export function useQueries<T>(
  questions: readonly Question<T>[],
  { everySeconds, enabled = true, ask = askInTurn }: Options & { ask?: Ask } = {},
): readonly Query<T>[] {
  const keys = questions.map(({ key }) => key).join('\n');
  const shown = useRef(new Map<string, QueryState<T>>());
  const latest = useRef(questions);
  latest.current = questions;
  const asked = useMemo(
    () =>
      questions.map((first) => {
        const { of, key } = first;
        const entry = entryOf(key);
        const fetch = (signal: AbortSignal) => {
          const question = latest.current.find((one) => one.key === key) ?? first;
          return ask((own) => noting(entry.parts, () => question.fetch(own)), signal);
        };
        const view = computed(() => {
          const state = withPrevious(stateOf<T>(entry).value, shown.current.get(of));
          if (state.data !== undefined && !state.isPrevious) shown.current.set(of, state);
          return state;
        });
        const query = Object.assign(view, { refetch: () => void run(entry, fetch) });
        return { entry, fetch, query };
      }),
    [keys],
  );
  useEffect(() => {
    if (!enabled) return;
    const leave = asked.map(({ entry, fetch }) => show(entry, fetch, everySeconds));
    return () => {
      for (const away of leave) away();
    };
  }, [asked, everySeconds, enabled]);
  return useMemo(() => asked.map(({ query }) => query), [asked]);
}

const askAtOnce: Ask = (fetch, signal) => fetch(signal);

/**
 * `key` names all that it depends on; its old data stays until the new has come. Not `enabled`:
 * what a page can do without for now.
 */
export function useQuery<T>(key: string, fetch: Fetch<T>, options: Options = {}): Query<T> {
  const [query] = useQueries([{ of: '', key, fetch }], { ...options, ask: askAtOnce });
  if (!query) throw new Error('One is asked.');
  return query;
}

export const useQuestion = <T>({ key, fetch }: Question<T>, options?: Options): Query<T> =>
  useQuery(key, fetch, options);

const IDLE_MS = 600;

/** What a page can do without comes then. */
export function useIsIdle(): boolean {
  const isIdle = useSignal(false);
  useEffect(() => {
    if (isIdle.value) return;
    const timer = isAwaiting.value
      ? undefined
      : setTimeout(() => {
          isIdle.value = true;
        }, IDLE_MS);
    return () => clearTimeout(timer);
  }, [isAwaiting.value]);
  return isIdle.value;
}
