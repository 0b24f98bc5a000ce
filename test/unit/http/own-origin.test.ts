import { describe, expect, test } from 'bun:test';
import { ownOrigins, toPublicUrl } from '../../../src/shared/own-origin.ts';

const at = (host: string, port = 3000, publicUrl?: string) => ({ host, port, publicUrl });

describe('the address that people are given', () => {
  test.each([
    [at('127.0.0.1'), 'http://localhost:3000'],
    [at('0.0.0.0', 4000), 'http://localhost:4000'],
    [at('::', 4000), 'http://localhost:4000'],
    [at('192.168.1.5'), 'http://192.168.1.5:3000'],
    [at('fd00::5'), 'http://[fd00::5]:3000'],
    [at('127.0.0.1', 3000, 'https://example.com/'), 'https://example.com'],
  ])('%j is %s', (listening, url) => {
    expect(toPublicUrl(listening)).toBe(url);
  });
});

describe('the origins that are our own', () => {
  test('are all loopback names on our port, where we are reached by one', () => {
    const names = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'];
    expect(ownOrigins(at('127.0.0.1')).toSorted()).toEqual(names.toSorted());
    expect(ownOrigins(at('0.0.0.0', 80))).toContain('http://localhost');
  });

  test('are the public one alone, where there is one', () => {
    expect(ownOrigins(at('127.0.0.1', 3000, 'https://example.com'))).toEqual([
      'https://example.com',
    ]);
  });
});
