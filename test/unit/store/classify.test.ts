import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  classifyFailure,
  classifyMissing,
  firstError,
  isVersionFault,
  remainingInHour,
  requestedVersion,
  retryAfterSeconds,
} from '../../../src/providers/store/classify.ts';
import type { SimulatorAnswer } from '../../simulators/kit/server.ts';
import { ERRORS } from '../../simulators/store/errors.ts';

const body = (answer: SimulatorAnswer) => JSON.stringify(answer.json);
const kindOf = (answer: SimulatorAnswer, retryAfter: string | null = null) =>
  classifyFailure({ status: answer.status, retryAfter, body: body(answer) }).kind;

describe('what a failure means', () => {
  test.each([
    ['credentials', ERRORS.notAuthorized()],
    ['role', ERRORS.roleMissing()],
    ['agreement', ERRORS.agreement()],
    ['vendor', ERRORS.invalidVendor()],
    ['not_found', ERRORS.noSuchResource()],
    ['rate_limited', ERRORS.rateLimited()],
    ['unexpected', ERRORS.unexpected()],
    ['protocol', ERRORS.invalidCombination()],
    ['protocol', ERRORS.notAcceptable()],
  ] as const)('%s', (kind, answer) => {
    expect(kindOf(answer)).toBe(kind);
  });

  test.each([500, 502, 503, 504])('a %d with an HTML page is the store being away', (status) => {
    const fault = classifyFailure({ status, retryAfter: null, body: '<html>Bad Gateway</html>' });
    expect(fault.kind).toBe('unavailable');
  });

  test('only from 500 on the store is away; what it said is kept, up to 300 characters', () => {
    const of = (status: number, code: string) =>
      classifyFailure({ status, retryAfter: null, body: JSON.stringify({ errors: [{ code }] }) });
    expect([499, 500].map((status) => of(status, 'X').kind)).toEqual(['protocol', 'unavailable']);
    expect(of(418, 'TEAPOT').message).toBe('The store answered 418 (TEAPOT: ).');
    expect(of(418, 'x'.repeat(400)).message).toBe(`The store answered 418 (${'x'.repeat(300)}).`);
  });

  test('a 403 without a readable body is a missing role', () => {
    expect(classifyFailure({ status: 403, retryAfter: null, body: '' }).kind).toBe('role');
  });

  test('a later agreement code is told by its beginning', () => {
    const answer = ERRORS.agreement();
    const changed = body(answer).replace('_OR_EXPIRED', '_OR_OLD');
    expect(classifyFailure({ status: 403, retryAfter: null, body: changed }).kind).toBe(
      'agreement',
    );
  });

  test('the wait of a 429 is kept', () => {
    const fault = classifyFailure({ status: 429, retryAfter: '17', body: '' });
    expect(fault.retryAfterSeconds).toBe(17);
  });

  test('no body, however strange, makes it throw', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 599 }),
        fc.oneof(fc.string(), fc.json()),
        (status, text) => {
          expect(classifyFailure({ status, retryAfter: null, body: text }).message).toBeTruthy();
        },
      ),
    );
  });
});

describe('the two meanings of a missing report', () => {
  test.each([
    ['no_sales', ERRORS.noSales()],
    ['not_yet', ERRORS.notYet()],
    ['unclear', ERRORS.unclear()],
  ] as const)('%s', (kind, answer) => {
    expect(classifyMissing(body(answer)).kind).toBe(kind);
  });

  test('an empty body is unclear, never a zero', () => {
    expect(classifyMissing('').kind).toBe('unclear');
    expect(classifyMissing('<html>').kind).toBe('unclear');
    const long = JSON.stringify({ errors: [{ code: 'NOT_FOUND', detail: 'y'.repeat(400) }] });
    expect(classifyMissing(long).detail).toBe('y'.repeat(300));
  });
});

describe('versions', () => {
  test('the version asked for is read out of the sentence', () => {
    expect(requestedVersion(body(ERRORS.invalidVersion('1_4')))).toBe('1_4');
    const missing = ERRORS.invalidVersion('1_2');
    const text = body(missing).replace(/The version parameter.*?invalid\./, 'Please include it.');
    expect(requestedVersion(text)).toBe('1_2');
  });

  test('other parameters are not about the version', () => {
    expect(isVersionFault(body(ERRORS.invalidVendor()))).toBe(false);
    expect(isVersionFault(body(ERRORS.invalidVersion('2_0')))).toBe(true);
    const parameter = { code: 'X', source: { parameter: 'filter[version]' } };
    expect(isVersionFault(JSON.stringify({ errors: [parameter] }))).toBe(true);
    const sentence = { code: 'X', detail: 'The latest version for this report is 1_1.' };
    expect(isVersionFault(JSON.stringify({ errors: [sentence] }))).toBe(true);
    expect(firstError('[]')).toBeNull();
  });
});

describe('headers', () => {
  test.each([
    ['user-hour-lim:3500;user-hour-rem:500;', 500],
    ['user-hour-lim:3600;user-hour-rem:0', 0],
    [' user-hour-rem:12 ;', null],
    ['user-hour-rem:x;', null],
    ['user-hour-lim:3600;', null],
    [null, null],
  ])('%p leaves %p', (header, remaining) => {
    expect(remainingInHour(header)).toBe(remaining);
  });

  test.each([
    ['30', 30],
    ['0', 0],
    ['999999', 3600],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
    ['', undefined],
    [null, undefined],
  ])('Retry-After %p is %p', (header, seconds) => {
    expect(retryAfterSeconds(header)).toBe(seconds);
  });
});
