import type { Answer, Host, KeyValue, Moment, Request } from '../../../clients/web/src/host.ts';

export type ScriptedAnswer =
  | number
  | 'cut'
  | 'lost'
  | 'hold'
  | { status: number; retryAfter?: string; body?: string }
  | { always: ScriptedAnswer };

export type SentRequest = { url: string; request: Request; body: Record<string, unknown> };

/** Lets everything run that waits for nothing but its turn. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export class MemoryStorage implements KeyValue {
  readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(name: string) {
    return this.items.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    this.items.set(name, value);
  }
  removeItem(name: string) {
    this.items.delete(name);
  }
}

/** What surrounds a web client: server, clock, timers and disk, all of them scripted. */
export class World {
  storage: KeyValue | 'blocked' = new MemoryStorage();
  random = 1;
  hidden = false;
  answers: ScriptedAnswer[] = [];
  requests: SentRequest[] = [];
  lines: string[] = [];
  warnings: string[] = [];
  #wall = Date.parse('2026-03-01T12:00:00.000Z');
  #elapsed = 0;
  #ids = 0;
  #timers = new Set<{ at: number; run: () => void }>();
  #listeners = new Set<(moment: Moment) => void>();
  #held: (() => void)[] = [];

  readonly host = (): Host => {
    // A page's own timers and listeners: `kill` takes them away, the rest stays.
    const timers = this.#timers;
    const listeners = this.#listeners;
    return {
      fetch: (url, request) => this.#answer(url, request),
      storage: () => {
        if (this.storage === 'blocked') throw new Error('SecurityError');
        return this.storage;
      },
      now: () => this.#wall,
      random: () => this.random,
      id: () => {
        this.#ids += 1;
        return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
      },
      locale: () => 'en-US',
      log: (line) => this.lines.push(line),
      warn: (line) => this.warnings.push(line),
      hidden: () => this.hidden,
      timer: (run, ms) => {
        const timer = { at: this.#elapsed + ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      exclusive: (_name, work) => work(),
      listen: (run) => {
        listeners.add(run);
        return () => listeners.delete(run);
      },
    };
  };

  moment(moment: Moment) {
    if (moment === 'hide') this.hidden = true;
    if (moment === 'show') this.hidden = false;
    for (const run of [...this.#listeners]) run(moment);
  }

  kill() {
    this.#timers = new Set();
    this.#listeners = new Set();
    this.#held = [];
    this.hidden = false;
  }

  jump(ms: number) {
    this.#wall += ms;
  }

  async advance(ms: number) {
    const end = this.#elapsed + ms;
    for (;;) {
      await turn();
      const due = [...this.#timers].filter((timer) => timer.at <= end);
      const next = due.sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#moveTo(Math.max(next.at, this.#elapsed));
      this.#timers.delete(next);
      next.run();
    }
    this.#moveTo(end);
    await turn();
  }

  async release() {
    for (const release of this.#held.splice(0)) release();
    await turn();
  }

  #moveTo(at: number) {
    this.#wall += at - this.#elapsed;
    this.#elapsed = at;
  }

  async #answer(url: string, request: Request): Promise<Answer> {
    const head = this.answers[0];
    const always = typeof head === 'object' && 'always' in head;
    const scripted = always ? head.always : (this.answers.shift() ?? 202);
    this.requests.push({ url, request, body: JSON.parse(request.body) });
    if (scripted === 'cut' || scripted === 'lost') throw new TypeError('Failed to fetch');
    if (scripted === 'hold') await new Promise<void>((resolve) => this.#held.push(resolve));
    const status = typeof scripted === 'number' ? scripted : 202;
    const answer = typeof scripted === 'object' && 'status' in scripted ? scripted : undefined;
    const retryAfter = answer?.retryAfter ?? null;
    return {
      status: answer?.status ?? status,
      text: async () => answer?.body ?? '',
      headers: { get: (name) => (name.toLowerCase() === 'retry-after' ? retryAfter : null) },
    };
  }
}
