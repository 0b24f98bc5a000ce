import { expect, test } from 'bun:test';
import { whyNoDatabase } from '../../../src/launcher/database-failure.ts';

const fault = (message: string, code: string) => Object.assign(new Error(message), { code });
const url = 'postgres://me:secret@db.example:5999/records';

test.each([
  ['connect ECONNREFUSED 127.0.0.1:5999', 'ECONNREFUSED', 'cannot be reached', 'set DATABASE_URL'],
  ['getaddrinfo ENOTFOUND db.example', 'ENOTFOUND', 'cannot be reached', 'Check the host name'],
  ['password authentication failed for user "me"', '28P01', 'refused', 'Check user and password'],
  ['database "records" does not exist', '3D000', 'refused', 'Create the database'],
  ['unsupported startup parameter: lock_timeout', '08P01', 'cannot be reached', 'DATABASE_POOLER'],
  // By a pooler, of what the server behind it said.
  ['server login failed: FATAL database "records" does not exist', '08P01', 'refused', 'Create'],
  ['no such database: records', '08P01', 'refused', 'Create the database'],
  ['server login failed: FATAL password authentication failed', '08P01', 'refused', 'password in'],
  ['no such user: me', '08P01', 'refused', 'Check user and password'],
])('%s names the variable, the address and what to do', (message, code, what, hint) => {
  const sentence = whyNoDatabase(url, fault(message, code));
  expect(sentence).toStartWith(`PostgreSQL (DATABASE_URL, db.example:5999) ${what}: ${message}. `);
  expect(sentence).toContain(hint);
  expect(sentence).not.toContain('secret');
});

test('the direct address is named as such', () => {
  const sentence = whyNoDatabase(url, fault('no', '3D000'), 'DATABASE_DIRECT_URL');
  expect(sentence).toStartWith('PostgreSQL (DATABASE_DIRECT_URL, db.example:5999) refused: no. ');
  const away = whyNoDatabase(url, fault('no', 'ENOTFOUND'), 'DATABASE_DIRECT_URL');
  expect(away).toEndWith('Check the host name in DATABASE_DIRECT_URL.');
});
