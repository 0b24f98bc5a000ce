import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { placeAfterKey } from './arrow-keys.ts';

type Shared = {
  /** The id of the option that Enter takes; the focus stays in the input. */
  active: Signal<string>;
  list: RefObject<HTMLDivElement | null>;
  listId: string;
  label: string;
};

const Context = createContext<Shared | undefined>(undefined);

function useShared(): Shared {
  const shared = useContext(Context);
  if (!shared) throw new Error('It stands outside of a combobox.');
  return shared;
}

const optionsOf = ({ list }: Shared): HTMLElement[] => [
  ...(list.current?.querySelectorAll<HTMLElement>('[role="option"]:not([aria-disabled])') ?? []),
];

function activateFirst(shared: Shared): void {
  shared.active.value = optionsOf(shared)[0]?.id ?? '';
}

function onKeyDown(shared: Shared, event: KeyboardEvent): void {
  if (event.isComposing) return;
  const options = optionsOf(shared);
  const at = options.findIndex(({ id }) => id === shared.active.value);
  const next = options[placeAfterKey(event.key, at, options.length) ?? -1];
  if (!next && event.key !== 'Enter') return;
  event.preventDefault();
  if (!next) {
    options[at]?.click();
    return;
  }
  shared.active.value = next.id;
  // With the heading above the first.
  if (next === options[0]) shared.list.current?.scrollTo(0, 0);
  else next.scrollIntoView({ block: 'nearest' });
}

export function Combobox(props: {
  label: string;
  search: string;
  class: string;
  children: ComponentChildren;
}) {
  const shared: Shared = {
    active: useSignal(''),
    list: useRef<HTMLDivElement>(null),
    listId: useId(),
    label: props.label,
  };
  useLayoutEffect(() => activateFirst(shared), [props.search]);
  return (
    <Context.Provider value={shared}>
      <div class={props.class}>{props.children}</div>
    </Context.Provider>
  );
}

export function ComboboxInput(props: {
  value: string;
  onValue: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  placeholder: string;
  takesFocus?: boolean;
}) {
  const shared = useShared();
  const { active, listId, label } = shared;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.takesFocus) input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <input
      ref={input}
      role="combobox"
      aria-label={label}
      aria-expanded
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={active.value || undefined}
      autocomplete="off"
      spellcheck={false}
      value={props.value}
      placeholder={props.placeholder}
      onInput={({ currentTarget }) => props.onValue(currentTarget.value)}
      onKeyDown={(event) => {
        props.onKeyDown?.(event);
        onKeyDown(shared, event);
      }}
    />
  );
}

export function ComboboxList(props: { class: string; children: ComponentChildren }) {
  const { list, listId, label } = useShared();
  return (
    <div ref={list} id={listId} role="listbox" aria-label={label} class={props.class}>
      {props.children}
    </div>
  );
}

export function ComboboxGroup(props: { heading: string; children: ComponentChildren }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list box holds no fieldset.
    <div role="group" aria-labelledby={id}>
      <div id={id} aria-hidden class="group-heading">
        {props.heading}
      </div>
      {props.children}
    </div>
  );
}

export function ComboboxOption(props: {
  class: string;
  onSelect: () => void;
  isDisabled?: boolean;
  children: ComponentChildren;
}) {
  const shared = useShared();
  const { active } = shared;
  const id = useId();
  useLayoutEffect(() => {
    const hasActive = () => optionsOf(shared).some((option) => option.id === active.value);
    const keepOne = () => hasActive() || activateFirst(shared);
    keepOne();
    return () => queueMicrotask(keepOne);
  }, []);
  const { isDisabled = false } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input does the same.
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus, and names it.
    <div
      id={id}
      role="option"
      class={props.class}
      aria-selected={active.value === id}
      aria-disabled={isDisabled || undefined}
      onPointerMove={() => {
        if (!isDisabled) active.value = id;
      }}
      onClick={() => {
        if (!isDisabled) props.onSelect();
      }}
    >
      {props.children}
    </div>
  );
}
