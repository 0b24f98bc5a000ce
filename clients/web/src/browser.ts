import type { Host, Moment } from './host.ts';

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `randomUUID` is missing on plain http and in older browsers. */
function uniqueId(): string {
  const crypto = globalThis.crypto;
  if (crypto?.randomUUID) return crypto.randomUUID();
  const bytes = new Uint8Array(16);
  if (crypto?.getRandomValues) return hex(crypto.getRandomValues(bytes));
  return hex(bytes.map(() => Math.random() * 256));
}

// At `pagehide` some browsers still call the page visible.
let left = false;

function listen(run: (moment: Moment) => void): () => void {
  if (typeof document === 'undefined') return () => {};
  const go = (gone: boolean) => {
    left = gone;
    run(gone ? 'leave' : 'show');
  };
  const heard: [EventTarget, string, () => void][] = [
    [
      document,
      'visibilitychange',
      () => run(document.visibilityState === 'hidden' ? 'hide' : 'show'),
    ],
    [globalThis, 'pagehide', () => go(true)],
    [globalThis, 'pageshow', () => go(false)],
    [globalThis, 'online', () => run('online')],
  ];
  for (const [target, name, hear] of heard) target.addEventListener(name, hear);
  return () => {
    for (const [target, name, hear] of heard) target.removeEventListener(name, hear);
  };
}

/** The real browser; also loads where there is none (server rendering). */
export const browser: Host = {
  fetch: (url, request) => fetch(url, request),
  storage: () => globalThis.localStorage,
  now: () => Date.now(),
  random: () => Math.random(),
  id: uniqueId,
  locale: () => globalThis.navigator?.language,
  // biome-ignore lint/suspicious/noConsole: asked for by `debug`.
  log: console.log,
  // biome-ignore lint/suspicious/noConsole: a wrong set-up would be silent otherwise.
  warn: console.warn,
  hidden: () => left || globalThis.document?.visibilityState === 'hidden',
  timer: (run, ms) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
  exclusive: (name, work) => {
    const locks = globalThis.navigator?.locks;
    if (!locks) return work();
    locks.request(name, { ifAvailable: true }, (lock) => lock && work()).catch(() => {});
  },
  listen,
};
