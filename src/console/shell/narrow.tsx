import { CONSOLE_PAGES, isOfApp, type PageName } from '../../shared/console-pages.ts';
import { Button } from '../parts/button.tsx';
import type { Icon } from '../parts/icons.ts';
import * as icons from '../parts/icons.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { PAGE_ICONS } from '../parts/page-icons.ts';
import { openPalette } from '../state/palette.ts';
import { type Place, useLinks, usePlace } from '../state/place.ts';
import { texts } from '../texts/index.ts';
import { AppSwitch, OrganizationSwitch, usePersonItems } from './switches.tsx';

const t = texts.nav;

type Tab = { name: PageName; text: string; icon: Icon };

const tabOf = (name: PageName, text: string = t[name]): Tab => ({
  name,
  text,
  icon: PAGE_ICONS[name],
});
const APP_TABS = [
  tabOf('today'),
  tabOf('trends'),
  tabOf('funnels'),
  { name: 'subscribers', text: t.money, icon: icons.sales } as const,
];
const HOME_TABS = [tabOf('home'), tabOf('sales'), tabOf('messages'), tabOf('connect')];

function useMoreItems(here: Place, tabs: readonly Tab[]): MenuItem[] {
  const linkTo = useLinks();
  const person = usePersonItems();
  const rest = CONSOLE_PAGES.filter(
    (page) =>
      page.group !== 'detail' &&
      page.name !== 'account' &&
      page.name !== 'status' &&
      !tabs.some(({ name }) => name === page.name) &&
      (here.appId || !isOfApp(page)),
  );
  const items = rest.flatMap(({ name, group }, index): MenuItem[] => {
    const href = linkTo(name);
    if (!href) return [];
    const startsGroup = index > 0 && rest[index - 1]?.group !== group;
    return [{ key: name, label: t[name], icon: PAGE_ICONS[name], href, startsGroup }];
  });
  return [...items, ...person.map((item, index) => ({ startsGroup: index === 0, ...item }))];
}

export function TopBar() {
  const here = usePlace();
  return (
    <header class="top-bar">
      {here.appId ? <AppSwitch here={here} /> : <OrganizationSwitch />}
      <button
        type="button"
        class="ghost icon-only"
        aria-label={t.search}
        onClick={() => openPalette()}
      >
        <icons.search />
      </button>
      {here.page?.name === 'home' && (
        <Button kind="ghost" icon={icons.add} label={t.addApp} href="/?add=app" />
      )}
    </header>
  );
}

/** The rest stands behind the last tab. */
export function TabBar() {
  const here = usePlace();
  const linkTo = useLinks();
  const tabs = here.appId ? APP_TABS : HOME_TABS;
  const more = useMoreItems(here, tabs);
  return (
    <nav class="tab-bar" aria-label={t.pages}>
      {tabs.map(({ name, text, icon: Glyph }) => {
        const href = linkTo(name);
        return (
          href && (
            <a key={name} href={href} aria-current={here.page?.name === name ? 'page' : undefined}>
              <Glyph />
              {text}
            </a>
          )
        );
      })}
      <Menu
        label={t.more}
        placement="top-end"
        button={{ class: '', icon: icons.menu, text: t.more }}
        items={more}
      />
    </nav>
  );
}
