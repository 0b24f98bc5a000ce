import { expect, test } from 'bun:test';
import { fieldFault } from '../../../src/console/state/field-fault.ts';
import { FIELD_RULES, type FieldRule } from '../../../src/shared/field-rules.ts';

const label = 'Key';
const { flagKey, bucket, appSlug } = FIELD_RULES;

test.each<[string, Partial<Parameters<typeof fieldFault>[1]>, string]>([
  ['', { rule: 'flagKey', minLength: 3 }, ''],
  ['new_checkout', { rule: 'flagKey' }, ''],
  [' new_checkout ', { rule: 'flagKey' }, ''],
  ['2fast', { rule: 'flagKey' }, `Key ${flagKey.rule}.`],
  ['“new_checkout”', { rule: 'flagKey' }, 'Key is in quotes. Remove them.'],
  ['"2fast"', { rule: 'flagKey' }, `Key ${flagKey.rule}.`],
  ['gs://pubsite_prod_1/', { rule: 'bucket' }, ''],
  ['https://play.google.com', { rule: 'bucket' }, `Key ${bucket.rule}.`],
  ['ab', { rule: 'appSlug' }, `Key ${appSlug.rule}.`],
  ['👩'.repeat(80), { maxLength: 80 }, ''],
  ['👩'.repeat(1_081), { maxLength: 80 }, 'Key has 1,081 characters; at most 80 fit.'],
  ['short', { minLength: 10 }, 'Key: at least 10 characters.'],
  ['0', { type: 'number', min: 1, max: 10_000 }, 'Key must be from 1 to 10,000.'],
  ['-1', { type: 'number', min: 1 }, 'Key must be at least 1.'],
  ['1.5', { type: 'number', min: 1 }, 'Key must be a whole number.'],
  ['1.5', { type: 'number', min: 1, step: 0.01 }, ''],
  ['ann', { type: 'email' }, 'Key must be a whole address, such as ann@example.com.'],
  ['ann@example.com', { type: 'email' }, ''],
])('%j within %j: %j', (text, bounds, fault) => {
  expect(fieldFault(text, { label, ...bounds })).toBe(fault);
});

test('each rule is a pattern and a clause that follows a label', () => {
  for (const { pattern, rule } of Object.values<FieldRule>(FIELD_RULES)) {
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
    expect(rule).toMatch(/^must .*[^.]$/);
  }
});
