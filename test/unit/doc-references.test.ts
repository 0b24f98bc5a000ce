import { describe, expect, test } from 'bun:test';
import { brokenReferences } from '../../scripts/check-doc-references.ts';

const check = (text: string) => brokenReferences('docs/page.md', text);

describe('references in the documents', () => {
  test('to files that are there are fine', () => {
    expect(
      check('See `src/config.ts`, `test/unit/` and [the rules](../CONTRIBUTING.md#commits).'),
    ).toEqual([]);
  });

  test('to files that are gone are named with their line', () => {
    expect(check('One.\nSee `src/no-such-file.ts` and [it](gone.md).')).toEqual([
      'docs/page.md:2 src/no-such-file.ts',
      'docs/page.md:2 docs/gone.md',
    ]);
  });

  test('to headings that are gone are named', () => {
    const text = '# A page\n[a](#a-page) [b](#b-page) [c](glossary.md#no-such-heading)';
    expect(check(text)).toEqual([
      'docs/page.md:2 docs/page.md#b-page',
      'docs/page.md:2 docs/glossary.md#no-such-heading',
    ]);
  });

  test('to decisions are found by their number', () => {
    expect(check('ADR 0009, then ADR 0999.')).toEqual(['docs/page.md:1 ADR 0999']);
  });

  test('to many files, other sites and other words are not looked at', () => {
    const text =
      '`src/modules/<chapter>/model.ts` `test/**/*.test.ts` `src/storage/migrations/NNNN_name.sql` ' +
      '[x](https://example.com/a.md) `bun run test` `GET /v1/apps/{id}` `docs/…`';
    expect(check(text)).toEqual([]);
  });
});
