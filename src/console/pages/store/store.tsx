import { useSignal } from '@preact/signals';
import { ago, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import type { Query } from '../../state/query.ts';
import { mayManage } from '../../state/session.ts';
import { useStoreConnection } from '../../state/store-connection.ts';
import { useApi } from '../../state/use-api.ts';
import { texts } from '../../texts/index.ts';
import { store as t } from '../../texts/store.ts';
import { type KeyFile, KeyCard } from './key-card.tsx';
import { type Key, StoreKeyForm } from './key-form.tsx';
import { type Kind, otherKind } from './misplaced.ts';
import { PlayKeys } from './play-key.tsx';
import { PlayReports } from './play-reports.tsx';
import { StoreApps } from './store-apps.tsx';

function PurchaseApps() {
  const apps = useApps();
  if (!apps.value.data?.length) return null;
  return (
    <span>
      {t.toPurchases}{' '}
      {apps.value.data.map(({ id, displayName }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`/apps/${id}/purchases`}>{displayName}</a>
        </span>
      ))}
    </span>
  );
}

/** More than a screen: nothing below is seen to move. */
const SKELETON_ROWS = 24;

const isFirst = <T,>(query: Query<T>): boolean =>
  query.value.data === undefined && !query.value.error;

type Connected = {
  status: 'connected' | 'invalid' | 'revoked';
  lastError: string | null;
  keyId: string;
  issuerId: string;
  vendorNumber?: string;
  connectedAt: string;
  lastVerifiedAt: string | null;
};

const rowsOf = (connection: Connected) =>
  [
    [t.keyId, <code key="k">{connection.keyId}</code>],
    [t.issuerId, <code key="i">{connection.issuerId}</code>],
    [t.vendor, connection.vendorNumber ?? null],
    [t.since, when(connection.connectedAt)],
    [t.verified, connection.lastVerifiedAt && ago(connection.lastVerifiedAt)],
  ] as const;

/** One is not taken for the other. */
function Keys() {
  const reporting = useStoreConnection();
  const purchase = useApi(api.getPurchaseConnection);
  const files = {
    reporting: useSignal<KeyFile | null>(null),
    purchase: useSignal<KeyFile | null>(null),
  };
  const isAwaited = isFirst(reporting) || (mayManage.value && isFirst(purchase));
  if (isAwaited) return <Skeleton shape="rows" count={SKELETON_ROWS} />;
  const keyOf = (
    kind: Kind,
    query: Query<Connected | null>,
    how: { connect: (key: Key) => Promise<unknown>; disconnect: () => Promise<unknown> },
  ) => {
    const other = (kind === 'reporting' ? purchase : reporting).value.data;
    const takenBy = other ? { kind: otherKind(kind), keyId: other.keyId } : null;
    return (
      <KeyCard
        title={t[kind].title}
        why={t[kind].why}
        loss={t[kind].loss}
        {...{ invalid: t.invalid, query, rows: rowsOf, disconnect: how.disconnect }}
        nameOf={({ keyId }) => keyId}
        form={() => (
          <StoreKeyForm
            {...{ kind, files, issuerId: other?.issuerId, takenBy, connect: how.connect }}
          />
        )}
      />
    );
  };
  return (
    <div class="grid two">
      {keyOf('reporting', reporting, {
        connect: (body) => api.connectStore({ body }),
        disconnect: () => api.disconnectStore(),
      })}
      {mayManage.value ? (
        keyOf('purchase', purchase, {
          connect: ({ vendorNumber: _, ...body }) => api.connectPurchaseKey({ body }),
          disconnect: () => api.disconnectPurchaseKey(),
        })
      ) : (
        <Card title={t.purchase.title}>
          <p class="notice">{texts.errors.managersOnly}</p>
        </Card>
      )}
    </div>
  );
}

export function Store() {
  const reporting = useStoreConnection();
  return (
    <Page
      question={t.question}
      help="store-analytics"
      foot={[
        <a key="sales" href="/sales">
          {t.toSales}
        </a>,
        <PurchaseApps key="purchases" />,
      ]}
    >
      <Keys />
      <PlayReports />
      {mayManage.value && <PlayKeys />}
      {reporting.value.data && <StoreApps />}
    </Page>
  );
}
