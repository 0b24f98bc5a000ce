import { useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { purchases as t } from '../../texts/purchases.ts';
import { AddEntry, EntryActs } from './entries.tsx';
import { type Named, NameDialog } from './name-dialog.tsx';

function NamesTable(props: {
  all: readonly Named[];
  notAllowed: string | false;
  onChange: (named: Named) => void;
  remove: (name: string) => Promise<unknown>;
}) {
  const { all, notAllowed, onChange, remove } = props;
  return (
    <Table
      caption={t.names}
      rows={all}
      keyOf={({ name }) => name}
      csvName={null}
      columns={[
        { label: t.name, show: ({ name }) => <strong>{name}</strong> },
        {
          label: t.products,
          show: ({ productIds }) => (
            <ul class="lines">
              {productIds.map((id) => (
                <li key={id}>{id}</li>
              ))}
            </ul>
          ),
        },
        {
          label: t.change,
          isAct: true,
          show: (named) => (
            <EntryActs
              name={named.name}
              change={{ button: t.change, label: t.changeOf(named.name) }}
              removal={{ button: t.remove, title: t.removeOf(named.name), loss: t.removeLoss }}
              notAllowed={notAllowed}
              onChange={() => onChange(named)}
              remove={() => remove(named.name)}
            />
          ),
        },
      ]}
    />
  );
}

export function EntitlementNames({ appId }: { appId: string }) {
  const chosen = useSignal<Named | 'new' | null>(null);
  const names = useQuery(`entitlement names ${appId}`, (signal) =>
    api.getNamedEntitlements({ id: appId }, { signal }),
  );
  const notAllowed = whyNotEdit.value;
  const data = names.value.data;
  const save = async (change: (before: readonly Named[]) => Named[]) => {
    const { entitlements } = await api.getNamedEntitlements({ id: appId });
    await api.setNamedEntitlements({ id: appId, body: { entitlements: change(entitlements) } });
    names.refetch();
  };
  const remove = (gone: string) => save((before) => before.filter(({ name }) => name !== gone));
  const add = (
    <AddEntry
      label={t.addName}
      notAllowed={notAllowed}
      onClick={() => {
        chosen.value = 'new';
      }}
    />
  );
  return (
    <Card
      title={t.names}
      isRegion
      count={data?.entitlements.length}
      flush
      actions={data && data.products.length > 0 && add}
    >
      <Loaded query={names}>
        {({ entitlements, products }) =>
          entitlements.length === 0 ? (
            <Empty
              icon={icons.price}
              title={t.noNames}
              text={products.length === 0 ? t.noProducts : t.namesWhy}
            />
          ) : (
            <NamesTable
              all={entitlements}
              notAllowed={notAllowed}
              remove={remove}
              onChange={(named) => {
                chosen.value = named;
              }}
            />
          )
        }
      </Loaded>
      <NameDialog
        chosen={chosen.value}
        products={data?.products ?? []}
        save={save}
        onClose={() => {
          chosen.value = null;
        }}
      />
    </Card>
  );
}
