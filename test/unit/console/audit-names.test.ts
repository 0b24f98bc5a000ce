import { expect, test } from 'bun:test';
import {
  actName,
  fieldsOf,
  idOf,
  thingName,
  whoName,
} from '../../../src/console/pages/audit/names.ts';

test('an operation and a table are read as words', () => {
  expect(actName('deleteMark')).toBe('Delete mark');
  expect(actName('org delete')).toBe('Org delete');
  expect(thingName('apikey')).toBe('Keys of servers');
  expect(thingName('mark_notes')).toBe('mark notes');
});

test('each changed field stands once, before beside after', () => {
  expect(
    fieldsOf({ before: { name: 'a', on: true }, after: { name: 'b', rule: { all: [] } } }),
  ).toEqual([
    { field: 'name', before: 'a', after: 'b' },
    { field: 'on', before: 'true', after: '' },
    { field: 'rule', before: '', after: '{"all":[]}' },
  ]);
  expect(fieldsOf({ before: null, after: null })).toEqual([]);
  expect(idOf({ id: { flag_id: 'f', n: 1 } })).toBe('f, 1');
});

test('who is known by name, by kind, or as gone', () => {
  const entry = {
    ...{ id: 'aud_1', at: '2026-11-21T09:00:00.000Z', operation: 'x', appId: null, changes: [] },
    ...{ address: null, userAgent: null, requestId: 'req_1' },
  };
  const names = new Map([['u1', 'Ada']]);
  expect(whoName({ ...entry, actorKind: 'user', actorId: 'u1' }, names)).toBe('Ada');
  expect(whoName({ ...entry, actorKind: 'user', actorId: 'u2' }, names)).toContain('u2');
  expect(whoName({ ...entry, actorKind: 'operator', actorId: null }, names)).toBe('Operator');
  expect(whoName({ ...entry, actorKind: 'visitor', actorId: null }, names)).toBe('Not signed in');
});
