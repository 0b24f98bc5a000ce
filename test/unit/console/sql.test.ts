import { describe, expect, test } from 'bun:test';
import { drawnOf } from '../../../src/console/state/sql-chart.ts';
import { parametersIn, toTyped, toValue } from '../../../src/console/state/sql-text.ts';

const columns = (...types: string[]) => types.map((type, index) => ({ name: `c${index}`, type }));

describe('the parameters of a text', () => {
  test('are its names after a dollar, once each, outside of texts and comments', () => {
    const text = `SELECT $a, '$no', "$no", $1 -- $no
      /* $no */ WHERE x = $a AND y = $b_2 AND z = 'it''s $no'`;
    expect(parametersIn(text)).toEqual(['a', '1', 'b_2']);
  });

  test('are numbers where they look like it, and null where nothing is typed', () => {
    expect(['7', '-1.5', 'x', '1e9', '', '00x'].map(toValue)).toEqual([
      ...[7, -1.5, 'x', '1e9', null, '00x'],
    ]);
    expect([7, true, null, 'x', undefined].map(toTyped)).toEqual(['7', 'true', '', 'x', '']);
  });
});

describe('an answer', () => {
  test('by days is a line from left to right, whatever its order', () => {
    const rows = [
      ['2026-01-02T00:00:00Z', 5, '1.5'],
      ['2026-01-01T00:00:00Z', null, '2.5'],
    ];
    const answer = { columns: columns('TIMESTAMP WITH TIME ZONE', 'BIGINT', 'DECIMAL(9,2)'), rows };
    expect(drawnOf(answer)).toEqual({
      kind: 'line',
      head: 'c0',
      names: ['2026-01-01', '2026-01-02'],
      series: [
        { name: 'c1', values: [null, 5] },
        { name: 'c2', values: [2.5, 1.5] },
      ],
    });
  });

  test('by names has bars', () => {
    const rows = [
      ['b', 2, 'x'],
      ['a', 1, 'y'],
    ];
    const drawn = drawnOf({ columns: columns('VARCHAR', 'INTEGER', 'VARCHAR'), rows });
    expect(drawn).toMatchObject({ kind: 'bar', names: ['b', 'a'], series: [{ name: 'c1' }] });
  });

  test.each([
    ['one row', columns('VARCHAR', 'BIGINT'), [['a', 1]]],
    [
      'a name twice',
      columns('VARCHAR', 'BIGINT'),
      [
        ['a', 1],
        ['a', 2],
      ],
    ],
    [
      'no figure',
      columns('VARCHAR', 'VARCHAR'),
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    ],
    [
      'figures only',
      columns('BIGINT', 'BIGINT'),
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['no column', [], [[], []]],
  ])('with %s is no picture', (_, some, rows) => {
    expect(drawnOf({ columns: some, rows })).toBeNull();
  });
});
