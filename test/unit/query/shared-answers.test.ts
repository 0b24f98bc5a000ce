import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CallerLeft, SharedAnswers, type SharedWork } from '../../../src/query/shared-answers.ts';

/** Work that is told when to begin and what to answer. */
function stage(joinableMs?: number) {
  const answers = new SharedAnswers<string>(joinableMs);
  const begun: (SharedWork & PromiseWithResolvers<string>)[] = [];
  const ask = (question = 'q', signal?: AbortSignal) =>
    answers.ask(question, signal, (work) => {
      const one = { ...work, ...Promise.withResolvers<string>() };
      begun.push(one);
      return one.promise;
    });
  return { ask, begun };
}

describe('the same question', () => {
  test('of many at once is answered once, and another by itself', async () => {
    const { ask, begun } = stage();
    const asked = [ask(), ask(), ask(), ask('other')];
    expect(begun).toHaveLength(2);
    begun[0]!.resolve('one');
    begun[1]!.resolve('two');
    expect(await Promise.all(asked)).toEqual(['one', 'one', 'one', 'two']);
  });

  test('is answered anew once there was an answer, or a failure', async () => {
    const { ask, begun } = stage();
    const first = ask();
    begun[0]!.resolve('one');
    expect(await first).toBe('one');
    const outcomes = Promise.allSettled([ask(), ask()]);
    begun[1]!.reject(new Error('no memory'));
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ reason: { message: 'no memory' } });
    }
    void ask();
    expect(begun).toHaveLength(3);
  });

  test('waits for a turn together however long, but does not join what began to read too long ago', async () => {
    const { ask, begun } = stage(0);
    const waiting = [ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]!.begins();
    const later = [ask(), ask()];
    expect(begun).toHaveLength(2);
    // The end of the first does not part those who wait for the second.
    begun[0]!.resolve('older');
    expect(await Promise.all(waiting)).toEqual(['older', 'older']);
    const joined = ask();
    expect(begun).toHaveLength(2);
    begun[1]!.resolve('newer');
    expect(await Promise.all([...later, joined])).toEqual(['newer', 'newer', 'newer']);
  });

  test('goes on while one caller is left, and is cancelled when the last has gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4]), async (leaving) => {
        const { ask, begun } = stage();
        const callers = Array.from({ length: 5 }, () => new AbortController());
        const asked = callers.map(({ signal }) => ask('q', signal));
        const outcomes = Promise.allSettled(asked);
        for (const index of leaving) {
          expect(begun[0]!.signal.aborted).toBe(false);
          callers[index]!.abort();
          await asked[index]!.catch(() => undefined);
        }
        expect(begun[0]!.signal.aborted).toBe(leaving.length === 5);
        begun[0]!.resolve('answer');
        for (const [index, outcome] of (await outcomes).entries()) {
          if (leaving.includes(index)) {
            expect(outcome).toMatchObject({ reason: expect.any(CallerLeft) });
          } else expect(outcome).toMatchObject({ value: 'answer' });
        }
      }),
    );
  });

  test('is not begun for somebody who has left already', async () => {
    const { ask, begun } = stage();
    await expect(ask('q', AbortSignal.abort())).rejects.toBeInstanceOf(CallerLeft);
    expect(begun).toEqual([]);
  });
});
