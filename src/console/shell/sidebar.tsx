import type { ComponentChildren } from 'preact';
import { CONSOLE_PAGES, type PageGroup, type PageName } from '../../shared/console-pages.ts';
import { PAGES } from '../pages.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import type { Icon } from '../parts/icons.ts';
import * as icons from '../parts/icons.ts';
import { PAGE_ICONS } from '../parts/page-icons.ts';
import { openPalette } from '../state/palette.ts';
import { type Place, useLinks, usePlace } from '../state/place.ts';
import { texts } from '../texts/index.ts';
import { AppDot, ConnectionsDot, ExperimentsNote, SalesNote, SettingsDot } from './states.tsx';
import { AppSwitch, OrganizationSwitch, PersonMenu } from './switches.tsx';

const t = texts.nav;

export const namesIn = (group: PageGroup): PageName[] =>
  CONSOLE_PAGES.filter((page) => page.group === group).map(({ name }) => name);

function Entry(props: {
  href: string | undefined;
  icon: Icon;
  text: string;
  current?: 'page' | 'true' | undefined;
  preload?: () => void;
  children?: ComponentChildren;
}) {
  const { href, icon: Glyph } = props;
  if (!href) return null;
  return (
    <a
      class="nav-link"
      href={href}
      aria-current={props.current}
      onPointerEnter={props.preload}
      onFocus={props.preload}
    >
      <Glyph />
      {props.text}
      {props.children}
    </a>
  );
}

/** The entry that leads to a page of one thing. */
const LIST_OF: Partial<Record<PageName, PageName>> = {
  person: 'people',
  experiment: 'experiments',
};

function PageEntry(props: { name: PageName; here: Place; children?: ComponentChildren }) {
  const { name, here } = props;
  const linkTo = useLinks();
  const at = here.page?.name;
  return (
    <Entry
      href={linkTo(name)}
      icon={PAGE_ICONS[name]}
      text={t[name]}
      current={at === name ? 'page' : at && LIST_OF[at] === name ? 'true' : undefined}
      preload={PAGES[name].preload}
    >
      {props.children}
    </Entry>
  );
}

const TABS = {
  connections: { icon: icons.connections, first: 'connect', firstWithoutApp: 'store' },
  settings: { icon: icons.settings, first: 'appSettings', firstWithoutApp: 'organization' },
} as const;

function TabsEntry(props: {
  group: 'connections' | 'settings';
  here: Place;
  children: ComponentChildren;
}) {
  const { group, here } = props;
  const linkTo = useLinks();
  const { icon, first, firstWithoutApp } = TABS[group];
  return (
    <Entry
      href={linkTo(here.appId ? first : firstWithoutApp)}
      icon={icon}
      text={t[group]}
      current={here.page?.group === group ? 'true' : undefined}
    >
      {props.children}
    </Entry>
  );
}

function AppPages({ here, appId }: { here: Place; appId: string }) {
  return (
    <>
      <AppSwitch here={here} />
      <PageEntry name="today" here={here} />
      {(['product', 'money'] as const).map((group) => (
        <section key={group} aria-label={t[group]}>
          <h2>{t[group]}</h2>
          {namesIn(group).map((name) => (
            <PageEntry key={name} name={name} here={here}>
              {name === 'experiments' && <ExperimentsNote appId={appId} />}
            </PageEntry>
          ))}
        </section>
      ))}
    </>
  );
}

function Apps({ here }: { here: Place }) {
  const linkTo = useLinks();
  return (
    <section aria-label={t.apps}>
      <h2>{t.apps}</h2>
      {here.apps?.map((app) => (
        <a key={app.id} class="nav-link" href={linkTo('today', app.id) ?? '/'}>
          <AppIcon app={app} size="small" />
          <span class="nav-text">{app.displayName}</span>
          <AppDot appId={app.id} />
        </a>
      ))}
      <Entry href="/?add=app" icon={icons.add} text={t.addApp} />
    </section>
  );
}

export function Sidebar() {
  const here = usePlace();
  return (
    <header class="sidebar">
      <div class="sidebar-inner">
        <OrganizationSwitch />
        <button type="button" class="search-button" onClick={() => openPalette()}>
          <icons.search class="small" />
          {t.search}
          <kbd>{texts.shortcuts.paletteKeys}</kbd>
        </button>
        <nav aria-label={t.pages}>
          <PageEntry name="home" here={here} />
          <PageEntry name="sales" here={here}>
            <SalesNote />
          </PageEntry>
          <hr />
          {here.appId ? <AppPages here={here} appId={here.appId} /> : <Apps here={here} />}
          <div class="grow" />
          <TabsEntry group="connections" here={here}>
            <ConnectionsDot />
          </TabsEntry>
          <TabsEntry group="settings" here={here}>
            <SettingsDot />
          </TabsEntry>
        </nav>
        <hr />
        <PersonMenu />
      </div>
    </header>
  );
}
