import { expect } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClientOn } from '../../../clients/web/src/client.ts';
import type { Client, ClientError, Options } from '../../../clients/web/src/types.ts';
import { nativeClient } from './native.ts';
import { MemoryStorage, type ScriptedAnswer, type SentRequest, turn, World } from './world.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

export type BehaviourCase = {
  name: string;
  rule: string;
  only?: 'web' | 'start';
  random?: number;
  storage?: 'blocked';
  steps: Fields[];
};

const FOLDER = join(import.meta.dir, '../../../clients/behaviour');

export function behaviourCases(): { file: string; cases: BehaviourCase[] }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, cases: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) }));
}

/** Replaces `$repeat`, `$join`, `$number` and `$many` by what they stand for. */
export function expand(value: Json): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (value === null || typeof value !== 'object') return value;
  const { $repeat, $join, $number, $many } = value;
  if (Array.isArray($repeat)) return String($repeat[0]).repeat(Number($repeat[1]));
  if (Array.isArray($join)) return $join.map(expand).join('');
  if ($number !== undefined) return Number($number);
  if (Array.isArray($many)) {
    const each = expand($many[1] ?? null);
    return Object.fromEntries(Array.from({ length: Number($many[0]) }, (_, n) => [`p${n}`, each]));
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expand(each)]));
}

const CLIENTS = {
  web: (world: World, options: Options): Client => createClientOn(world.host(), options),
  native: nativeClient,
};

/** Runs the steps of one case against the client of the web or of React Native. */
export class TableCase {
  readonly world = new World();
  #client: Client | undefined;
  #errors: ClientError[] = [];
  #messages: string[] = [];
  /** What the server said with each error, null where it said nothing. */
  #reasons: unknown[] = [];
  #seen = 0;
  #names = new Map<string, unknown>();

  constructor(
    private readonly testCase: BehaviourCase,
    private readonly kind: keyof typeof CLIENTS = 'web',
  ) {
    this.world.random = testCase.random ?? 1;
    if (testCase.storage) this.world.storage = testCase.storage;
  }

  async run() {
    await this.#steps(this.testCase.steps);
  }

  async #steps(steps: Fields[]) {
    for (const step of steps) {
      if ('repeat' in step) {
        for (let n = 0; n < Number(step.repeat); n += 1) await this.#steps(step.steps as Fields[]);
      } else {
        await this.#step(step);
        await turn();
      }
    }
  }

  async #step(step: Fields) {
    const [action = ''] = Object.keys(step);
    const input = expand(step[action] ?? null);
    const client = this.#client;
    const { world } = this;
    const actions: Record<string, () => unknown> = {
      start: () => {
        const { listens = true, ...given } = input as { listens?: boolean };
        const options = { key: 'svp_test', url: 'https://service.example', ...given };
        const onError = (error: ClientError) => {
          this.#errors.push(error);
          this.#messages.push(error.message);
          this.#reasons.push(error.server ?? null);
        };
        this.#client = CLIENTS[this.kind](world, { ...options, ...(listens && { onError }) });
      },
      track: () => {
        const props = expand(step.props ?? null) as Record<string, string> | null;
        for (let n = 0; n < Number(step.times ?? 1); n += 1) {
          client?.track(input as string, props ?? undefined);
        }
      },
      screen: () => client?.screen(input as string),
      identify: () => client?.identify(input as string | null),
      reset: () => client?.reset(),
      // Not awaited: a held answer would never let it end.
      flush: () => void client?.flush(),
      optOut: () => client?.optOut(),
      optIn: () => client?.optIn(),
      hide: () => world.moment('hide'),
      kill: () => world.kill(),
      advance: () => world.advance(input as number),
      jump: () => world.jump(input as number),
      answers: () => {
        world.answers = input as ScriptedAnswer[];
      },
      release: () => world.release(),
      expect: () => this.#expect(input as Fields),
    };
    const act = actions[action];
    if (!act) throw new Error(`No such step: ${action}`);
    await act();
  }

  #expect(wanted: Fields) {
    if (wanted.requests) {
      const fresh = this.world.requests.slice(this.#seen);
      const counts = fresh.map((sent) => (sent.body.events as unknown[]).length);
      expect(counts, 'requests').toHaveLength((wanted.requests as Fields[]).length);
      for (const [n, each] of (wanted.requests as Fields[]).entries()) {
        this.#expectRequest(fresh[n] as SentRequest, each);
      }
      this.#seen += fresh.length;
    }
    if (wanted.errors) {
      const errors = this.#errors.splice(0);
      expect(errors.map((error) => error.code)).toEqual(wanted.errors as never);
    }
    if (wanted.reasons) {
      expect(this.#reasons.splice(0)).toEqual(wanted.reasons as never);
    }
    if (wanted.messages) this.#expectAll(this.#messages.splice(0), wanted.messages, 'messages');
    if (wanted.lines) this.#expectAll(this.world.lines.splice(0), wanted.lines, 'lines');
    if (wanted.warnings) {
      this.#expectAll(this.world.warnings.splice(0), wanted.warnings, 'warnings');
    }
    if (wanted.queued !== undefined) expect(this.queued()).toBe(wanted.queued as number);
  }

  /** Events on the disk, or seen by a flush that nobody answers when there is no disk. */
  queued(): number {
    const { storage } = this.world;
    if (!(storage instanceof MemoryStorage)) return 0;
    return [...storage.items.keys()].filter((name) => name.startsWith('cp.e.')).length;
  }

  #expectAll(actual: string[], wanted: Json, where: string) {
    const all = wanted as Json[];
    expect(actual, where).toHaveLength(all.length);
    for (const [n, each] of all.entries()) this.#expectValue(actual[n], each, `${where} ${n}`);
  }

  #expectRequest(sent: SentRequest, wanted: Fields) {
    const events = sent.body.events as Fields[];
    if (wanted.url) expect(sent.url).toBe(wanted.url as string);
    if (wanted.key) expect(sent.request.headers['x-service-key']).toBe(wanted.key as string);
    if (wanted.count !== undefined) expect(events).toHaveLength(wanted.count as number);
    if (wanted.names) expect(events.map((event) => event.name)).toEqual(wanted.names as Json[]);
    if (wanted.keepalive !== undefined && this.kind === 'web') {
      expect(sent.request.keepalive).toBe(wanted.keepalive as boolean);
    }
    if (wanted.maxBytes) {
      expect(Buffer.byteLength(sent.request.body)).toBeLessThan(wanted.maxBytes as number);
    }
    for (const [n, each] of ((wanted.events ?? []) as Fields[]).entries()) {
      this.#expectFields(events[n] as Fields, each, `event ${n}`);
    }
    this.#expectFields(sent.body.context as Fields, (wanted.context ?? {}) as Fields, 'context');
  }

  #expectFields(actual: Fields, wanted: Fields, where: string) {
    for (const [name, each] of Object.entries(wanted)) {
      this.#expectValue(actual?.[name], each, `${where}.${name}`);
    }
  }

  #expectValue(actual: unknown, wanted: Json, where: string) {
    if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) {
      expect(actual, where).toEqual(wanted as never);
    } else if ('$absent' in wanted) expect(actual, where).toBeUndefined();
    else if ('$matches' in wanted)
      expect(actual, where).toMatch(new RegExp(String(wanted.$matches)));
    else if ('$not' in wanted) {
      expect(actual, where).toBeString();
      expect(actual, where).not.toBe(this.#names.get(String(wanted.$not)));
    } else if ('$as' in wanted) {
      const known = this.#names.get(String(wanted.$as));
      expect(actual, where).toBeString();
      if (known === undefined) this.#names.set(String(wanted.$as), actual);
      else expect(actual, where).toBe(known);
    } else this.#expectFields(actual as Fields, wanted, where);
  }
}
