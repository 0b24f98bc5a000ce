import { useSignal } from '@preact/signals';
import { ago, when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Choice } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import type { App } from '../../state/place.ts';
import { whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';
import { PlayForm } from './play-form.tsx';
import { PlayConnected } from './play-parts.tsx';

type Connection = NonNullable<Awaited<ReturnType<typeof api.getPlayConnection>>>;

const seen = (at: string | null) => (at === null ? t.nothing : ago(at));

const State = ({ connection }: { connection: Connection }) => (
  <>
    <Facts
      rows={[
        [t.package, <code key="p">{connection.packageName}</code>],
        [t.account, <code key="a">{connection.clientEmail}</code>],
        [t.push, connection.pushEmail && <code key="e">{connection.pushEmail}</code>],
        [store.since, when(connection.connectedAt)],
        [t.heard, connection.pushEmail && seen(connection.lastNotificationAt)],
        [t.tested, connection.pushEmail && seen(connection.lastTestAt)],
      ]}
    />
    {connection.pushEmail && (
      <>
        <p class="quiet">{t.addressWhy}</p>
        <p class="row">
          <code class="address">{connection.pushAddress}</code>
          <Copy text={connection.pushAddress} />
        </p>
      </>
    )}
  </>
);

function KeyOfApp({ app }: { app: App }) {
  const id = app.id;
  const query = useApi(api.getPlayConnection, { id });
  const notAllowed = whyNotManage.value;
  const check = async () => {
    const { status } = await api.checkPlayConnection({ id });
    query.refetch();
    return status === 'connected' ? t.checked : undefined;
  };
  return (
    <Loaded query={query}>
      {(connection) => {
        const form = (
          <PlayForm
            key={id}
            appId={id}
            packageName={connection?.packageName ?? ''}
            pushEmail={connection?.pushEmail ?? ''}
            onConnected={query.refetch}
          />
        );
        if (!connection) return form;
        const buttons = (
          <>
            <ActionButton button={t.check} notAllowed={notAllowed} act={check} />
            <Confirmed
              button={store.disconnect}
              title={`${store.disconnect}: ${t.title}`}
              loss={t.loss}
              name={connection.packageName}
              notAllowed={notAllowed}
              onConfirm={async () => {
                await api.disconnectPlayStore({ id });
                query.refetch();
              }}
            />
          </>
        );
        return (
          <PlayConnected of={connection} form={form} buttons={buttons}>
            <State connection={connection} />
          </PlayConnected>
        );
      }}
    </Loaded>
  );
}

/** Each app has a key of its own: its packages may lie in several accounts. */
export function PlayKeys() {
  const apps = useApps();
  const chosen = useSignal<string | null>(null);
  const all = apps.value.data ?? [];
  const app = all.find(({ id }) => id === chosen.value) ?? all[0];
  if (!app) return null;
  return (
    <Card title={t.title} isRegion>
      <p class="quiet">{t.why}</p>
      {all.length > 1 && (
        <Choice
          label={t.app}
          name="app"
          options={all.map(({ id, displayName }) => [id, displayName] as const)}
          value={app.id}
          onChange={into(chosen)}
        />
      )}
      <KeyOfApp key={app.id} app={app} />
    </Card>
  );
}
