import { expect, test } from 'bun:test';
import { isVerified } from '../../../src/modules/identity/company/verified-address.ts';

const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const ENTRA = `https://login.microsoftonline.com/${TENANT}/v2.0`;
const OTHER = 'https://issuer.example.com';

test('an address is verified by the word of the issuer, boolean or text', () => {
  for (const email_verified of [true, 'true', 'True', 1, '1']) {
    expect(isVerified(OTHER, { email_verified })).toBe(true);
  }
  const never = [
    false,
    'false',
    'False',
    'FALSE',
    ' true',
    '',
    'no',
    0,
    '0',
    null,
    [],
    {},
    'truefalse',
  ];
  for (const email_verified of never) {
    expect(isVerified(OTHER, { email_verified })).toBe(false);
    expect(isVerified(ENTRA, { email_verified })).toBe(false);
  }
});

test('an absent claim counts only for the directory of one company', () => {
  const directories = [
    ENTRA,
    `https://login.microsoftonline.us/${TENANT}/v2.0`,
    `https://sts.windows.net/${TENANT}/`,
    'https://sign-in.company.example/adfs',
  ];
  const others = [
    OTHER,
    'https://accounts.google.com',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    `https://login.microsoftonline.com.evil.example/${TENANT}/v2.0`,
    `https://evil.example/https://login.microsoftonline.com/${TENANT}/v2.0`,
    'https://evil.example/x/adfs',
    `http://sts.windows.net/${TENANT}/`,
  ];
  expect(directories.map((issuer) => isVerified(issuer, {}))).toEqual(directories.map(() => true));
  expect(others.map((issuer) => isVerified(issuer, {}))).toEqual(others.map(() => false));
  const owned = [true, 'true', '1', 1].map((xms_edov) => isVerified(ENTRA, { xms_edov }));
  expect(owned).toEqual([true, true, true, true]);
  const foreign = [false, 'false', '0', 0, null].map((xms_edov) => isVerified(ENTRA, { xms_edov }));
  expect(foreign.slice(0, 4)).toEqual([false, false, false, false]);
});
