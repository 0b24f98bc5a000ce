import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CONSOLE_PAGES, type PageName, type TabGroup } from '../../shared/console-pages.ts';
import { organization, switchedFrom } from '../state/organization.ts';
import { useOrganizations } from '../state/organizations.ts';
import { type App, useDrawnPlace, useLinks } from '../state/place.ts';
import { isAwaiting } from '../state/query.ts';
import { texts } from '../texts/index.ts';
import { AppIcon } from './app-icon.tsx';
import * as icons from './icons.ts';

function PageTabs({ group, current }: { group: TabGroup; current: PageName }) {
  const linkTo = useLinks();
  return (
    <nav class="page-tabs" aria-label={texts.nav[group]}>
      {CONSOLE_PAGES.filter((page) => page.group === group).map(({ name }) => {
        const href = linkTo(name);
        return (
          href && (
            <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
              {texts.nav[name]}
            </a>
          )
        );
      })}
    </nav>
  );
}

function Crumb({ app, group }: { app: App | undefined; group: string | undefined }) {
  if (!app && !group) return null;
  return (
    <div class="crumb">
      {app && (
        <>
          <AppIcon app={app} size="small" />
          <span class="crumb-app">{app.displayName}</span>
          <icons.crumb class="small" />
        </>
      )}
      {group && (
        <>
          <span>{group}</span>
          <icons.crumb class="small" />
        </>
      )}
    </div>
  );
}

function Switched() {
  const all = useOrganizations().value.data ?? [];
  const [to, from] = [organization.value, switchedFrom.value].map(
    (of) => all.find(({ id }) => id === of)?.name,
  );
  if (!to || !from) return null;
  return (
    <p class="notice" role="status">
      {texts.switched(to, from)}
    </p>
  );
}

export function Page(props: {
  /** That of the page in the navigation where left out. */
  title?: string;
  question?: string | undefined;
  switcher?: ComponentChildren;
  /** The page of the documentation that explains this one, with an anchor where that helps. */
  help?: string;
  actions?: ComponentChildren;
  toolbar?: { left?: ComponentChildren; right?: ComponentChildren };
  foot?: readonly ComponentChildren[];
  notAllowed?: string | false;
  children: ComponentChildren;
}) {
  const { page, app } = useDrawnPlace();
  const { title = page ? texts.nav[page.name] : '', toolbar } = props;
  const group =
    page?.group === 'connections' || page?.group === 'settings' ? page.group : undefined;
  const appName = app?.displayName ?? texts.product;
  useEffect(() => {
    document.title = `${title} · ${appName}`;
  }, [title, appName]);
  return (
    <main id="content" tabIndex={-1}>
      <div class="head">
        <Crumb app={app} group={group && texts.nav[group]} />
        <h1 class={props.switcher ? 'has-switcher' : undefined}>{title}</h1>
        {props.switcher}
        {props.question && <p class="head-question">{props.question}</p>}
        {props.help && (
          <a
            class="help-link"
            href={`/help/${props.help}`}
            target="_blank"
            rel="noreferrer"
            aria-label={texts.help}
            title={texts.help}
          >
            <icons.help />
          </a>
        )}
        <div class="head-actions">{props.actions}</div>
        {isAwaiting.value && (
          <div class="loading" role="progressbar" aria-label={texts.loading} aria-busy="true" />
        )}
      </div>
      {page && group && <PageTabs group={group} current={page.name} />}
      {toolbar && (
        <div class="toolbar">
          {toolbar.left && <div class="toolbar-left">{toolbar.left}</div>}
          {toolbar.right && <div class="toolbar-right">{toolbar.right}</div>}
        </div>
      )}
      <div class={toolbar || group ? 'content' : 'content first'}>
        <Switched />
        {props.notAllowed ? <p class="notice">{props.notAllowed}</p> : props.children}
      </div>
      {props.foot && props.foot.length > 0 && (
        <footer class="foot">
          {props.foot.map((one, index) => one && <span key={index}>{one}</span>)}
        </footer>
      )}
    </main>
  );
}
