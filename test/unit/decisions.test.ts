import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from '../support/sources.ts';

const FOLDER = join(ROOT, 'docs/adr');
const names = [...new Glob('[0-9]*.md').scanSync(FOLDER)].toSorted();
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

test('decisions have one running number', () => {
  expect(names.map((name) => name.slice(0, 5))).toEqual(
    names.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
  );
});

test('each decision has one form', () => {
  const odd = names.flatMap((name) => {
    const text = textOf(name);
    const parts = [/^\*\*Context\b/m, /^\*\*Decision\b/m, /^\*\*Consequences\b/m, /^\*\*Confirm/m];
    const isTitled = text.startsWith(`# ${name.slice(0, 4)} `);
    return isTitled && parts.every((part) => part.test(text)) ? [] : [name];
  });
  expect(odd).toEqual([]);
});

test('the list has each decision, with its title and whether it is in force', () => {
  const listed = textOf('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const expected = names.map((name) => {
    const text = textOf(name);
    const [, title = ''] = /^# \d{4} (.*)$/m.exec(text) ?? [];
    const state = /^Superseded by/m.test(text) ? 'superseded' : 'in force';
    return ['', `[${name.slice(0, 4)}](${name})`, title, state, ''];
  });
  expect(listed).toEqual(expected);
});
