import { describe, expect, test } from 'bun:test';
import {
  backendReason,
  secondsRemaining,
  toHealth,
  toProject,
} from '../../../../src/providers/backend/map.ts';

const service = (status: string) => ({ healthy: status === 'ACTIVE_HEALTHY', status });

describe('toHealth', () => {
  test.each([
    [['ACTIVE_HEALTHY', 'ACTIVE_HEALTHY'], 'healthy'],
    [['ACTIVE_HEALTHY', 'COMING_UP'], 'coming_up'],
    [['COMING_UP', 'UNHEALTHY'], 'unhealthy'],
    [['ACTIVE_HEALTHY', 'SOMETHING_NEW'], 'unhealthy'],
  ] as const)('%p is %s', (statuses, health) => {
    expect(toHealth(statuses.map(service))).toBe(health);
  });
});

test('the address follows from the ref', () => {
  const ref = 'abcdefghijklmnopqrst';
  expect(toProject({ ref, name: 'n' })).toEqual({
    ref,
    name: 'n',
    url: 'https://abcdefghijklmnopqrst.supabase.co',
  });
});

test('the reason is the message, a list of them too', () => {
  expect(backendReason({ message: 'no' })).toBe('no');
  expect(backendReason({ message: ['a', 'b'] })).toBe('["a","b"]');
  expect(backendReason({ error: 'x' })).toBeNull();
  expect(backendReason('text')).toBeNull();
});

test('the reset counts seconds, and nonsense is none', () => {
  expect(secondsRemaining('42')).toBe(42);
  expect(secondsRemaining('0')).toBe(0);
  expect(secondsRemaining('-1')).toBeNull();
  expect(secondsRemaining('soon')).toBeNull();
  expect(secondsRemaining('')).toBeNull();
});
