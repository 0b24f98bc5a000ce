import {
  CONSOLE_PAGES,
  type ConsolePage,
  isOfApp,
  type PageName,
} from '../../shared/console-pages.ts';
import type { Door } from '../state/ask.ts';
import { texts } from '../texts/index.ts';
import { palette as t } from '../texts/palette.ts';
import type { Findable } from '../rank.ts';

export type EntryGroup = 'pages' | 'questions' | 'funnels' | 'views' | 'experiments' | 'acts';

export type ActIcon = 'add' | 'download' | 'pin' | 'link' | 'keyboard' | 'signOut';

export type Entry = Findable & {
  key: string;
  group: EntryGroup;
  icon: PageName | ActIcon;
  href?: string;
  run?: () => void;
  keys?: readonly string[];
};

export type PaletteApp = { id: string; displayName: string };

export type AppThings = {
  app: PaletteApp;
  questions: readonly { id: string; name: string; page: Door }[];
  funnels: readonly { id: string; name: string; steps: number }[];
  views: readonly {
    title: string;
    page: 'trends' | 'retention' | 'funnels' | 'questions';
    query: string;
  }[];
  experiments: readonly { id: string; name: string }[];
};

type LinkTo = (name: PageName, appId?: string) => string | undefined;

function pageEntry(
  { name, key }: ConsolePage,
  linkTo: LinkTo,
  app: PaletteApp | undefined,
  hasKeys: boolean,
): Entry[] {
  const href = linkTo(name, app?.id);
  if (!href) return [];
  return [
    {
      key: `page ${name} ${app?.id ?? ''}`,
      group: 'pages',
      text: texts.nav[name],
      detail: app?.displayName ?? t.organization,
      icon: name,
      href,
      ...(hasKeys && key && { keys: ['G', key.toUpperCase()] }),
    },
  ];
}

export function pageEntries(
  apps: readonly PaletteApp[],
  currentId: string | undefined,
  linkTo: LinkTo,
): Entry[] {
  const listed = CONSOLE_PAGES.filter(({ group }) => group !== 'detail');
  const sorted = apps.toSorted(
    (one, other) => Number(other.id === currentId) - Number(one.id === currentId),
  );
  const keyed = currentId ?? apps[0]?.id;
  const ofApps = sorted.flatMap((app) =>
    listed.filter(isOfApp).flatMap((page) => pageEntry(page, linkTo, app, app.id === keyed)),
  );
  const others = listed.filter((page) => !isOfApp(page));
  const ofAll = others.flatMap((page) => pageEntry(page, linkTo, undefined, true));
  return currentId ? [...ofApps, ...ofAll] : [...ofAll, ...ofApps];
}

const isNoQuestion = ({ query }: { query: string }): boolean => !/(^|&)saved=/.test(query);

const withQuery = (href: string, query: string): string =>
  `${href.split('?')[0]}${query && `?${query}`}`;

export function thingEntries(things: readonly AppThings[], linkTo: LinkTo): Entry[] {
  return things.flatMap(({ app, questions, funnels, views, experiments }): Entry[] => {
    const to = (name: PageName, query: string) => withQuery(linkTo(name, app.id) ?? '/', query);
    return [
      ...questions.map(
        ({ id, name, page }): Entry => ({
          key: `question ${id}`,
          group: 'questions',
          text: name,
          detail: app.displayName,
          keywords: [t.groups.questions],
          icon: page,
          href: to(page, `${new URLSearchParams({ saved: id })}`),
        }),
      ),
      ...funnels.map(
        ({ id, name, steps }): Entry => ({
          key: `funnel ${id}`,
          group: 'funnels',
          text: name,
          detail: t.funnelOf(app.displayName, steps),
          keywords: [t.groups.funnels],
          icon: 'funnels',
          href: to('funnels', `${new URLSearchParams({ funnel: id })}`),
        }),
      ),
      ...views.filter(isNoQuestion).map(
        ({ title, page, query }): Entry => ({
          key: `view ${app.id} ${page} ${query}`,
          group: 'views',
          text: title,
          detail: t.pinnedOn(app.displayName),
          keywords: [texts.nav[page]],
          icon: 'pin',
          href: to(page, query),
        }),
      ),
      ...experiments.map(
        ({ id, name }): Entry => ({
          key: `experiment ${id}`,
          group: 'experiments',
          text: name,
          detail: app.displayName,
          keywords: [t.groups.experiments],
          icon: 'experiments',
          href: `${(linkTo('experiments', app.id) ?? '/').split('?')[0]}/${id}`,
        }),
      ),
    ];
  });
}

const SHOWN = { untyped: 6, typed: 8 };

export type EntrySection = { name: EntryGroup | 'recent'; entries: readonly Entry[] };

const ORDER: readonly EntryGroup[] = [
  'pages',
  'questions',
  'funnels',
  'views',
  'experiments',
  'acts',
];
const RECENT_SHOWN = 4;

/** Used last, pages from here, acts. */
export function untypedSections(all: readonly Entry[], recent: readonly string[]): EntrySection[] {
  const known = new Map(all.map((entry) => [entry.key, entry]));
  const used = recent.flatMap((key) => known.get(key) ?? []).slice(0, RECENT_SHOWN);
  const rest = all.filter((entry) => !used.includes(entry));
  return [
    { name: 'recent' as const, entries: used },
    ...ORDER.map((name) => ({
      name,
      entries: rest.filter(({ group }) => group === name).slice(0, SHOWN.untyped),
    })),
  ].filter(({ entries }) => entries.length > 0);
}

export function typedSections(ranked: readonly Entry[]): EntrySection[] {
  return ORDER.map((name) => ({
    name,
    entries: ranked.filter(({ group }) => group === name).slice(0, SHOWN.typed),
  })).filter(({ entries }) => entries.length > 0);
}
