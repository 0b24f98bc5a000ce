import { useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import type { Query } from '../../state/query.ts';
import { mayManage } from '../../state/session.ts';
import { useStoreConnection } from '../../state/store-connection.ts';
import { useApi } from '../../state/use-api.ts';
import { texts } from '../../texts/index.ts';
import { store as t } from '../../texts/store.ts';
import { type Key, type KeyFile, KeyForm } from './key-form.tsx';
import { KeyState } from './key-state.tsx';
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

/** One is not taken for the other. */
function Keys() {
  const reporting = useStoreConnection();
  const purchase = useApi(api.getPurchaseConnection);
  const files = {
    reporting: useSignal<KeyFile>(null),
    purchase: useSignal<KeyFile>(null),
  };
  const sales = reporting.value.data;
  const bought = purchase.value.data;
  const taken = (kind: 'reporting' | 'purchase', keyId?: string) =>
    keyId ? { kind, keyId } : null;
  const connectSales = async (key: Key) => {
    await api.connectStore({ body: key });
    reporting.refetch();
  };
  const connectPurchases = async ({ issuerId, keyId, privateKey }: Key) => {
    await api.connectPurchaseKey({ body: { issuerId, keyId, privateKey } });
    purchase.refetch();
  };
  const isAwaited = isFirst(reporting) || (mayManage.value && isFirst(purchase));
  if (isAwaited) return <Skeleton shape="rows" count={SKELETON_ROWS} />;
  return (
    <div class="grid two">
      <Loaded query={reporting}>
        {(connection) => (
          <KeyState
            kind="reporting"
            connection={connection}
            disconnect={async () => {
              await api.disconnectStore();
              reporting.refetch();
            }}
          >
            <KeyForm
              kind="reporting"
              files={files}
              issuerId={bought?.issuerId}
              takenBy={taken('purchase', bought?.keyId)}
              connect={connectSales}
            />
          </KeyState>
        )}
      </Loaded>
      {mayManage.value ? (
        <Loaded query={purchase}>
          {(connection) => (
            <KeyState
              kind="purchase"
              connection={connection}
              disconnect={async () => {
                await api.disconnectPurchaseKey();
                purchase.refetch();
              }}
            >
              <KeyForm
                kind="purchase"
                files={files}
                issuerId={sales?.issuerId}
                takenBy={taken('reporting', sales?.keyId)}
                connect={connectPurchases}
              />
            </KeyState>
          )}
        </Loaded>
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
      title={t.title}
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
