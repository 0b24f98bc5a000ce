import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { withSourcePlaces } from '../../../src/launcher/bundle/source-places.ts';
import { ROOT, readSources } from '../../support/sources.ts';

test('a bundled module finds its files where its source lies', () => {
  const text = 'join(import.meta.dir, a); new URL(b, import.meta.url); import.meta.path;';
  expect(withSourcePlaces(text, '/x/y.ts')).toBe(
    'join("/x", a); new URL(b, "file:///x/y.ts"); "/x/y.ts";',
  );
});

test('every way in which modules name their place is known', () => {
  const left = [...readSources('{src,activities,clients}/**/*.ts')].filter(({ path, text }) =>
    withSourcePlaces(text, join(ROOT, path)).includes('import.meta.'),
  );
  expect(left.map(({ path }) => path)).toEqual(['src/launcher/bundle/source-places.ts']);
});
