import type { Host } from './host.ts';
import type { Store } from './store.ts';

const SESSION_GAP_MS = 30 * 60_000;
const SESSION_MAX_MS = 24 * 60 * 60_000;
const ANONYMOUS = 'a';
const USER = 'u';
const SESSION = 's';
const OPTED_OUT = 'o';

export interface Identity {
  anonymousId(): string;
  userId(): string | null;
  setUser(userId: string | null): void;
  /** The session of something that happens now. */
  sessionId(): string;
  reset(): void;
  optedOut(): boolean;
  setOptedOut(out: boolean): void;
}

/** Who is acting. Read from storage each time, because another tab may have changed it. */
export function createIdentity(store: Store, host: Host): Identity {
  const memory = new Map<string, string>();
  const get = (name: string) => memory.get(name) ?? store.read(name);
  const set = (name: string, value: string) => {
    if (store.write(name, value)) memory.delete(name);
    else memory.set(name, value);
  };
  const drop = (name: string) => {
    memory.delete(name);
    store.erase(name);
  };
  const reset = () => {
    for (const name of [ANONYMOUS, USER, SESSION]) drop(name);
  };
  return {
    anonymousId: () => {
      const known = get(ANONYMOUS);
      if (known && known.length >= 8 && known.length <= 64) return known;
      const fresh = host.id();
      set(ANONYMOUS, fresh);
      return fresh;
    },
    userId: () => get(USER),
    setUser: (userId) => (userId === null ? drop(USER) : set(USER, userId)),
    sessionId: () => {
      const now = host.now();
      const [id = '', started, last] = (get(SESSION) ?? '').split(' ');
      // A clock set back must neither end a session nor let it outlive its day.
      const since = Math.min(Number(started), now);
      const lasts = now - Number(last) <= SESSION_GAP_MS && now - since <= SESSION_MAX_MS;
      const session = id && lasts ? id : host.id();
      set(SESSION, `${session} ${session === id ? since : now} ${now}`);
      return session;
    },
    reset,
    optedOut: () => get(OPTED_OUT) === '1',
    setOptedOut: (out) => {
      reset();
      if (out) set(OPTED_OUT, '1');
      else drop(OPTED_OUT);
    },
  };
}
