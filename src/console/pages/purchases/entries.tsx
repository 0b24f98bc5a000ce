import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';

/** Acts of a row that is changed in a dialog. */
export function EntryActs(props: {
  name: string;
  change: { button: string; label: string };
  removal: { button: string; title: string; loss: string };
  notAllowed: string | false;
  onChange: () => void;
  remove: () => Promise<unknown>;
}) {
  const { name, change, removal, notAllowed, onChange, remove } = props;
  return (
    <>
      <Button kind="ghost" compact label={change.label} disabledWhy={notAllowed} onClick={onChange}>
        {change.button}
      </Button>
      <Confirmed inRow {...removal} name={name} notAllowed={notAllowed} onConfirm={remove} />
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
