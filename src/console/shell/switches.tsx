import { isOfApp } from '../../shared/console-pages.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import * as icons from '../parts/icons.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { useOrganizations } from '../state/organizations.ts';
import { type App, type Place, useLinks } from '../state/place.ts';
import { session } from '../state/session.ts';
import { changeOrganization, signOut } from '../state/sign-in.ts';
import { texts } from '../texts/index.ts';
import { shortcutsHelp } from './shortcuts.tsx';
import { ServiceState } from './states.tsx';

const t = texts.nav;

const letterOf = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase();

export function OrganizationSwitch() {
  const all = useOrganizations().value.data ?? [];
  const active = all.find(({ id }) => id === session.value?.activeOrganizationId);
  const items = all.map(
    ({ id, name }): MenuItem => ({
      key: id,
      label: name,
      isChosen: id === active?.id,
      onSelect: () => void changeOrganization(id),
    }),
  );
  return (
    <Menu
      label={t.organization}
      button={(trigger) => (
        <button {...trigger} class="organization-switch" disabled={all.length < 2}>
          <span class="organization-badge" aria-hidden="true">
            {letterOf(active?.name ?? '')}
          </span>
          <span class="nav-text">{active?.name ?? t.organization}</span>
          {all.length > 1 && <icons.choose />}
        </button>
      )}
      items={items}
    />
  );
}

const versionOf = (app: App): string =>
  app.store?.version ? t.inStore(app.store.version) : t.notInStore;

function useAppItems({ apps, app, page }: Place): MenuItem[] {
  const linkTo = useLinks();
  const name = page && isOfApp(page) && page.group !== 'detail' ? page.name : 'today';
  const items = (apps ?? []).map((one): MenuItem => {
    const href = linkTo(name, one.id);
    return {
      key: one.id,
      label: one.displayName,
      detail: one.store?.version ?? '',
      media: <AppIcon app={one} size="small" />,
      isChosen: one.id === app?.id,
      ...(href && { href }),
    };
  });
  return [
    ...items,
    { key: 'all', label: t.allApps, icon: icons.home, href: '/', startsGroup: true },
    { key: 'add', label: t.addApp, icon: icons.add, href: '/?add=app' },
  ];
}

export function AppSwitch({ here }: { here: Place }) {
  const items = useAppItems(here);
  const { app } = here;
  return (
    <Menu
      label={t.chooseApp}
      button={(trigger) => (
        <button {...trigger} class="app-switch">
          {app && <AppIcon app={app} />}
          <span class="nav-text">
            {app?.displayName ?? t.app}
            {app && <small>{versionOf(app)}</small>}
          </span>
          <icons.choose />
        </button>
      )}
      items={items}
    />
  );
}

export function usePersonItems(): MenuItem[] {
  const linkTo = useLinks();
  return [
    { key: 'account', label: t.account, icon: icons.person, href: linkTo('account') ?? '/account' },
    { key: 'status', label: t.status, icon: icons.activity, href: linkTo('status') ?? '/status' },
    {
      key: 'keyboard',
      label: texts.shortcuts.title,
      icon: icons.keyboard,
      onSelect: shortcutsHelp,
    },
    {
      key: 'signOut',
      label: t.signOut,
      icon: icons.signOut,
      startsGroup: true,
      onSelect: () => void signOut(),
    },
  ];
}

export function PersonMenu() {
  const items = usePersonItems();
  const { name = '', email = '' } = session.value?.user ?? {};
  const shown = name || email;
  return (
    <Menu
      label={t.you}
      placement="top-start"
      button={(trigger) => (
        <button {...trigger} class="nav-link" title={email}>
          <span class="avatar" aria-hidden="true">
            {letterOf(shown)}
          </span>
          <span class="nav-text">{shown}</span>
          <ServiceState />
        </button>
      )}
      items={items}
    />
  );
}
