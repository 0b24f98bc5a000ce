import {
  ago,
  changeOf,
  exactNumber,
  money,
  shortNumber,
  UNKNOWN,
  wholeUnits,
} from '../../format.ts';
import type { Column } from '../../parts/table.tsx';
import type { api } from '../../state/api.ts';
import type { QueryState } from '../../state/query.ts';
import {
  hasRevenue,
  knownRevenue,
  knownSales,
  OVERVIEW_DAYS,
  useRevenue,
  useSalesOverview,
} from '../../state/sales.ts';
import { knownSummary, useSummary } from '../../state/summary.ts';
import { home as t } from '../../texts/home.ts';
import { sales as salesTexts } from '../../texts/sales.ts';

type App = Awaited<ReturnType<typeof api.listApps>>[number];

/** A figure, what it is exactly, and a dash with its reason where there is none. */
function Figure(props: {
  asked: QueryState<unknown>;
  exact?: string;
  why: string;
  children?: string | undefined;
}) {
  const { data, error } = props.asked;
  if (data === undefined && !error) {
    return (
      <span class="quiet" aria-busy="true">
        …
      </span>
    );
  }
  if (props.children === undefined)
    return <span title={error?.message ?? props.why}>{UNKNOWN}</span>;
  return <span title={props.exact}>{props.children}</span>;
}

/** What one app's events say; asked for each app by itself, so that a slow one delays no other. */
function EventFigure({ appId, figure }: { appId: string; figure: 'people' | 'last' }) {
  const summary = useSummary(appId);
  const { data } = summary.value;
  const people = data && shortNumber(data.people);
  const last = data && (data.lastEventAt ? ago(data.lastEventAt) : t.never);
  return (
    <Figure
      asked={summary.value}
      why={t.never}
      {...(data && figure === 'people' && { exact: exactNumber(data.people) })}
    >
      {figure === 'people' ? people : last}
    </Figure>
  );
}

type Sales = NonNullable<ReturnType<typeof knownSales>>;
const soldBy = ({ storeAppId }: App, { byApp }: Sales) =>
  storeAppId === null ? undefined : byApp.find((one) => one.storeAppId === storeAppId);

/** What the store reported of one app, against the window before. */
function SalesFigure({ app, figure }: { app: App; figure: 'proceedsMinor' | 'downloads' }) {
  const sales = useSalesOverview();
  const { data } = sales.value;
  const now = data && soldBy(app, data);
  if (!data || !now) return <Figure asked={sales.value} why={t.noStore} />;
  const before = data.previousByApp.find(({ key }) => key === now.key)?.[figure];
  const change = before === undefined || !data.isComparable ? null : changeOf(now[figure], before);
  return (
    <span>
      <Figure asked={sales.value} why={t.noStore} exact={exactNumber(now[figure])}>
        {figure === 'downloads'
          ? shortNumber(now.downloads)
          : money(now.proceedsMinor, data.currency)}
      </Figure>{' '}
      {change && (
        <span class="quiet" title={salesTexts.against(OVERVIEW_DAYS)}>
          {change}
        </span>
      )}
    </span>
  );
}

function MonthlyRevenue({ appId }: { appId: string }) {
  const overview = useRevenue(appId);
  const { data } = overview.value;
  return (
    <Figure asked={overview.value} why={t.nobodyBought}>
      {data && hasRevenue(data) ? money(data.mrrMinor, data.currency) : undefined}
    </Figure>
  );
}

/** What is drawn of each app, and the same in a file. */
export const COLUMNS: readonly Column<App>[] = [
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
  {
    label: t.people,
    number: true,
    show: (app) => <EventFigure appId={app.id} figure="people" />,
    plain: ({ id }) => knownSummary(id)?.people ?? null,
  },
  {
    label: t.proceeds,
    number: true,
    show: (app) => <SalesFigure app={app} figure="proceedsMinor" />,
    plain: (app) => {
      const sales = knownSales();
      const sold = sales && soldBy(app, sales);
      return sold ? wholeUnits(sold.proceedsMinor, sales.currency) : null;
    },
  },
  {
    label: t.downloads,
    number: true,
    show: (app) => <SalesFigure app={app} figure="downloads" />,
    plain: (app) => {
      const sales = knownSales();
      return (sales && soldBy(app, sales)?.downloads) ?? null;
    },
  },
  {
    label: t.mrr,
    number: true,
    show: (app) => <MonthlyRevenue appId={app.id} />,
    plain: ({ id }) => {
      const revenue = knownRevenue(id);
      return revenue && hasRevenue(revenue) ? wholeUnits(revenue.mrrMinor, revenue.currency) : null;
    },
  },
  {
    label: t.last,
    show: (app) => <EventFigure appId={app.id} figure="last" />,
    plain: ({ id }) => knownSummary(id)?.lastEventAt ?? null,
  },
];
