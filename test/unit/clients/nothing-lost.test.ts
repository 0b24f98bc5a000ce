import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClientOn } from '../../../clients/web/src/client.ts';
import type { Moment } from '../../../clients/web/src/host.ts';
import type { Client } from '../../../clients/web/src/types.ts';
import { type ScriptedAnswer, turn, World } from '../../support/clients/world.ts';

const failing: fc.Arbitrary<ScriptedAnswer> = fc.constantFrom<ScriptedAnswer[]>(
  'cut',
  'lost',
  'hold',
  429,
  500,
  503,
  302,
);
type Step = {
  track?: number;
  times?: number;
  advance?: number;
  jump?: number;
  flush?: number;
  open?: boolean;
  moment?: Moment;
  kill?: boolean;
  release?: boolean;
  answers?: ScriptedAnswer[];
};

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ track: fc.nat(3), times: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ advance: fc.integer({ min: 0, max: 20_000 }) }) },
  fc.record({ jump: fc.integer({ min: -7_200_000, max: 7_200_000 }) }),
  fc.record({ flush: fc.nat(3) }),
  fc.record({ open: fc.constant(true) }),
  fc.record({ moment: fc.constantFrom<Moment[]>('hide', 'leave', 'show', 'online') }),
  fc.record({ kill: fc.constant(true) }),
  fc.record({ release: fc.constant(true) }),
  fc.record({ answers: fc.array(failing, { maxLength: 4 }) }),
);

/** Tabs of one site that come and go; a fourth replaces the first. */
class Site {
  readonly world = new World();
  readonly tracked: number[] = [];
  #tabs: Client[] = [];

  open() {
    const client = createClientOn(this.world.host(), {
      key: 'svp_test',
      url: 'https://service.example',
      storagePrefix: 'cp.',
    });
    this.#tabs = [client, ...this.#tabs].slice(0, 4);
    return client;
  }

  tab(n: number) {
    return this.#tabs[n % this.#tabs.length] ?? this.open();
  }

  track(n: number, times: number) {
    for (let i = 0; i < times; i += 1) {
      this.tab(n).track('app_opened', { n: this.tracked.length });
      this.tracked.push(this.tracked.length);
    }
  }

  async act(one: Step) {
    const { world } = this;
    if (one.track !== undefined) this.track(one.track, one.times ?? 1);
    if (one.advance !== undefined) await world.advance(one.advance);
    if (one.jump !== undefined) world.jump(one.jump);
    if (one.flush !== undefined) void this.tab(one.flush).flush();
    if (one.open) this.open();
    if (one.moment) world.moment(one.moment);
    if (one.release) await world.release();
    if (one.answers) world.answers = [...one.answers];
    if (one.kill) {
      world.kill();
      this.#tabs = [];
    }
    await turn();
  }

  /** The server is well again and a last page stays open. */
  async settle() {
    this.world.answers = [];
    this.world.kill();
    this.open();
    await this.world.advance(15 * 60_000);
  }
}

test('whatever tabs, network and clock do, every event arrives, and always as the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const site = new Site();
      for (const each of steps) await site.act(each);
      await site.settle();
      const arrived = new Map<string, string>();
      const numbers = new Set<number>();
      for (const { body } of site.world.requests) {
        for (const event of body.events as { id: string; props: { n: number } }[]) {
          const before = arrived.get(event.id) ?? JSON.stringify(event);
          expect(JSON.stringify(event)).toBe(before);
          arrived.set(event.id, before);
          numbers.add(event.props.n);
        }
      }
      expect([...numbers].toSorted((a, b) => a - b)).toEqual(site.tracked);
      expect(arrived.size).toBe(site.tracked.length);
    }),
    { numRuns: process.env.TEST_FULL ? 2_000 : 150 },
  );
});
