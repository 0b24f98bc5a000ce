import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';

type Words = {
  change: string;
  changeOf: (name: string) => string;
  remove: string;
  removeOf: (name: string) => string;
  removeLoss: string;
};

/** Acts of a row that is changed in a dialog. */
export function EntryActs(props: {
  name: string;
  texts: Words;
  notAllowed: string | false;
  onChange: () => void;
  remove: () => Promise<unknown>;
}) {
  const { name, texts: t, notAllowed, onChange, remove } = props;
  return (
    <>
      <Button
        kind="ghost"
        compact
        label={t.changeOf(name)}
        disabledWhy={notAllowed}
        onClick={onChange}
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
        onConfirm={remove}
      />
    </>
  );
}

export const AddEntry = (props: {
  label: string;
  notAllowed: string | false;
  onClick: () => void;
}) => (
  <Button compact icon={icons.add} disabledWhy={props.notAllowed} onClick={props.onClick}>
    {props.label}
  </Button>
);

/** With `wanted` in its place, or at the end where it is new; throws where its name is taken. */
export function putEntry<T>(
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
