import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  LineReader,
  parseMessage,
  storable,
  Tail,
} from '../../../src/modules/preview/runner/protocol.ts';

const line = (preview: unknown) => JSON.stringify({ preview });
const bytes = (text: string) => new TextEncoder().encode(text);

describe('messageOf', () => {
  test('reads what a runner says about itself', () => {
    const said = { phase: 'ready', webUrl: 'http://localhost:8081', expoUrl: null, version: 3 };
    expect(parseMessage(line(said))).toEqual(said as never);
    expect(parseMessage(line({ errors: ['\u001b[31mred\u001b[0m\u0000'] }))).toEqual({
      errors: ['red'],
    });
  });

  test.each([
    'Starting Metro',
    '{',
    '{"level":"info"}',
    '[{"preview":{}}]',
    line({ phase: 'stopped' }),
    line({ phase: 'error' }),
    line({ version: 1.5 }),
    line({ webUrl: 7 }),
    line({ webUrl: 'javascript:alert(1)' }),
    line({ expoUrl: 'file:///etc/passwd' }),
    line('ready'),
    '',
  ])('%j is output', (text) => {
    expect(parseMessage(text)).toBeNull();
  });

  test('keeps the last 20 errors, each of a sane length', () => {
    const errors = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const kept = parseMessage(line({ errors }))?.errors ?? [];
    expect(kept.length).toBe(20);
    expect(kept[0]).toStartWith('20 ');
    expect(kept.every((text) => text.length <= 500)).toBe(true);
  });
});

describe('LineReader', () => {
  test('puts lines together however the bytes are cut', () => {
    const text = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '{'), maxLength: 20 }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (lines, cuts) => {
        const reader = new LineReader();
        const all = bytes(lines.map((each) => `${each}\n`).join(''));
        const seen: string[] = [];
        let from = 0;
        for (const cut of [...cuts, all.length]) {
          seen.push(...reader.push(all.subarray(from, from + cut)));
          from += cut;
        }
        expect(seen).toEqual(lines);
      }),
    );
  });

  test('a line that never ends does not fill the memory', () => {
    const reader = new LineReader(100);
    expect(reader.push(bytes('x'.repeat(80)))).toEqual([]);
    expect(reader.push(bytes('x'.repeat(80)))).toEqual(['x'.repeat(160)]);
    expect(reader.push(bytes('y\r\n'))).toEqual(['y']);
  });
});

test('Tail keeps the last 20 lines that say something', () => {
  const tail = new Tail();
  for (let index = 0; index < 30; index += 1) {
    tail.add(`line ${index}`);
    tail.add('  ');
  }
  expect(tail.text().split('\n')).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i + 10}`));
});

test('what is stored holds nothing that a database or a terminal minds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
      const shown = storable(text);
      expect(shown).not.toMatch(/\p{Cc}/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(500);
    }),
  );
});
