import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { when } from '../../format.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit } from '../../state/session.ts';
import { connect as t } from '../../texts/connect.ts';
import { texts } from '../../texts/index.ts';
import { keys as keysTexts } from '../../texts/keys.ts';
import { FirstEvent } from './first-event.tsx';
import { Snippet } from './snippet.tsx';

const ENVIRONMENTS = [
  ['production', t.production],
  ['development', t.development],
] as const;

function AppKeys({ appId, keys }: { appId: string; keys: ReturnType<typeof useKeys> }) {
  const revoke = async (keyId: string) => {
    await api.revokePublishableKey({ id: appId, keyId });
    keys.refetch();
  };
  return (
    <Loaded query={keys}>
      {(data) => (
        <Table
          caption={t.keys}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { label: t.name, show: ({ name, prefix }) => `${name} (${prefix}…)` },
            { label: t.environment, show: ({ environment }) => environment ?? 'production' },
            { label: t.created, show: ({ createdAt }) => when(createdAt) },
            {
              label: t.revoke,
              show: ({ id, name, revokedAt }) =>
                revokedAt ? (
                  <span class="quiet">{t.revoked}</span>
                ) : (
                  <Confirmed
                    button={t.revoke}
                    title={`${t.revoke} ${name}`}
                    loss={keysTexts.revokeLoss}
                    name={name}
                    notAllowed={!mayEdit.value && texts.errors.editorsOnly}
                    onConfirm={() => revoke(id)}
                  />
                ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}

const useKeys = (appId: string) =>
  useQuery(`app keys ${appId}`, (signal) => api.listPublishableKeys({ id: appId }, { signal }));

/** From a key to the first event on screen. */
export function Connect() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const keys = useKeys(appId);
  const secret = useSignal<string | null>(null);
  const create = async (fields: Fields) => {
    const environment =
      fields.get('environment') === 'development'
        ? ('development' as const)
        : ('production' as const);
    const made = await api.createPublishableKey({
      id: appId,
      body: { name: fields.get('name'), environment },
    });
    secret.value = made.secret;
    keys.refetch();
  };
  return (
    <Page title={t.title} question={t.question} help="clients">
      <ol class="numbered">
        <li>
          <h2>{t.key}</h2>
          <p>{t.keyWhy}</p>
          <Form
            button={t.createKey}
            onSubmit={create}
            notAllowed={!mayEdit.value && texts.errors.editorsOnly}
          >
            <div class="row">
              <Field label={t.name} name="name" value="app" />
              <Choice label={t.environment} name="environment" options={ENVIRONMENTS} />
            </div>
          </Form>
          <ShownOnce why={t.shownOnce} text={secret.value} />
        </li>
        <li>
          <h2>{t.snippet}</h2>
          <Snippet serviceKey={secret.value} />
        </li>
        <li>
          <h2>{t.first}</h2>
          <FirstEvent appId={appId} />
        </li>
      </ol>
      <h2>{t.keys}</h2>
      <AppKeys appId={appId} keys={keys} />
    </Page>
  );
}
