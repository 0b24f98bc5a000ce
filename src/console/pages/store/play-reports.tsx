import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Field } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { usePlayAccount } from '../../state/store-connection.ts';
import { playReports as t, playStore } from '../../texts/play-store.ts';
import { store } from '../../texts/store.ts';
import { KeyCard } from './key-card.tsx';
import { PlayKeyForm } from './play-key-form.tsx';

/** Of the whole account, as the store's reporting key is. */
export function PlayReports() {
  const query = usePlayAccount();
  const read = async () => {
    await api.readGooglePlayReports();
    return t.reading;
  };
  return (
    <KeyCard
      title={t.title}
      why={t.why}
      loss={t.loss}
      invalid={playStore.invalid}
      query={query}
      rows={({ bucket, clientEmail, connectedAt, nextReadAt }) => [
        [t.bucket, <code key="b">{bucket}</code>],
        [playStore.account, <code key="a">{clientEmail}</code>],
        [store.since, when(connectedAt)],
        [t.next, when(nextReadAt)],
      ]}
      buttons={<ActionButton button={t.read} notAllowed={whyNotEdit.value} act={read} />}
      nameOf={({ bucket }) => bucket}
      disconnect={() => api.disconnectGooglePlayAccount()}
      form={(account) => (
        <PlayKeyForm
          steps={t.steps}
          connect={(fields, serviceAccount) =>
            api.connectGooglePlayAccount({
              body: { bucket: fields.get('bucket').trim(), serviceAccount },
            })
          }
        >
          <Field
            label={t.bucket}
            name="bucket"
            hint={t.bucketHint}
            value={account?.bucket ?? ''}
            rule="bucket"
          />
        </PlayKeyForm>
      )}
    />
  );
}
