import { when } from '../../format.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.sales;
type Found = Awaited<ReturnType<typeof api.getStoreConnection>>;

/** The key file of a form, read here: its text goes to the service and is kept nowhere. */
async function readKeyFile(form: HTMLInputElement | null): Promise<string> {
  const file = form?.files?.[0];
  if (!file) throw new Error(t.file);
  if (/^SubscriptionKey_/i.test(file.name)) throw new Error(t.wrongKey);
  return file.text();
}

function ConnectForm({ onChange }: { onChange: () => void }) {
  let input: HTMLInputElement | null = null;
  return (
    <section class="notice">
      <h2>{t.connect}</h2>
      <p>{t.connectWhy}</p>
      <Form
        button={t.connectButton}
        notAllowed={!mayManage.value && texts.faults.managersOnly}
        onSubmit={async (fields) => {
          await api.connectStore({
            body: {
              issuerId: fields.get('issuerId').trim(),
              keyId: fields.get('keyId').trim(),
              vendorNumber: fields.get('vendorNumber').trim(),
              privateKey: await readKeyFile(input),
            },
          });
          onChange();
        }}
      >
        <Field label={t.issuerId} name="issuerId" hint={t.issuerHint} autocomplete="off" />
        <Field label={t.keyId} name="keyId" hint={t.keyHint} autocomplete="off" />
        <Field label={t.vendor} name="vendorNumber" hint={t.vendorHint} autocomplete="off" />
        <div class="field">
          <label for="key-file">{t.file}</label>
          <input
            id="key-file"
            type="file"
            name="file"
            accept=".p8"
            required
            ref={(element) => {
              input = element;
            }}
          />
        </div>
      </Form>
    </section>
  );
}

/** The store's reporting key: how to connect it, or whether it works. */
export function Connection({ connection, onChange }: { connection: Found; onChange: () => void }) {
  if (!connection) return <ConnectForm onChange={onChange} />;
  const isFine = connection.status === 'connected';
  return (
    <div class={isFine ? 'row spaced' : 'notice bad'}>
      <span class={isFine ? 'good' : 'bad'}>
        {t.connection}: {connection.status}
      </span>
      <span class="quiet">
        {connection.keyId} · {when(connection.lastVerifiedAt ?? connection.connectedAt)}
      </span>
      {connection.lastError && <span>{connection.lastError}</span>}
      <Confirmed
        button={t.disconnect}
        title={t.disconnect}
        loss={t.disconnectLoss}
        name={connection.keyId}
        notAllowed={!mayManage.value && texts.faults.managersOnly}
        onConfirm={async () => {
          await api.disconnectStore();
          onChange();
        }}
      />
    </div>
  );
}
