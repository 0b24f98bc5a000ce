import type { Host } from './host.ts';
import { createPace } from './pace.ts';
import { type Entry, type Queue, utf8Length } from './queue.ts';
import { createSender, type Outcome } from './sender.ts';
import type { Settings } from './settings.ts';
import type { Report } from './types.ts';

/** The server takes 64 KB; a page on its way out may have 64 KB under way in all, the host's included. */
const BODY_MAX = 64_000;
const HIDDEN_BODY_MAX = 52_000;
const BATCH_MAX = 100;
const ORPHAN_CHECK_MS = 60_000;

/** What a timer is for; the later in this list, the more urgent. */
const [NOTHING, ORPHANS, EVENTS, FULL_BATCH] = [0, 1, 2, 3];

export interface Flusher {
  flush(): Promise<void>;
  /** Sees to it that a timer runs when there is something to send; `soon` when a batch is full. */
  schedule(soon?: boolean): void;
  /** The network is back: what failed before says nothing about now. */
  online(): void;
  adopt(): void;
  /** Ends what is under way. */
  halt(): void;
}

type Verdict = 'delivered' | 'refused' | 'barred' | 'split' | 'again';

function judge({ status, retryAfterMs }: Outcome, events: number): Verdict {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 413 && events > 1) return 'split';
  // A key that was revoked: no other batch fares better before the server's time is over.
  if (status === 401 && retryAfterMs > 0) return 'barred';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'again';
}

/** What `debug` shows of a batch and its answer. */
function lineOf(batch: Entry[], { status, failure, server }: Outcome): string {
  const names = batch.map(({ json }) => JSON.parse(json).name);
  const answer = [status || `no answer: ${failure}`, ...Object.values(server ?? {})];
  return `control-plane: ${names} → ${answer.join(' ')}`;
}

/** Posts the queue batch by batch until it is empty or the server does not take one. */
function createDrain(
  settings: Settings,
  queue: Queue,
  host: Host,
  settle: (verdict: Verdict, outcome: Outcome) => void,
) {
  const sender = createSender(settings, host);
  let bodyMax = BODY_MAX;
  const nextBatch = (context: string): Entry[] => {
    const count = queue.length > BATCH_MAX ? BATCH_MAX : settings.batchSize;
    const room = host.hidden() ? Math.min(bodyMax, HIDDEN_BODY_MAX) : bodyMax;
    return queue.head(count, room - utf8Length(context) - 40);
  };
  async function post(batch: Entry[], context: string, wanted: () => boolean): Promise<Verdict> {
    const body = `{"events":[${batch.map((entry) => entry.json).join()}],"context":${context}}`;
    const bytes = utf8Length(body);
    const outcome = await sender.send(body, bytes);
    if (settings.debug) host.log(lineOf(batch, outcome));
    if (!wanted()) return 'again';
    const verdict = judge(outcome, batch.length);
    if (verdict === 'split') bodyMax = bytes >> 1;
    if (verdict === 'delivered') bodyMax = Math.min(bodyMax * 2, BODY_MAX);
    if (verdict !== 'split' && verdict !== 'again') queue.remove(batch);
    settle(verdict, outcome);
    return verdict;
  }
  async function drain(wanted: () => boolean): Promise<void> {
    for (;;) {
      queue.refresh();
      const context = settings.context();
      const batch = nextBatch(context);
      if (!batch.length) return;
      const verdict = await post(batch, context, wanted);
      if (verdict === 'again' || verdict === 'barred') return;
    }
  }
  return { drain, abort: sender.abort };
}

/** Sends the queue, one flush at a time, and decides when the next one is due. */
export function createFlusher(
  settings: Settings,
  queue: Queue,
  host: Host,
  report: Report,
): Flusher {
  const pace = createPace(settings.intervalMs, host);
  const { drain, abort } = createDrain(settings, queue, host, (verdict, outcome) => {
    const { retryAfterMs: _, failure, ...answer } = outcome;
    if (verdict === 'again' || verdict === 'barred') pace.failed(outcome);
    else pace.recovered();
    if (verdict === 'again') {
      report('not_delivered', `It will be sent again. ${failure ?? ''}`.trim(), answer);
    }
    if (verdict === 'refused' || verdict === 'barred') {
      report('batch_dropped', 'The server refused a batch.', answer);
    }
  });
  let cancelTimer: (() => void) | undefined;
  let due = NOTHING;
  let run = 0;
  let flushing = false;
  let orphans = false;

  const clearTimer = () => {
    cancelTimer?.();
    due = NOTHING;
  };
  function schedule(soon = false): void {
    const hurry = soon && !pace.failing();
    const wanted = hurry ? FULL_BATCH : queue.length ? EVENTS : orphans ? ORPHANS : NOTHING;
    if (flushing || wanted <= due) return;
    clearTimer();
    due = wanted;
    const waits = [0, ORPHAN_CHECK_MS, pace.delay(), 0];
    cancelTimer = host.timer(tick, waits[wanted] ?? 0);
  }
  function adopt(): void {
    host.exclusive('cp.adopt', () => {
      orphans = queue.adopt();
      schedule();
    });
  }
  function tick(): void {
    clearTimer();
    if (orphans) adopt();
    void flush();
  }
  async function flush(): Promise<void> {
    if (flushing || pace.barred()) return schedule();
    clearTimer();
    flushing = true;
    run += 1;
    const mine = run;
    await drain(() => mine === run).catch((error) => report('unexpected', error));
    if (mine !== run) return;
    flushing = false;
    schedule();
  }
  return {
    flush,
    schedule,
    adopt,
    online: () => {
      pace.recovered();
      void flush();
    },
    halt: () => {
      run += 1;
      flushing = false;
      clearTimer();
      abort();
    },
  };
}
