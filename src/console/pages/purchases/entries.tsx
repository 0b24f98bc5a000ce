import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import type { Column } from '../../parts/table.tsx';
import type { Query } from '../../state/query.ts';
import { into, turn } from '../../state/signals.ts';
import { texts } from '../../texts/index.ts';

type Texts = {
  title: string;
  name: string;
  add: string;
  none: string;
  noneWhy: string;
  change: string;
  changeOf: (name: string) => string;
  remove: string;
  removeOf: (name: string) => string;
  removeLoss: string;
  taken: (name: string) => string;
};

export function EntryList<T>(props: {
  query: Query<readonly T[]>;
  texts: Texts;
  nameOf: (entry: T) => string;
  columns: readonly Column<T>[];
  notAllowed: string | false;
  canAdd: boolean;
  save: (change: (before: readonly T[]) => T[]) => Promise<unknown>;
  fields: (known: T | null) => ComponentChildren;
  read: (fields: Fields, known: T | null) => T;
}) {
  const { query, texts: t, nameOf, notAllowed, save } = props;
  const chosen = useSignal<T | 'new' | null>(null);
  const close = turn(chosen, null);
  const known = chosen.value === 'new' ? null : chosen.value;
  const put = async (fields: Fields) => {
    const wanted = props.read(fields, known);
    await save((before) => putEntry(before, wanted, { nameOf, isNew: !known, taken: t.taken }));
    close();
  };
  return (
    <>
      <ListCard
        title={t.title}
        isRegion
        query={query}
        empty={{ icon: icons.price, title: t.none, text: t.noneWhy }}
        actions={
          props.canAdd && (
            <Button
              compact
              icon={icons.add}
              disabledWhy={notAllowed}
              onClick={turn<T | 'new' | null>(chosen, 'new')}
            >
              {t.add}
            </Button>
          )
        }
        keyOf={nameOf}
        columns={[
          { label: t.name, show: (entry) => <strong>{nameOf(entry)}</strong> },
          ...props.columns,
          {
            label: t.change,
            isAct: true,
            show: (entry) => {
              const name = nameOf(entry);
              const removed = () =>
                save((before) => before.filter((other) => nameOf(other) !== name));
              return (
                <>
                  <Button
                    kind="ghost"
                    compact
                    label={t.changeOf(name)}
                    disabledWhy={notAllowed}
                    onClick={() => into(chosen)(entry)}
                  >
                    {t.change}
                  </Button>
                  <Confirmed
                    inRow
                    button={t.remove}
                    title={t.removeOf(name)}
                    loss={t.removeLoss}
                    name={name}
                    notAllowed={notAllowed}
                    onConfirm={removed}
                  />
                </>
              );
            },
          },
        ]}
      />
      <Dialog
        title={known ? t.changeOf(nameOf(known)) : t.add}
        isOpen={chosen.value !== null}
        onClose={close}
      >
        <Form button={texts.save} keep onSubmit={put} onCancel={close}>
          {props.fields(known)}
        </Form>
      </Dialog>
    </>
  );
}

function putEntry<T>(
  before: readonly T[],
  wanted: T,
  how: { nameOf: (entry: T) => string; isNew: boolean; taken: (name: string) => string },
): T[] {
  const { nameOf, isNew, taken } = how;
  const name = nameOf(wanted);
  if (!isNew) return before.map((one) => (nameOf(one) === name ? wanted : one));
  if (before.some((one) => nameOf(one) === name)) throw new Error(taken(name));
  return [...before, wanted];
}
