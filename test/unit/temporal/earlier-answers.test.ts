import { expect, test } from 'bun:test';
import { defaultPayloadConverter } from '@temporalio/common';
import { forgedAnswers } from '../../../src/temporal/contracts/forged-answers.ts';
import { MARKS, type Payload, withMarks } from '../../../src/temporal/contracts/payload-marks.ts';

const UNTIL_MS = 1_000;
const payload = defaultPayloadConverter.toPayload({ message: 'No such row.' });
const earlier = withMarks(payload, { [MARKS.acceptedUntil]: String(UNTIL_MS) });
const foreign = withMarks(payload, { [MARKS.acceptedUntil]: '0' });
const sealed = withMarks(payload, { [MARKS.sealed]: '1', [MARKS.purpose]: 'failure:not_found' });

const isForged = (result: object, startedMs: number) =>
  forgedAnswers({ jobs: [{ resolveActivity: { seq: 1, result } }] } as any, startedMs).length > 0;
const completed = (result: Payload | null) => ({ completed: { result } });
const failed = (type: string, payloads: Payload[], message = 'No such row.') => ({
  failed: { failure: { message, applicationFailureInfo: { type, details: { payloads } } } },
});

test.each([
  ['for this run', sealed, false, false],
  ['of the release before', earlier, false, true],
  ['for another run', foreign, true, true],
  ['unmarked', payload, true, true],
])('an answer %s is taken as the begin of the run says', (_, one, within, after) => {
  for (const answer of [completed(one), failed('not_found', [one])]) {
    expect(isForged(answer, UNTIL_MS - 1)).toBe(within);
    expect(isForged(answer, UNTIL_MS)).toBe(after);
  }
});

test('a failure is ours only with a proof of its code and message', () => {
  expect(isForged(failed('not_found', []), 0)).toBe(true);
  expect(isForged(failed('conflict', [sealed]), 0)).toBe(true);
  expect(isForged(failed('not_found', [sealed], 'Another.'), 0)).toBe(true);
  expect(isForged(failed('not_found', [sealed, foreign]), 0)).toBe(true);
  expect(isForged(completed(null), 0)).toBe(true);
});
