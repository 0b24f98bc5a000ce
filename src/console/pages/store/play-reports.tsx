import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { usePlayAccount } from '../../state/google-play.ts';
import { whyNotEdit, whyNotManage } from '../../state/session.ts';
import { playReports as t, playStore } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';
import { PlayConnected, PlayKeyForm } from './play-parts.tsx';

type Account = NonNullable<Awaited<ReturnType<typeof api.getGooglePlayAccount>>>;

const ReportsForm = ({ bucket, onConnected }: { bucket: string; onConnected: () => void }) => (
  <PlayKeyForm
    steps={t.steps}
    onConnected={onConnected}
    connect={(fields, serviceAccount) =>
      api.connectGooglePlayAccount({
        body: { bucket: fields.get('bucket').trim(), serviceAccount },
      })
    }
  >
    <Field label={t.bucket} name="bucket" hint={t.bucketHint} autocomplete="off" value={bucket} />
  </PlayKeyForm>
);

const State = ({ account }: { account: Account }) => (
  <Facts
    rows={[
      [t.bucket, <code key="b">{account.bucket}</code>],
      [playStore.account, <code key="a">{account.clientEmail}</code>],
      [store.since, when(account.connectedAt)],
      [t.next, when(account.nextReadAt)],
    ]}
  />
);

function Buttons({ account, onDone }: { account: Account; onDone: () => void }) {
  return (
    <>
      <ActionButton
        button={t.read}
        notAllowed={whyNotEdit.value}
        act={async () => {
          await api.readGooglePlayReports();
          onDone();
          return t.reading;
        }}
      />
      <Confirmed
        button={store.disconnect}
        title={`${store.disconnect}: ${t.title}`}
        loss={t.loss}
        name={account.bucket}
        notAllowed={whyNotManage.value}
        onConfirm={async () => {
          await api.disconnectGooglePlayAccount();
          onDone();
        }}
      />
    </>
  );
}

/** Of the whole account, as the store's reporting key is. */
export function PlayReports() {
  const query = usePlayAccount();
  return (
    <Card title={t.title} isRegion>
      <p class="quiet">{t.why}</p>
      <Loaded query={query}>
        {(account) => {
          const form = <ReportsForm bucket={account?.bucket ?? ''} onConnected={query.refetch} />;
          if (!account) return form;
          return (
            <PlayConnected
              of={account}
              form={form}
              buttons={<Buttons account={account} onDone={query.refetch} />}
            >
              <State account={account} />
            </PlayConnected>
          );
        }}
      </Loaded>
    </Card>
  );
}
