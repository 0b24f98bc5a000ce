import { Dialog } from '../../parts/dialog.tsx';
import { Checks, Field, type Fields, Form } from '../../parts/form.tsx';
import type { api } from '../../state/api.ts';
import { purchases as t } from '../../texts/purchases.ts';
import { putEntry } from './entries.tsx';

type Names = Awaited<ReturnType<typeof api.getNamedEntitlements>>;
export type Named = Names['entitlements'][number];
export type Product = Names['products'][number];

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

function checkedName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new Error(t.noName);
  if (!NAME.test(name)) throw new Error(t.badName);
  return name;
}

export function NameDialog(props: {
  chosen: Named | 'new' | null;
  products: readonly Product[];
  save: (change: (before: readonly Named[]) => Named[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const { chosen, products, save, onClose } = props;
  const known = chosen === 'new' ? null : chosen;
  const labels = new Map([
    ...(known?.productIds ?? []).map((id) => [id, id] as const),
    ...products.map(({ id, listed }) => {
      const state = listed?.state.replaceAll('_', ' ') ?? '';
      return [id, listed ? t.productOf(id, listed.name, state) : id] as const;
    }),
  ]);
  const submit = async (fields: Fields) => {
    const name = known?.name ?? checkedName(fields.get('name'));
    const wanted = { name, productIds: fields.all('product') };
    if (wanted.productIds.length === 0) throw new Error(t.noneTicked);
    const how = { nameOf: (named: Named) => named.name, isNew: !known, taken: t.takenName };
    await save((before) => putEntry(before, wanted, how));
    onClose();
  };
  return (
    <Dialog
      title={known ? t.changeOf(known.name) : t.addName}
      isOpen={chosen !== null}
      onClose={onClose}
    >
      <Form button={t.save} keep onSubmit={submit} onCancel={onClose}>
        {!known && (
          <Field
            label={t.name}
            name="name"
            hint={t.nameHint}
            maxLength={64}
            autocomplete="off"
            optional
          />
        )}
        <Checks
          label={t.products}
          name="product"
          options={[...labels].toSorted(([a], [b]) => (a < b ? -1 : 1))}
          value={known?.productIds ?? []}
        />
      </Form>
    </Dialog>
  );
}
