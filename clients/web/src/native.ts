import { createClientOn } from './client.ts';
import { openDisk } from './disk.ts';
import type { Answer, Host, KeyValue, Moment } from './host.ts';
import type { NativeClient, NativeOptions } from './native-types.ts';
import type { Client } from './types.ts';

/** What the client needs of the JavaScript engine of an app; tests pass their own. */
export type Engine = Pick<
  Host,
  'fetch' | 'now' | 'random' | 'id' | 'locale' | 'log' | 'warn' | 'timer'
>;

/** Storage that has not answered by then is done without for this launch. */
const OPEN_MAX_MS = 5_000;
/** Calls that wait for storage. */
const WAITING_MAX = 1_000;

const placeOf = (url: string) => /^https?:\/\/([^/?#]+)([^?#]*)/.exec(url.toLowerCase());

/** React Native follows redirects whatever is asked: a captive portal's page must not count as delivery. */
function isElsewhere(answer: Answer, asked: string): boolean {
  const [there, wanted] = [placeOf(answer.url ?? ''), placeOf(asked)];
  const host = (found: RegExpExecArray) => found[1]?.replace(/:(80|443)$/, '');
  return Boolean(there && wanted && (host(there) !== host(wanted) || there[2] !== wanted[2]));
}

function listenTo({ appState, netInfo }: NativeOptions, run: (moment: Moment) => void): () => void {
  let online = true;
  const states = appState?.addEventListener('change', (state) =>
    run(state === 'active' ? 'show' : 'hide'),
  );
  const unlisten = netInfo?.addEventListener(({ isConnected }) => {
    if (isConnected === null) return;
    if (isConnected && !online) run('online');
    online = isConnected;
  });
  return () => {
    states?.remove();
    unlisten?.();
  };
}

function hostOf(
  engine: Engine,
  options: NativeOptions,
  storage: KeyValue | null,
  now: () => number,
): Host {
  return {
    ...engine,
    id: options.newId ?? engine.id,
    now,
    fetch: async (url, request) => {
      const answer = await engine.fetch(url, request);
      if (isElsewhere(answer, url)) throw new Error('redirected');
      return answer;
    },
    storage: () => storage,
    hidden: () => false,
    exclusive: (_name, work) => work(),
    listen: (run) => listenTo(options, run),
  };
}

/** Reads the disk; nothing when it cannot be read, or not in time. */
async function open(engine: Engine, options: NativeOptions): Promise<KeyValue | null> {
  const onFault = () => {
    try {
      options.onError?.({
        code: 'storage_unavailable',
        message: 'An event is kept in memory only.',
      });
    } catch {
      // The app's own callback failed; the app must not notice through us.
    }
  };
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = engine.timer(() => resolve(null), OPEN_MAX_MS);
  });
  const opened = openDisk(options.storage, options.storagePrefix ?? 'cp.', onFault);
  const storage = await Promise.race([opened.catch(() => null), late]);
  cancel();
  return storage;
}

const PLATFORMS = ['ios', 'android', 'web', 'macos'] as const;

/** A client whose calls wait, with their time, until storage has been read. Never throws. */
export function createNativeClient(engine: Engine, options: NativeOptions): NativeClient {
  const waiting: { at: number; call: (client: Client) => unknown }[] = [];
  let client: Client | undefined;
  let replayed: number | undefined;

  const ready = open(engine, options).then((storage) => {
    const host = hostOf(engine, options, storage, () => replayed ?? engine.now());
    const platform = PLATFORMS.find((one) => one === options.platform) ?? 'other';
    const made = createClientOn(host, { ...options, platform });
    for (const { at, call } of waiting.splice(0)) {
      replayed = at;
      call(made);
    }
    replayed = undefined;
    client = made;
  });
  const soon = (call: (client: Client) => unknown): void => {
    if (client) call(client);
    else if (waiting.length < WAITING_MAX) waiting.push({ at: engine.now(), call });
  };
  return {
    ready,
    track: (name, props) => soon((one) => one.track(name, props)),
    screen: (name) => soon((one) => one.screen(name)),
    identify: (userId) => soon((one) => one.identify(userId)),
    anonymousId: () => client?.anonymousId() ?? null,
    reset: () => soon((one) => one.reset()),
    flush: () => ready.then(() => client?.flush()),
    optOut: () => soon((one) => one.optOut()),
    optIn: () => soon((one) => one.optIn()),
    stop: () => soon((one) => one.stop()),
  };
}
