import { useSignal } from '@preact/signals';
import { Choice } from './parts/form.tsx';
import { api } from './state/api.ts';
import { useApps } from './state/apps.ts';
import { useQuery } from './state/query.ts';
import { session } from './state/session.ts';
import { changeOrganization, signOut } from './state/sign-in.ts';
import { texts } from './texts/index.ts';

const t = texts.nav;
const ORGANIZATION = [
  ['/', t.home],
  ['/sales', t.sales],
  ['/store', t.store],
  ['/webhooks', t.webhooks],
  ['/logs', t.logs],
  ['/messages', t.messages],
  ['/members', t.members],
  ['/keys', t.keys],
  ['/organization', t.settings],
  ['/status', t.status],
  ['/account', t.account],
] as const;
const APP = [
  ['today', t.today],
  ['live', t.live],
  ['trends', t.trends],
  ['retention', t.retention],
  ['funnels', t.funnels],
  ['experiments', t.experiments],
  ['subscribers', t.subscribers],
  ['people', t.people],
  ['purchases', t.purchases],
  ['marketing', t.marketing],
  ['connect', t.connect],
  ['settings', t.settings],
] as const;

function Entry({ href, text, path }: { href: string; text: string; path: string }) {
  return (
    <a
      href={href}
      aria-current={
        path === href ? 'page' : href !== '/' && path.startsWith(`${href}/`) ? 'true' : undefined
      }
    >
      {text}
    </a>
  );
}

function OrganizationChoice() {
  const organizations = useQuery('organizations', (signal) =>
    api.listOrganizations(undefined, { signal }),
  );
  const all = organizations.value.data ?? [];
  const active = session.value?.activeOrganizationId;
  if (all.length < 2) return <strong>{all[0]?.name}</strong>;
  return (
    <Choice
      label={t.organization}
      name="organization"
      hideLabel
      options={all.map(({ id, name }) => [id, name] as const)}
      {...(active && { value: active })}
      onChange={(id) => void changeOrganization(id)}
    />
  );
}

/** The app of the current address and its pages. */
function AppPages({ path }: { path: string }) {
  const apps = useApps();
  const id = /^\/apps\/([^/]+)\//.exec(path)?.[1];
  const app = apps.value.data?.find((one) => one.id === id);
  if (!id) return null;
  return (
    <>
      <h2>{app?.displayName ?? t.app}</h2>
      {APP.map(([page, text]) => (
        <Entry key={page} href={`/apps/${id}/${page}`} text={text} path={path} />
      ))}
    </>
  );
}

export function Sidebar({ path }: { path: string }) {
  // On a narrow screen the pages stand behind a button, and a new page closes them.
  const openedAt = useSignal('');
  const isOpen = openedAt.value === path;
  return (
    <header class="rail">
      <OrganizationChoice />
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => {
          openedAt.value = isOpen ? '' : path;
        }}
      >
        {t.menu}
      </button>
      <nav id="pages" aria-label={t.pages}>
        <AppPages path={path} />
        <h2>{t.organization}</h2>
        {ORGANIZATION.map(([href, text]) => (
          <Entry key={href} href={href} text={text} path={path} />
        ))}
        <a href="/docs" target="_blank" rel="noreferrer">
          {t.api}
        </a>
        <button type="button" class="link" onClick={() => void signOut()}>
          {t.signOut}
        </button>
      </nav>
    </header>
  );
}
