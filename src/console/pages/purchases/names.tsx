import { Checks, Field, type Fields } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { purchases as t } from '../../texts/purchases.ts';
import { EntryList } from './entries.tsx';

type Names = Awaited<ReturnType<typeof api.getNamedEntitlements>>;
type Named = Names['entitlements'][number];

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

function checkedName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new Error(t.noName);
  if (!NAME.test(name)) throw new Error(t.badName);
  return name;
}

function read(fields: Fields, known: Named | null): Named {
  const name = known?.name ?? checkedName(fields.get('name'));
  const productIds = fields.all('product');
  if (productIds.length === 0) throw new Error(t.noneTicked);
  return { name, productIds };
}

function NameFields({ known, products }: { known: Named | null; products: Names['products'] }) {
  const labels = new Map([
    ...(known?.productIds ?? []).map((id) => [id, id] as const),
    ...products.map(({ id, listed }) => {
      const state = listed?.state.replaceAll('_', ' ') ?? '';
      return [id, listed ? t.productOf(id, listed.name, state) : id] as const;
    }),
  ]);
  return (
    <>
      {!known && (
        <Field label={t.name} name="name" hint={t.nameHint} rule="entitlementName" optional />
      )}
      <Checks
        label={t.products}
        name="product"
        options={[...labels].toSorted(([a], [b]) => (a < b ? -1 : 1))}
        value={known?.productIds ?? []}
      />
    </>
  );
}

export function EntitlementNames({ appId: id }: { appId: string }) {
  const names = useApi(api.getNamedEntitlements, { id });
  const { products = [] } = names.value.data ?? {};
  const save = async (change: (before: readonly Named[]) => Named[]) => {
    const { entitlements } = await api.getNamedEntitlements({ id });
    await api.setNamedEntitlements({ id, body: { entitlements: change(entitlements) } });
  };
  return (
    <EntryList
      query={mapped(names, ({ entitlements }) => entitlements)}
      texts={{ ...t, ...t.entry, noneWhy: products.length === 0 ? t.noProducts : t.namesWhy }}
      nameOf={({ name }) => name}
      columns={[
        {
          label: t.products,
          show: ({ productIds }) => (
            <ul class="lines">
              {productIds.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          ),
        },
      ]}
      notAllowed={whyNotEdit.value}
      canAdd={products.length > 0}
      save={save}
      read={read}
      fields={(known) => <NameFields {...{ known, products }} />}
    />
  );
}
