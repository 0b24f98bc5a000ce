import { expect, test } from 'bun:test';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { startQueries } from '../../../src/query/start.ts';
import { pause } from '../../support/pause.ts';
import { compactEverything } from '../../support/queries.ts';
import { endQueryProcess } from '../../support/query-process.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { type Asked, questionsOf } from '../../support/whole-questions.ts';
import { EVENT_DAYS, inTurns, startWholeService } from '../../support/whole-service.ts';

/*
 * Questions of all kinds, four at a time, of which each is left at a random instant, cut by its
 * limit or killed with its process, cold and warm, beside compaction, in little memory; then the
 * same without that. Each answer is that of a process that nobody disturbed.
 */
const EVENTS = isFullRun ? 16_000 : 2_000;
const PEOPLE = EVENTS / 5;
const QUESTIONS = isFullRun ? 2_000 : 16;
const WAVE = isFullRun ? 100 : 8;
const AT_ONCE = 4;
const LIMIT_SECONDS = '0.1';

const { deps, storeEvents, ask, send, startProcess } = await startWholeService(PEOPLE);

test('callers who leave, limits and processes that die spoil no figure', async () => {
  await storeEvents(0, EVENTS / 2);
  await compactEverything(deps);
  await storeEvents(EVENTS / 2, EVENTS);
  const questions = questionsOf(QUESTIONS, EVENT_DAYS);
  const random = randomFrom(57);

  const undisturbed = await startQueries(deps, 0);
  const expected: string[] = [];
  const durationsMs: number[] = [];
  await inTurns(AT_ONCE, questions, async (asked, index) => {
    const startedMs = performance.now();
    expected[index] = (await ask(asked)) ?? 'no answer';
    durationsMs[index] = performance.now() - startedMs;
  });
  expect(expected.filter((text) => text === 'no answer')).toEqual([]);
  const everything = { kind: 'series', series: [{}], ...EVENT_DAYS, timezone: 'UTC' };
  const response = await send({ path: 'questions/answer', body: everything });
  expect(await response.json()).toMatchObject({
    ...{ countedFrom: EVENTS, totals: { people: PEOPLE, events: EVENTS } },
  });
  await undisturbed.stop();

  const waves = Array.from({ length: QUESTIONS / WAVE }, (_, wave) => wave);
  const counts = { whole: 0, ended: 0 };
  const compaction = await openCompactor(deps);
  for (const wave of waves) {
    const isLimited = wave % 4 === 1;
    const isKilled = wave % 4 === (isFullRun ? 2 : 1);
    let child = await startProcess(isLimited ? { QUERY_TIMEOUT_SECONDS: LIMIT_SECONDS } : {});
    let restarted: Promise<void> | null = null;
    const restart = async () => {
      await endQueryProcess(child, 'SIGKILL');
      child = await startProcess();
      restarted = null;
    };
    // Beside the questions: the log becomes files, and files become fewer with projections.
    const beside = wave === 0 ? compactEverything(deps) : coalesceOnce(compaction);
    const disturb = async (asked: Asked, index: number): Promise<string | null> => {
      const afterMs = Math.max(1, 1.2 * random() * (durationsMs[index] ?? 0));
      if (isKilled && index % 5 === 3) {
        const answer = ask(asked).catch(() => null);
        await pause(afterMs, 'a random instant of the question');
        restarted ??= restart();
        await restarted;
        return answer;
      }
      if (isLimited) return ask(asked);
      return ask(asked, AbortSignal.timeout(afterMs)).catch(() => null);
    };
    const first = wave * WAVE;
    await inTurns(AT_ONCE, questions.slice(first, first + WAVE), async (asked, place) => {
      const index = first + place;
      const disturbed = await disturb(asked, index);
      const again = await ask(asked);
      for (const found of [disturbed, again]) {
        if (found === null) counts.ended += 1;
        else counts.whole += 1;
        if (found !== null)
          expect({ wave, asked, found }).toEqual({ wave, asked, found: expected[index]! });
      }
      // A limited process, and one that was killed under another question, may have none.
      if (!isLimited && !isKilled) expect({ asked, again }).not.toEqual({ asked, again: null });
    });
    await beside;
    await endQueryProcess(child, 'SIGTERM');
  }
  expect(counts.ended).toBeGreaterThan(QUESTIONS / 9);
  expect(counts.whole).toBeGreaterThan(WAVE);
});
