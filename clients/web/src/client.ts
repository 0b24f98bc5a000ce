import { cleanProps, cut, isEventName, userIdFault } from './clean.ts';
import { createFlusher } from './flusher.ts';
import type { Host, Moment } from './host.ts';
import { createIdentity, type Identity } from './identity.ts';
import { createQueue, utf8Length } from './queue.ts';
import { optionsFault, readSettings } from './settings.ts';
import { createStore } from './store.ts';
import type { Client, Options, Properties, PropertyValue, Report, WireEvent } from './types.ts';

/** Bytes of one event; what is larger could not even be sent alone from a page that is hidden. */
const EVENT_MAX = 50_000;

/** What nobody listens for and a developer can mend is said once on the console, with `debug` each time. */
function reporter(options: Options | undefined, host: Pick<Host, 'warn'>): Report {
  const { onError, debug }: Partial<Options> = options ?? {};
  const said: Partial<Record<string, true>> = { storage_unavailable: true, queue_full: true };
  return (code, reason, answer) => {
    const message = String(reason);
    try {
      // Under `debug` the line of a batch says it already.
      if (debug ? !answer : !onError && !said[code]) {
        said[code] = true;
        const words = ['control-plane:', code, message, ...Object.values(answer?.server ?? {})];
        host.warn(words.join(' '));
      }
      onError?.({ code, message, ...answer });
    } catch {
      // The host's own callback failed; the host must not notice through us.
    }
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

function wireEvent(
  name: string,
  props: Record<string, PropertyValue>,
  identity: Identity,
  host: Host,
): WireEvent {
  const userId = identity.userId();
  return {
    id: host.id(),
    name,
    ts: new Date(host.now()).toISOString(),
    anonymousId: identity.anonymousId(),
    ...(userId && { userId }),
    sessionId: identity.sessionId(),
    ...(Object.keys(props).length && { props }),
  };
}

function assemble(options: Options, host: Host, report: Report): Client {
  const settings = readSettings(options, host);
  const noStorage = once(() => report('storage_unavailable', 'Nothing outlives this page.'));
  const store = createStore(() => host.storage(), options.storagePrefix ?? 'cp.', noStorage);
  const identity = createIdentity(store, host);
  const queue = createQueue(store, host, report);
  const flusher = createFlusher(settings, queue, host, report);

  function track(name: string, props?: Properties): void {
    if (identity.optedOut()) return;
    if (!isEventName(name)) {
      report('invalid_name', `"${String(name)}" is not an event name.`);
      return;
    }
    const event = wireEvent(name, cleanProps(props, report), identity, host);
    const json = JSON.stringify(event);
    if (utf8Length(json) > EVENT_MAX) report('event_too_large', `"${name}" is too large.`);
    else {
      queue.add(json);
      flusher.schedule(queue.length >= settings.batchSize);
    }
  }
  function halt(): void {
    flusher.halt();
    queue.clear();
  }
  async function flush(): Promise<void> {
    if (identity.optedOut()) return halt();
    return flusher.flush();
  }
  function on(moment: Moment): void {
    if (moment === 'online') flusher.online();
    else if (moment === 'show') flusher.adopt();
    else void flush();
    if (moment === 'leave') queue.leave();
  }
  const unlisten = host.listen((moment) => guard(() => on(moment)));
  function guard(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      report('unexpected', error);
    }
  }
  function identify(userId: string | null): void {
    const fault = userId === null ? undefined : userIdFault(userId);
    if (fault) report('invalid_user_id', fault);
    if (!identity.optedOut()) identity.setUser(fault ? null : userId);
  }
  // Made at once rather than with the first event, so that a second tab finds it.
  guard(() => identity.optedOut() || identity.anonymousId());
  guard(flusher.adopt);
  return {
    track: (name, props) => guard(() => track(name, props)),
    screen: (name) => guard(() => track('screen_viewed', { screen: cut(String(name), 500) })),
    identify: (userId) => guard(() => identify(userId)),
    anonymousId: () => {
      let id: string | null = null;
      guard(() => {
        if (!identity.optedOut()) id = identity.anonymousId();
      });
      return id;
    },
    reset: () => guard(() => identity.optedOut() || identity.reset()),
    flush: () => flush().catch((error) => report('unexpected', error)),
    optOut: () =>
      guard(() => {
        halt();
        identity.setOptedOut(true);
      }),
    optIn: () => guard(() => identity.setOptedOut(false)),
    stop: () =>
      guard(() => {
        unlisten();
        flusher.halt();
        queue.leave();
      }),
  };
}

const nothing = () => {};
const inert: Client = {
  track: nothing,
  screen: nothing,
  identify: nothing,
  anonymousId: () => null,
  reset: nothing,
  flush: () => Promise.resolve(),
  optOut: nothing,
  optIn: nothing,
  stop: nothing,
};

/** Makes a client over `host`; one that does nothing where the options cannot be used. Never throws. */
export function createClientOn(host: Host, options: Options): Client {
  let report: Report = nothing;
  try {
    report = reporter(options, host);
    const fault = optionsFault(options);
    if (!fault) return assemble(options, host, report);
    report('invalid_options', fault);
  } catch (error) {
    report('unexpected', error);
  }
  return inert;
}
