import { describe, expect, test } from 'bun:test';
import { type Asker, Slots } from '../../../../src/query/schedule/slots.ts';
import { randomFrom } from '../../../support/random.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Seconds of each asker, each of whom always has so many questions waiting or running. */
async function simulate(places: number, asked: Readonly<Record<Asker, number>>, untilS: number) {
  let nowS = 0;
  const random = randomFrom(7);
  const slots = new Slots(places, () => nowS);
  const running = new Set<{ asker: Asker; endsAt: number; end: () => void }>();
  const used = { people: 0, background: 0 };
  const most = { people: 0, background: 0 };
  const ask = (asker: Asker): void => {
    const task = async () => {
      const took = 1 + Math.floor(random() * 4);
      const { promise, resolve } = Promise.withResolvers<void>();
      running.add({ asker, endsAt: nowS + took, end: resolve });
      const own = [...running].filter((one) => one.asker === asker).length;
      most[asker] = Math.max(most[asker], own);
      await promise;
      used[asker] += took;
    };
    void slots.run(asker, task).then(() => ask(asker));
  };
  for (const asker of ['people', 'background'] as const) {
    for (let one = 0; one < asked[asker]; one += 1) ask(asker);
  }
  await settle();
  while (nowS < untilS) {
    nowS = Math.min(...[...running].map(({ endsAt }) => endsAt));
    for (const one of running) {
      if (one.endsAt > nowS) continue;
      running.delete(one);
      one.end();
    }
    await settle();
  }
  return { used, most, share: used.background / (used.people + used.background) };
}

describe('places of a query process', () => {
  test('are the background a tenth of the time while people ask without end', async () => {
    const { share, most } = await simulate(2, { people: 5, background: 5 }, 4_000);
    expect(share).toBeGreaterThan(0.095);
    expect(share).toBeLessThan(0.11);
    expect(most).toEqual({ people: 2, background: 1 });
  });

  test('are the background all while nobody else asks, and a single one too', async () => {
    expect((await simulate(3, { people: 0, background: 9 }, 100)).most.background).toBe(3);
    expect((await simulate(3, { people: 1, background: 9 }, 100)).most.background).toBe(2);
    const { share, most } = await simulate(1, { people: 3, background: 1 }, 4_000);
    expect(most.background).toBe(1);
    expect(share).toBeGreaterThan(0.095);
    expect(share).toBeLessThan(0.11);
  });

  test('are given back by what fails', async () => {
    const slots = new Slots(1);
    const failing = slots.run('background', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await slots.run('people', async () => 'answered')).toBe('answered');
  });
});
