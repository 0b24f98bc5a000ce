import { useSignal } from '@preact/signals';
import { Page } from '../../parts/page.tsx';
import { Answered } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuestion } from '../../state/question.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { useStoreConnection } from './connection.ts';
import { type Key, type KeyFile, KeyForm } from './key-form.tsx';
import { KeyState } from './key-state.tsx';
import { StoreApps } from './store-apps.tsx';

const t = texts.store;

function PurchaseApps() {
  const apps = useApps();
  if (!apps.value.answer?.length) return null;
  return (
    <p>
      {t.toPurchases}{' '}
      {apps.value.answer.map(({ id, displayName }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`/apps/${id}/purchases`}>{displayName}</a>
        </span>
      ))}
    </p>
  );
}

/** Both keys beside each other, so that one is not taken for the other. */
function Keys() {
  const reporting = useStoreConnection();
  const purchase = useQuestion('purchase connection', (signal) =>
    api.getPurchaseConnection(undefined, { signal }),
  );
  const files = {
    reporting: useSignal<KeyFile>(null),
    purchase: useSignal<KeyFile>(null),
  };
  const sales = reporting.value.answer;
  const bought = purchase.value.answer;
  const taken = (kind: 'reporting' | 'purchase', keyId?: string) =>
    keyId ? { kind, keyId } : null;
  const connectSales = async (key: Key) => {
    await api.connectStore({ body: key });
    reporting.again();
  };
  const connectPurchases = async ({ issuerId, keyId, privateKey }: Key) => {
    await api.connectPurchaseKey({ body: { issuerId, keyId, privateKey } });
    purchase.again();
  };
  return (
    <div class="halves">
      <Answered asked={reporting.value} again={reporting.again}>
        {(connection) => (
          <KeyState
            kind="reporting"
            connection={connection}
            disconnect={async () => {
              await api.disconnectStore();
              reporting.again();
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
      </Answered>
      {mayManage.value ? (
        <Answered asked={purchase.value} again={purchase.again}>
          {(connection) => (
            <KeyState
              kind="purchase"
              connection={connection}
              disconnect={async () => {
                await api.disconnectPurchaseKey();
                purchase.again();
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
        </Answered>
      ) : (
        <section>
          <h2>{t.purchase.title}</h2>
          <p class="notice">{texts.faults.managersOnly}</p>
        </section>
      )}
    </div>
  );
}

export function Store() {
  const reporting = useStoreConnection();
  return (
    <Page title={t.title} question={t.question} help="store-analytics">
      <Keys />
      <p>
        <a href="/sales">{t.toSales}</a>
      </p>
      <PurchaseApps />
      {reporting.value.answer && <StoreApps />}
    </Page>
  );
}
