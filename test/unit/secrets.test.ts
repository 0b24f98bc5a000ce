import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AppError } from '../../src/shared/errors.ts';
import { createSecrets } from '../../src/storage/secrets/secrets.ts';

const keyA = Buffer.alloc(32, 1).toString('base64');
const keyB = Buffer.alloc(32, 2).toString('base64');
const scope = { orgId: 'org_1', purpose: 'store-key' };

describe('createSecrets', () => {
  test('opens what it sealed, whatever the text', () => {
    const secrets = createSecrets([keyA]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.toWellFormed();
        expect(secrets.open(scope, secrets.seal(scope, plain))).toBe(plain);
      }),
    );
  });

  test('the sealed record does not hold the text, and never looks the same twice', () => {
    const secrets = createSecrets([keyA]);
    const first = secrets.seal(scope, 'private-key-text');
    expect(Buffer.from(first.split('.')[2] ?? '', 'base64').toString()).not.toContain('private');
    expect(secrets.seal(scope, 'private-key-text')).not.toBe(first);
  });

  test('a record cannot be opened for another organization or purpose, or after a change', () => {
    const secrets = createSecrets([keyA]);
    const sealed = secrets.seal(scope, 'x');
    expect(() => secrets.open({ ...scope, orgId: 'org_2' }, sealed)).toThrow();
    expect(() => secrets.open({ ...scope, purpose: 'other' }, sealed)).toThrow();
    const flipped = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(() => secrets.open(scope, flipped)).toThrow();
  });

  test('rotation: the first key seals, all keys open', () => {
    const old = createSecrets([keyA]).seal(scope, 'x');
    const rotated = createSecrets([keyB, keyA]);
    expect(rotated.open(scope, old)).toBe('x');
    expect(rotated.needsRotation(old)).toBe(true);
    expect(rotated.needsRotation(rotated.seal(scope, 'x'))).toBe(false);
  });

  test('without a key, or with the wrong one, storage is unavailable', () => {
    const sealed = createSecrets([keyA]).seal(scope, 'x');
    for (const secrets of [createSecrets([]), createSecrets([keyB])]) {
      try {
        secrets.open(scope, sealed);
        expect.unreachable();
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(AppError);
        expect((thrown as AppError).code).toBe('secret_storage_unavailable');
      }
    }
    expect(createSecrets([]).available).toBe(false);
    expect(() => createSecrets([]).seal(scope, 'x')).toThrow(AppError);
  });
});
