import { useEffect } from 'preact/hooks';
import { ErrorBoundary, lazy, Route, Router } from 'preact-iso';
import { CONSOLE_PAGES, inOrganization } from '../shared/console-pages.ts';
import { PaletteHost } from './palette/host.tsx';
import { PAGES } from './pages.ts';
import { Page } from './parts/page.tsx';
import { ErrorNotice, Skeleton } from './parts/states.tsx';
import { Located } from './shell/located.tsx';
import { TabBar, TopBar } from './shell/narrow.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { arrival } from './state/arrival.ts';
import { isInNone } from './state/organization.ts';
import { session } from './state/session.ts';
import { sessionError, startSession } from './state/sign-in.ts';
import { texts } from './texts/index.ts';

const Entrance = lazy(() => import('./pages/sign-in/index.tsx').then((door) => door.Entrance));

const NotFound = () => <Page title={texts.errors.notFound}>{null}</Page>;

function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function Inside() {
  return (
    <div class="shell">
      <Sidebar />
      <TopBar />
      <Shortcuts />
      <PaletteHost />
      <Router onRouteChange={focusContent}>
        {CONSOLE_PAGES.map(({ name, path }) => (
          <Route key={name} path={path} component={PAGES[name]} />
        ))}
        <Route default component={NotFound} />
      </Router>
      <TabBar />
    </div>
  );
}

export function App() {
  useEffect(() => void startSession(), []);
  const current = session.value;
  if (sessionError.value) {
    return (
      <main class="door">
        <ErrorNotice error={sessionError.value} refetch={() => void startSession()} />
      </main>
    );
  }
  if (current === undefined) {
    return (
      <main class="door">
        <Skeleton />
      </main>
    );
  }
  const id = current?.activeOrganizationId;
  const isClosed = current?.needsCompany || current?.needsSecondFactor;
  if (arrival || isInNone.value || isClosed || !id) {
    return (
      <ErrorBoundary>
        <Entrance current={current} />
      </ErrorBoundary>
    );
  }
  return (
    <Located scope={inOrganization(id, '/')}>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Inside />
    </Located>
  );
}
