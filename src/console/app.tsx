import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { Account } from './pages/account/account.tsx';
import { AppSettings } from './pages/app-settings/app-settings.tsx';
import { Connect } from './pages/connect/connect.tsx';
import { ExperimentPage } from './pages/experiments/experiment.tsx';
import { Experiments } from './pages/experiments/experiments.tsx';
import { Funnels } from './pages/funnels/funnels.tsx';
import { Home } from './pages/home/home.tsx';
import { Keys } from './pages/keys/keys.tsx';
import { Live } from './pages/live/live.tsx';
import { Logs } from './pages/logs/logs.tsx';
import { Marketing } from './pages/marketing/marketing.tsx';
import { Members } from './pages/members/members.tsx';
import { Messages } from './pages/messages/messages.tsx';
import { Organization } from './pages/organization/organization.tsx';
import { People } from './pages/people/people.tsx';
import { PersonPage } from './pages/people/person.tsx';
import { Purchases } from './pages/purchases/purchases.tsx';
import { Retention } from './pages/retention/retention.tsx';
import { Sales } from './pages/sales/sales.tsx';
import { SignIn, WithoutOrganization } from './pages/sign-in/sign-in.tsx';
import { Status } from './pages/status/status.tsx';
import { Store } from './pages/store/store.tsx';
import { Subscribers } from './pages/subscribers/subscribers.tsx';
import { Today } from './pages/today/today.tsx';
import { Trends } from './pages/trends/trends.tsx';
import { Webhooks } from './pages/webhooks/webhooks.tsx';
import { Page } from './parts/page.tsx';
import { ErrorNotice, Skeleton } from './parts/states.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { session } from './state/session.ts';
import { firstAccount, sessionError, startSession } from './state/sign-in.ts';
import { texts } from './texts/index.ts';

const NotFound = () => <Page title={texts.errors.notFound}>{null}</Page>;

/** A new page begins at its heading, for the keyboard and the screen reader too. */
function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function Inside() {
  const { path } = useLocation();
  return (
    <div class="shell">
      <Sidebar path={path} />
      <Shortcuts />
      <Router onRouteChange={focusContent}>
        <Route path="/" component={Home} />
        <Route path="/sales" component={Sales} />
        <Route path="/store" component={Store} />
        <Route path="/webhooks" component={Webhooks} />
        <Route path="/logs" component={Logs} />
        <Route path="/messages" component={Messages} />
        <Route path="/organization" component={Organization} />
        <Route path="/members" component={Members} />
        <Route path="/keys" component={Keys} />
        <Route path="/status" component={Status} />
        <Route path="/account" component={Account} />
        <Route path="/apps/:id/today" component={Today} />
        <Route path="/apps/:id/live" component={Live} />
        <Route path="/apps/:id/trends" component={Trends} />
        <Route path="/apps/:id/retention" component={Retention} />
        <Route path="/apps/:id/funnels" component={Funnels} />
        <Route path="/apps/:id/experiments" component={Experiments} />
        <Route path="/apps/:id/experiments/:experimentId" component={ExperimentPage} />
        <Route path="/apps/:id/people" component={People} />
        <Route path="/apps/:id/people/:personId" component={PersonPage} />
        <Route path="/apps/:id/subscribers" component={Subscribers} />
        <Route path="/apps/:id/purchases" component={Purchases} />
        <Route path="/apps/:id/marketing" component={Marketing} />
        <Route path="/apps/:id/settings" component={AppSettings} />
        <Route path="/apps/:id/connect" component={Connect} />
        <Route default component={NotFound} />
      </Router>
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
  if (current === null) return <SignIn first={firstAccount.value} />;
  if (current.activeOrganizationId === null) return <WithoutOrganization />;
  return (
    <LocationProvider>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Inside key={current.activeOrganizationId} />
    </LocationProvider>
  );
}
