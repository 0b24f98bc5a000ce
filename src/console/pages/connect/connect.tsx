import { useRoute } from 'preact-iso';
import { Card } from '../../parts/card.tsx';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { keyName, revokeColumn } from '../../parts/key-columns.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Options } from '../../parts/options.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import { newKey, secretOf } from '../../state/new-key.ts';
import type { Query } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { connect as t } from '../../texts/connect.ts';
import { FirstEvent, useFirstEvent } from './first-event.tsx';
import { Snippet } from './snippet.tsx';

type Keys = Awaited<ReturnType<typeof api.listPublishableKeys>>;

const USES = ['production', 'development', 'flags'] as const;
const USE_OPTIONS = USES.map((value) => ({
  value,
  label: t.uses[value],
  detail: t.useHints[value],
}));

function NewKey({ appId: id }: { appId: string }) {
  const create = async (fields: Fields) => {
    const use = USES.find((one) => one === fields.get('use')) ?? 'production';
    const kind = use === 'flags' ? { kind: use } : { environment: use };
    const body = { name: fields.get('name').trim(), ...kind };
    const { secret } = await api.createPublishableKey({ id, body });
    if (use === 'flags') return secret;
    newKey.value = { appId: id, secret };
  };
  return (
    <FormDialog
      button={t.createKey}
      submit={t.create}
      opening={useAdding('key')}
      notAllowed={whyNotEdit.value}
      send={create}
      made={(secret) => <ShownOnce why={t.flagsKey} text={secret} />}
    >
      <Field label={t.name} name="name" value="app" maxLength={80} />
      <Options label={t.use} name="use" value="production" options={USE_OPTIONS} />
    </FormDialog>
  );
}

function AppKeys({ appId, keys }: { appId: string; keys: Query<Keys> }) {
  const revoke = (keyId: string) => api.revokePublishableKey({ id: appId, keyId });
  return (
    <ListCard
      title={t.keys}
      query={keys}
      empty={{ icon: icons.keys, title: t.noKeys, text: t.noKeysWhy }}
      keyOf={({ id }) => id}
      columns={[
        keyName,
        {
          label: t.use,
          show: ({ kind, environment }) =>
            t.uses[kind === 'flags' ? kind : (environment ?? 'production')],
          narrow: true,
        },
        { label: t.created, at: ({ createdAt }) => createdAt, sort: true },
        revokeColumn(revoke, whyNotEdit.value),
      ]}
    />
  );
}

export function Connect() {
  const appId = useRoute().params.id ?? '';
  const keys = useApi(api.listPublishableKeys, { id: appId });
  const first = useFirstEvent(appId);
  const isHeard = Boolean(first.recent.value.data?.length);
  return (
    <Page question={t.question} help="clients" actions={<NewKey appId={appId} />}>
      <Card title={isHeard ? t.boxAgain : t.box} class="connect-box">
        <FirstEvent appId={appId} first={first} />
        <Snippet secret={secretOf(appId)} hasKey={Boolean(keys.value.data?.length)} />
      </Card>
      <AppKeys {...{ appId, keys }} />
    </Page>
  );
}
