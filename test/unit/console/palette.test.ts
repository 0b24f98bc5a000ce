import { describe, expect, test } from 'bun:test';
import {
  type Entry,
  pageEntries,
  thingEntries,
  typedSections,
  untypedSections,
} from '../../../src/console/palette/entries.ts';
import { looksLikeId, rank } from '../../../src/console/rank.ts';

const APPS = [
  { id: 'app_1', displayName: 'Focus Timer' },
  { id: 'app_2', displayName: 'Plant Diary' },
];
const linkTo = (name: string, appId?: string) =>
  appId ? `/apps/${appId}/${name}?days=7` : `/${name}`;
const pages = (current?: string) => pageEntries(APPS, current, linkTo);
const nameOf = ({ text, detail }: Entry) => `${text} · ${detail}`;

describe('what fits what was typed', () => {
  test('beginnings go before insides, the present app before the others', () => {
    const found = rank(pages('app_2'), 'fun').map(nameOf);
    expect(found).toEqual(['Funnels · Plant Diary', 'Funnels · Focus Timer']);
  });

  test('every word has to occur, in the name or behind it, in any case and accent', () => {
    expect(rank(pages(), 'focus FUN').map(nameOf)).toEqual(['Funnels · Focus Timer']);
    expect(rank(pages(), 'focus zebra')).toEqual([]);
    expect(rank([{ text: 'Café' }], 'cafe')).toHaveLength(1);
  });

  test('the whole name goes before a name that begins with it', () => {
    const found = rank([{ text: 'Keys of members' }, { text: 'Keyss' }, { text: 'Keys' }], 'keys');
    expect(found.map(({ text }) => text)).toEqual(['Keys', 'Keys of members', 'Keyss']);
  });

  test('nothing typed is everything in order', () => {
    expect(rank([{ text: 'b' }, { text: 'a' }], '  ').map(({ text }) => text)).toEqual(['b', 'a']);
  });
});

test.each([
  ['MK5TJ4QV2N', true],
  ['2000000123456789', true],
  ['demo-01zh-316643780', true],
  ['funnels', false],
  ['2.4.0', false],
  ['order 66 of 2026', false],
])('%s is an id: %p', (text, expected) => {
  expect(looksLikeId(text)).toBe(expected);
});

test('keys stand at the pages that they lead to', () => {
  const keyed = pages('app_2').filter(({ keys }) => keys);
  expect(keyed.filter(({ detail }) => detail === 'Focus Timer')).toEqual([]);
  expect(keyed.find(({ text }) => text === 'Funnels')?.keys).toEqual(['G', 'F']);
});

test('questions, funnels, views and experiments of an app lead to themselves', () => {
  const entries = thingEntries(
    [
      {
        app: { id: 'app_1', displayName: 'Focus Timer' },
        questions: [{ id: 'qst_1', name: 'No result', page: 'trends' }],
        funnels: [{ id: 'fun_1', name: 'Onboarding', steps: 4 }],
        views: [{ title: 'By version', page: 'funnels', query: 'breakdown=appVersion' }],
        experiments: [{ id: 'exp_1', name: 'Film' }],
      },
    ],
    linkTo,
  );
  expect(entries.map(({ href }) => href)).toEqual([
    '/apps/app_1/trends?saved=qst_1',
    '/apps/app_1/funnels?funnel=fun_1',
    '/apps/app_1/funnels?breakdown=appVersion',
    '/apps/app_1/experiments/exp_1',
  ]);
  expect(entries[1]?.detail).toBe('\u2068Focus Timer\u2069 · 4 steps');
});

test('before anything is typed the last ones stand on top, once', () => {
  const all = pages('app_1');
  const key = all.at(-1)?.key ?? '';
  const [recent, first] = untypedSections(all, ['gone', key]);
  expect(recent?.entries.map((entry) => entry.key)).toEqual([key]);
  expect(first?.entries.some((entry) => entry.key === key)).toBe(false);
  expect(untypedSections(all, [])[0]?.name).toBe('pages');
});

test('groups stand in their order, however well one of a later group fits', () => {
  const entry = (group: Entry['group'], text: string): Entry => ({
    key: text,
    group,
    text,
    icon: 'add',
  });
  const sections = typedSections(rank([entry('acts', 'New'), entry('pages', 'Renew')], 'new'));
  expect(sections.map(({ name }) => name)).toEqual(['pages', 'acts']);
});
