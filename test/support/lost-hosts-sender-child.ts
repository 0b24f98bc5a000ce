/**
 * Sends numbered events to the hosts that its parent names, each batch again, unchanged and to any
 * host, until one acknowledges it. A process of its own: what its parent computes delays nobody.
 */
import { type Acknowledged, BATCH_EVENTS, type SenderOptions } from './lost-hosts-load.ts';
import { until } from './until.ts';
import { pause } from './pause.ts';

const ANSWER_LIMIT_MS = 10_000;
const RETRY_MS = 100;
const REPORT_EVERY_MS = 100;

const options: SenderOptions = JSON.parse(process.env.SENDER ?? '{}');
let hosts: readonly string[] = [];
let stopped = false;
let next = 0;
let turn = 0;
let refusals = 0;
let unreported: Acknowledged[] = [];
let strange: string[] = [];

process.on('message', (message: { hosts?: string[]; stop?: true }) => {
  hosts = message.hosts ?? hosts;
  stopped ||= message.stop === true;
});
process.on('disconnect', () => process.exit(0));

/** Events numbered from `first` in `sessionId`; half of them have an `id`, the others a `ts` alone. */
function body(first: number, nowMs: number): string {
  const ts = new Date(nowMs).toISOString();
  const events = Array.from({ length: BATCH_EVENTS }, (_, i) => {
    const n = first + i;
    return {
      name: 'step',
      anonymousId: `anonymous-${n % 5_000}`,
      sessionId: String(n),
      ts,
      ...(n % 2 && { id: `number-${String(n).padStart(9, '0')}` }),
    };
  });
  return JSON.stringify({ events });
}

async function deliver(first: number): Promise<void> {
  const sentAtMs = Date.now();
  const text = body(first, sentAtMs);
  for (;;) {
    turn += 1;
    const url = hosts[turn % hosts.length] ?? '';
    const answer = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.device },
      body: text,
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    }).catch((error: Error) => {
      strange.push(`${url}: ${error.message}`);
      return null;
    });
    const acknowledgedAtMs = Date.now();
    await answer?.text().catch(() => '');
    if (answer?.status === 202) {
      unreported.push({ first, url, sentAtMs, acknowledgedAtMs, bytes: text.length });
      return;
    }
    refusals += 1;
    if (answer && !(answer.status === 503 && answer.headers.has('retry-after'))) {
      strange.push(`${url}: ${answer.status}`);
    }
    await pause(RETRY_MS, 'before the next attempt');
  }
}

async function sendOn(): Promise<void> {
  const { clients, eventsPerSecond } = options;
  const everyMs = (clients * BATCH_EVENTS * 1_000) / eventsPerSecond;
  let dueMs = performance.now() + Math.random() * everyMs;
  while (!stopped) {
    await pause(Math.max(0, dueMs - performance.now()), 'events at a steady rate');
    dueMs = Math.max(dueMs + everyMs, performance.now() - everyMs);
    const first = next;
    next += BATCH_EVENTS;
    await deliver(first);
  }
}

function report(done = false): void {
  process.send?.({ batches: unreported, refusals, strange, done });
  unreported = [];
  strange = [];
}

await until('hosts are named', () => hosts.length !== 0);
const reporting = setInterval(report, REPORT_EVERY_MS);
await Promise.all(Array.from({ length: options.clients }, sendOn));
clearInterval(reporting);
report(true);
