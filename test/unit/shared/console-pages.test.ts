import { expect, test } from 'bun:test';
import { CONSOLE_PAGES, pageAt } from '../../../src/shared/console-pages.ts';

test('the address of each page leads to it', () => {
  for (const { name, path } of CONSOLE_PAGES) {
    expect(pageAt(path.replaceAll(/:\w+/g, 'x'))?.name).toBe(name);
    expect(pageAt(`${path.replaceAll(/:\w+/g, 'x')}/`)?.name).toBe(name);
  }
  expect(pageAt('/apps/x/none')).toBeUndefined();
  expect(pageAt('/sales/none')).toBeUndefined();
});

test('a letter leads to one page', () => {
  const letters = CONSOLE_PAGES.flatMap(({ key }) => key ?? []);
  expect(letters).toHaveLength(new Set(letters).size);
  // "g" begins, "?" and "/" are taken.
  expect(letters).not.toContain('g');
});
