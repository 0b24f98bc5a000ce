import { describe, expect, test } from 'bun:test';
import { keyOfFile, misplacedValue } from '../../../src/console/pages/store/misplaced.ts';

const ISSUER = '57246542-96fe-1a63-e053-0824d011072a';

describe("the store's two keys", () => {
  test('are told apart by the names that the store gives their files', () => {
    expect(keyOfFile('AuthKey_2X9R4HXF34.p8')).toEqual({ kind: 'reporting', keyId: '2X9R4HXF34' });
    expect(keyOfFile('SubscriptionKey_2X9R4HXF34 (1).p8')).toEqual({
      kind: 'purchase',
      keyId: '2X9R4HXF34',
    });
    expect(keyOfFile('key.p8')).toBeNull();
  });

  test('a value of the form of another field is named as that one', () => {
    expect(misplacedValue('keyId', ISSUER)).toBe('Key id: this looks like the issuer id.');
    expect(misplacedValue('vendorNumber', '2X9R4HXF34')).toBe(
      'Vendor number: this looks like the key id.',
    );
    expect(misplacedValue('issuerId', '80012345')).toBe(
      'Issuer id: this looks like the vendor number.',
    );
  });

  test('a value of its own form, or of none that is known, is left to the store', () => {
    for (const [field, value] of [
      ['issuerId', ISSUER],
      ['keyId', '2X9R4HXF34'],
      ['vendorNumber', '80012345'],
      ['keyId', 'anything'],
      ['vendorNumber', 'V-1'],
    ] as const) {
      expect(misplacedValue(field, value)).toBeNull();
    }
  });
});
