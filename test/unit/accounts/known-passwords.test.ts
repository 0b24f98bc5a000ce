import { describe, expect, test } from 'bun:test';
import { isKnownPassword } from '../../../src/modules/identity/accounts/known-passwords.ts';

const owner = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };

describe('a password', () => {
  test.each([
    'password12',
    'Password123!',
    'P@ssw0rd2026',
    '1234567890',
    '9876543210',
    '20261122112233',
    'qwertyuiop',
    'qwerty123456',
    '1234qwerasdf',
    'aaaaaaaaaa',
    '1212121212',
    'abcabcabcabc',
    'abcdefghijkl',
    'iloveyou2026',
    'letmein12345',
    'Summer2026!!',
    'letmeinletmein',
    'Letmein-letmein-letmein1',
    'welcomeP@ssword',
    'welcome_2026',
    'ada.lovelace@example.com',
    'ada.lovelace',
    'AdaLovelace1815',
    'Ada Lovelace',
  ])('%s is known', (password) => {
    expect(isKnownPassword(password, owner)).toBe(true);
  });

  test.each([
    'correct horse battery',
    'a long password',
    'the new password',
    'chosen password',
    'another password',
    'yet another one',
    'xK7-qpl2-Zrw9',
    'monkey dragon coffee',
    'Zk3mPq9sTnVb',
    'blue giraffe 7 teapots',
    'lovelace wrote notes',
  ])('%s is not', (password) => {
    expect(isKnownPassword(password, owner)).toBe(false);
  });
});
