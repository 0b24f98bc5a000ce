import { expect, test } from 'bun:test';
import { ROOT } from '../../../src/launcher/bundle/find.ts';
import { argsFor, checkPurpose } from '../../../src/temporal/contracts/plain-payload.ts';
import { MARKS, readMark, withMarks } from '../../../src/temporal/contracts/payload-marks.ts';

// A bundled process holds its own copy; the SDK loads the converter by its path.
const PATH = `${ROOT}/src/temporal/contracts/plain-payload.ts`;
const { payloadConverter } = await import(`${PATH}?as-loaded-by-the-sdk`);

const PURPOSE = 'workflow:appDeletion';

test('a purpose reaches the converter that the SDK loaded', () => {
  const [first] = argsFor([{ appId: 'app_1' }], PURPOSE);
  const payload = payloadConverter.toPayload(first);
  expect(readMark(payload, MARKS.purpose)).toBe(PURPOSE);
  expect(new TextDecoder().decode(payload.data)).toBe('{"appId":"app_1"}');
});

test('a copy of an input carries no purpose', () => {
  const [first] = argsFor([{ appId: 'app_1' }], PURPOSE);
  const payload = payloadConverter.toPayload({ ...(first as object) });
  expect(readMark(payload, MARKS.purpose)).toBeUndefined();
});

test('what the converter of the SDK opened is checked here', () => {
  const [first] = argsFor([{ appId: 'app_1' }], PURPOSE);
  const sealed = withMarks(payloadConverter.toPayload(first), { [MARKS.sealed]: '1' });
  const opened = payloadConverter.fromPayload(sealed);
  expect(opened).toEqual({ appId: 'app_1' });
  expect(checkPurpose([opened], PURPOSE)).toBe(true);
  expect(() => checkPurpose([opened], 'workflow:storeSync')).toThrow('not encrypted for this run');
  expect(checkPurpose([{ ...opened }], PURPOSE)).toBeNull();
});
