import { at, must } from '../../shared/assert.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { type Payers, Shares } from './shares.ts';
import type { Asker } from './slots.ts';

export type Lane = 'long' | 'short';

export const LANES: readonly Lane[] = ['long', 'short'];

export const laneOf = ({ url }: { url: string }): Lane =>
  new URL(url).searchParams.get('lane') === 'short' ? 'short' : 'long';

export const readAsker = ({ url }: { url: string }): Asker =>
  new URL(url).searchParams.has('background') ? 'background' : 'people';

/** Per process. */
export type Capacity = { processes: number } & Record<Lane, number>;

export type Waiting = { payers: Payers; costSeconds: number };

export type Place = { lane: Lane; process: number };

type Held = Place & { sinceS: number; chargedS: number };

export const SHORT_SECONDS = 1;

export const limitOf = (lane: Lane, seconds = SHORT_SECONDS): AbortSignal =>
  lane === 'short' ? AbortSignal.timeout(seconds * SECOND_MS) : new AbortController().signal;

/** Answered by the process that ended it. */
export const OVERRUN_STATUS = 408;
/** Processor time, where a process knows it. */
export const USED_HEADER = 'x-used-seconds';

/** Short questions take either place. One is left to other persons. */
export class Places<T extends Waiting> {
  readonly #capacity: Capacity;
  readonly #shares = new Shares();
  readonly #held = new Map<T, Held>();
  readonly waiting = new Set<T>();
  #begun = 0;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  used(lane: Lane): number {
    return this.#ofLane(lane).length;
  }

  total(lane: Lane): number {
    return this.#capacity[lane] * this.#capacity.processes;
  }

  next(nowS: number): (Place & { question: T }) | null {
    for (const question of this.#held.keys()) this.#charge(question, nowS);
    const isShort = ({ costSeconds }: T) => costSeconds <= SHORT_SECONDS;
    const may = (lane: Lane, question: T) =>
      (lane === 'long' || isShort(question)) && this.#isFree(lane, question);
    const open = [...this.waiting].filter((one) => may('short', one) || may('long', one));
    const question = this.#shares.first(open);
    if (!question) return null;
    const lane: Lane = may('short', question) ? 'short' : 'long';
    const place = { lane, process: this.#emptiest(lane) };
    this.waiting.delete(question);
    this.#shares.begin(question.payers);
    this.#held.set(question, { ...place, sinceS: nowS, chargedS: 0 });
    return { ...place, question };
  }

  end(question: T, nowS: number): number {
    const seconds = this.#charge(question, nowS);
    this.#held.delete(question);
    return seconds;
  }

  /** While time passes: how long it takes is unknown. */
  #charge(question: T, nowS: number): number {
    const held = must(this.#held.get(question), 'a question that is charged has a place');
    const seconds = nowS - held.sinceS;
    this.#shares.charge(question.payers, seconds - held.chargedS);
    held.chargedS = seconds;
    return seconds;
  }

  #ofLane(lane: Lane): [T, Held][] {
    return [...this.#held].filter(([, held]) => held.lane === lane);
  }

  #isFree(lane: Lane, { payers }: T): boolean {
    const held = this.#ofLane(lane);
    const own = held.filter(([other]) => other.payers[0] === payers[0]).length;
    const total = this.total(lane);
    return held.length < total && own < Math.max(1, total - 1);
  }

  #emptiest(lane: Lane): number {
    const held = this.#ofLane(lane);
    const { processes } = this.#capacity;
    const all = Array.from({ length: processes }, (_, n) => (this.#begun + n) % processes);
    const used = all.map((index) => held.filter(([, { process }]) => process === index).length);
    this.#begun += 1;
    return at(all, used.indexOf(Math.min(...used)));
  }
}
