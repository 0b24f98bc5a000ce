import { useEffect } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router } from 'preact-iso';
import { CONSOLE_PAGES } from '../shared/console-pages.ts';
import { PaletteHost } from './palette/host.tsx';
import { PAGES } from './pages.ts';
import { Page } from './parts/page.tsx';
import { ErrorNotice, Skeleton } from './parts/states.tsx';
import { TabBar, TopBar } from './shell/narrow.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { arrival } from './state/arrival.ts';
import { session } from './state/session.ts';
import { firstAccount, sessionError, startSession } from './state/sign-in.ts';
import { texts } from './texts/index.ts';

const SignIn = lazy(() => import('./pages/sign-in/index.ts').then((door) => door.SignIn));
const WithoutOrganization = lazy(() =>
  import('./pages/sign-in/index.ts').then((door) => door.WithoutOrganization),
);

const NeedsSecondFactor = lazy(() =>
  import('./pages/sign-in/index.ts').then((door) => door.NeedsSecondFactor),
);

const NeedsCompany = lazy(() =>
  import('./pages/sign-in/index.ts').then((door) => door.NeedsCompany),
);

const Arrived = lazy(() => import('./pages/sign-in/index.ts').then((door) => door.Arrived));

const NotFound = () => <Page title={texts.errors.notFound}>{null}</Page>;

/** A new page begins at its heading, for the keyboard and the screen reader too. */
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
  if (arrival) {
    return (
      <ErrorBoundary>
        <Arrived {...arrival} />
      </ErrorBoundary>
    );
  }
  if (current?.needsCompany) {
    return (
      <ErrorBoundary>
        <NeedsCompany />
      </ErrorBoundary>
    );
  }
  if (current?.needsSecondFactor) {
    return (
      <ErrorBoundary>
        <NeedsSecondFactor />
      </ErrorBoundary>
    );
  }
  if (current === null || current.activeOrganizationId === null) {
    return (
      <ErrorBoundary>
        {current === null ? <SignIn first={firstAccount.value} /> : <WithoutOrganization />}
      </ErrorBoundary>
    );
  }
  return (
    <LocationProvider>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Inside key={current.activeOrganizationId} />
    </LocationProvider>
  );
}
