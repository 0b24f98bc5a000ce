import { CONSOLE_PAGES } from '../../src/shared/console-pages.ts';

export type Shown = { name: string; path: string };

/** States of pages that are worth a picture of their own. */
const STATES: readonly Shown[] = [
  { name: 'trends-by-platform', path: ':app/trends?event=app_opened&breakdown=platform' },
  { name: 'funnels-by-version', path: ':app/funnels?breakdown=appVersion&compare=previous' },
  { name: 'funnel-editor', path: ':app/funnels?edit=new' },
  { name: 'help', path: '/help/funnels' },
];

const pictureOf = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Pages by their address; `:app` is the address of the larger app of the demo. */
export const SHOWN_PAGES: readonly Shown[] = [
  ...CONSOLE_PAGES.filter(({ group }) => group !== 'detail').map(({ name, path }) => ({
    name: pictureOf(name),
    path: path.replace('/apps/:id', ':app'),
  })),
  ...STATES,
];

/** Pages of one thing: the first link of a list whose address has this in it. */
export const FIRST_OF = [
  { name: 'experiment', list: ':app/experiments', begin: '/experiments/' },
  { name: 'person', list: ':app/people', begin: '/people/' },
];
