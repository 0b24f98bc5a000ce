import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { keyName, revokeColumn } from '../../parts/key-columns.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Options } from '../../parts/options.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import { newKey } from '../../state/new-key.ts';
import type { Query } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { connect as t } from '../../texts/connect.ts';

type Keys = Awaited<ReturnType<typeof api.listPublishableKeys>>;

const USES = ['production', 'development', 'flags'] as const;
const USE_OPTIONS = USES.map((value) => ({
  value,
  label: t.uses[value],
  detail: t.useHints[value],
}));

export function NewKey({ appId: id }: { appId: string }) {
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

export function AppKeys({ appId, keys }: { appId: string; keys: Query<Keys> }) {
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
