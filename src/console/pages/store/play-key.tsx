import { useSignal } from '@preact/signals';
import { ago, when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Choice, Field } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { playStore as t } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';
import { KeyCard } from './key-card.tsx';
import { PlayKeyForm } from './play-key-form.tsx';

type Connection = NonNullable<Awaited<ReturnType<typeof api.getPlayConnection>>>;

const seen = (at: string | null) => (at === null ? t.nothing : ago(at));

const rowsOf = (connection: Connection) =>
  [
    [t.package, <code key="p">{connection.packageName}</code>],
    [t.account, <code key="a">{connection.clientEmail}</code>],
    [t.push, connection.pushEmail && <code key="e">{connection.pushEmail}</code>],
    [store.since, when(connection.connectedAt)],
    [t.heard, connection.pushEmail && seen(connection.lastNotificationAt)],
    [t.tested, connection.pushEmail && seen(connection.lastTestAt)],
  ] as const;

const Address = ({ pushEmail, pushAddress }: Connection) =>
  pushEmail && (
    <>
      <p class="quiet">{t.addressWhy}</p>
      <p class="row">
        <code class="address">{pushAddress}</code>
        <Copy text={pushAddress} />
      </p>
    </>
  );

function Fields({ connection }: { connection: Connection | null }) {
  const { packageName = '', pushEmail = null } = connection ?? {};
  return (
    <>
      <Field
        label={t.package}
        name="packageName"
        hint={t.packageHint}
        value={packageName}
        rule="packageName"
      />
      <Field
        label={t.push}
        name="pushEmail"
        type="email"
        hint={t.pushHint}
        value={pushEmail ?? ''}
        optional
      />
    </>
  );
}

/** Each app has a key of its own: its packages may lie in several accounts. */
export function PlayKeys() {
  const apps = useApps();
  const chosen = useSignal<string | null>(null);
  const all = apps.value.data ?? [];
  const { id = '' } = all.find((one) => one.id === chosen.value) ?? all[0] ?? {};
  const query = useApi(api.getPlayConnection, { id }, { enabled: id !== '' });
  if (id === '') return null;
  const check = async () => {
    const { status } = await api.checkPlayConnection({ id });
    return status === 'connected' && t.checked;
  };
  return (
    <KeyCard
      title={t.title}
      why={t.why}
      loss={t.loss}
      invalid={t.invalid}
      query={query}
      above={
        all.length > 1 && (
          <Choice
            label={t.app}
            name="app"
            options={all.map((one) => [one.id, one.displayName] as const)}
            value={id}
            onChange={into(chosen)}
          />
        )
      }
      rows={rowsOf}
      below={Address}
      buttons={<ActionButton button={t.check} notAllowed={whyNotManage.value} act={check} />}
      nameOf={({ packageName }) => packageName}
      disconnect={() => api.disconnectPlayStore({ id })}
      form={(connection) => (
        <PlayKeyForm
          key={id}
          steps={t.steps}
          connect={(fields, serviceAccount) => {
            const packageName = fields.get('packageName').trim();
            const email = fields.get('pushEmail').trim();
            return api.connectPlayStore({
              id,
              body: { packageName, serviceAccount, ...(email !== '' && { pushEmail: email }) },
            });
          }}
        >
          <Fields connection={connection} />
        </PlayKeyForm>
      )}
    />
  );
}
