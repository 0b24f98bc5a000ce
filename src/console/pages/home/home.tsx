import { useLocation } from 'preact-iso';
import { ago, changeOf, exactNumber, money, shortNumber, UNKNOWN } from '../../format.ts';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Answered } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { type Asked, useQuestion } from '../../state/question.ts';
import { hasRevenue, OVERVIEW_DAYS, useRevenue, useSalesOverview } from '../../state/sales.ts';
import { mayEdit } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.home;

const DAYS = OVERVIEW_DAYS;
type App = Awaited<ReturnType<typeof api.listApps>>[number];

/** A figure, what it is exactly, and a dash with its reason where there is none. */
function Figure(props: {
  asked: Asked<unknown>;
  exact?: string;
  why: string;
  children?: string | undefined;
}) {
  const { answer, fault } = props.asked;
  if (answer === undefined && !fault) {
    return (
      <span class="quiet" aria-busy="true">
        …
      </span>
    );
  }
  if (props.children === undefined)
    return <span title={fault?.message ?? props.why}>{UNKNOWN}</span>;
  return <span title={props.exact}>{props.children}</span>;
}

/** What one app's events say; asked for each app by itself, so that a slow one delays no other. */
function EventFigure({ appId, figure }: { appId: string; figure: 'people' | 'last' }) {
  const summary = useQuestion(`summary ${appId} ${DAYS}`, (signal) =>
    api.getEventSummary({ id: appId, query: { days: DAYS } }, { signal }),
  );
  const { answer } = summary.value;
  const people = answer && shortNumber(answer.people);
  const last = answer && (answer.lastEventAt ? ago(answer.lastEventAt) : t.never);
  return (
    <Figure
      asked={summary.value}
      why={t.never}
      {...(answer && figure === 'people' && { exact: exactNumber(answer.people) })}
    >
      {figure === 'people' ? people : last}
    </Figure>
  );
}

/** What the store reported of one app, against the window before. */
function SalesFigure({ app, figure }: { app: App; figure: 'proceedsMinor' | 'downloads' }) {
  const sales = useSalesOverview();
  const { answer } = sales.value;
  const now = app.storeAppId && answer?.byApp.find((one) => one.storeAppId === app.storeAppId);
  if (!answer || !now) return <Figure asked={sales.value} why={t.noStore} />;
  const before = answer.previousByApp.find(({ key }) => key === now.key)?.[figure];
  const change = before === undefined ? null : changeOf(now[figure], before);
  return (
    <span>
      <Figure asked={sales.value} why={t.noStore} exact={exactNumber(now[figure])}>
        {figure === 'downloads'
          ? shortNumber(now.downloads)
          : money(now.proceedsMinor, answer.currency)}
      </Figure>{' '}
      {change && (
        <span class="quiet" title={texts.sales.against(DAYS)}>
          {change}
        </span>
      )}
    </span>
  );
}

function MonthlyRevenue({ appId }: { appId: string }) {
  const overview = useRevenue(appId);
  const { answer } = overview.value;
  return (
    <Figure asked={overview.value} why={t.nobodyBought}>
      {answer && hasRevenue(answer) ? money(answer.mrrMinor, answer.currency) : undefined}
    </Figure>
  );
}

const COLUMNS: readonly Column<App>[] = [
  {
    label: t.app,
    show: (app) => (
      <>
        <a href={`/apps/${app.id}/today`}>{app.displayName}</a>{' '}
        {app.status !== 'active' && <span class="warning">{app.status}</span>}
      </>
    ),
    plain: (app) => app.displayName,
  },
  {
    label: t.store,
    show: (app) => app.store?.state.replaceAll('_', ' ') ?? UNKNOWN,
    plain: (app) => app.store?.state ?? null,
  },
  { label: t.people, number: true, show: (app) => <EventFigure appId={app.id} figure="people" /> },
  {
    label: t.proceeds,
    number: true,
    show: (app) => <SalesFigure app={app} figure="proceedsMinor" />,
  },
  { label: t.downloads, number: true, show: (app) => <SalesFigure app={app} figure="downloads" /> },
  { label: t.mrr, number: true, show: (app) => <MonthlyRevenue appId={app.id} /> },
  { label: t.last, show: (app) => <EventFigure appId={app.id} figure="last" /> },
];

function ThreeDoors() {
  return (
    <div class="notice">
      <p>{t.empty}</p>
      <ul>
        <li>
          <a href="/sales">{t.storeDoor}</a> – {t.storeDoorWhy}
        </li>
        <li>
          <strong>{t.connectDoor}</strong> – {t.connectDoorWhy}
        </li>
        <li>
          <strong>{t.lookDoor}</strong> – {t.lookDoorWhy}
        </li>
      </ul>
    </div>
  );
}

export function Home() {
  const apps = useApps();
  const { route } = useLocation();
  const create = async (fields: Fields) => {
    const made = await api.createApp({
      body: { slug: fields.get('slug'), displayName: fields.get('displayName') },
    });
    apps.again();
    route(`/apps/${made.id}/connect`);
  };
  return (
    <Page title={t.title} question={t.question} help="console">
      <Answered asked={apps.value} again={apps.again}>
        {(answer) =>
          answer.length === 0 ? (
            <ThreeDoors />
          ) : (
            <Table
              caption={t.question}
              rows={answer}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              csvName="apps"
            />
          )
        }
      </Answered>
      <h2>{t.add}</h2>
      <Form
        button={t.create}
        onSubmit={create}
        notAllowed={!mayEdit.value && texts.faults.editorsOnly}
      >
        <div class="row">
          <Field label={t.displayName} name="displayName" />
          <Field
            label={t.slug}
            name="slug"
            hint={t.slugRule}
            pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          />
        </div>
      </Form>
    </Page>
  );
}
