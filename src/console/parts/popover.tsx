import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { keepPlaced } from './floating.ts';
import type { Icon } from './icons.ts';
import * as icons from './icons.ts';
import type { Placement } from './placement.ts';

export type Trigger = {
  id: string;
  type: 'button';
  popovertarget: string;
  'aria-haspopup': 'dialog' | 'menu';
  'aria-expanded': boolean;
  onPointerEnter: () => void;
  onFocus: () => void;
};

export type TriggerFace = {
  text?: string;
  name?: string;
  icon?: Icon;
  class?: string;
  isOff?: boolean;
  disabledWhy?: string | false | undefined;
  opens?: boolean;
};

function TriggerButton({ trigger, face }: { trigger: Trigger; face: TriggerFace }) {
  const { icon: IconOf, disabledWhy, isOff } = face;
  return (
    <button
      {...trigger}
      class={face.class ?? 'plain'}
      aria-label={face.name}
      disabled={Boolean(disabledWhy) || isOff}
      title={disabledWhy || undefined}
    >
      {IconOf && <IconOf aria-hidden />}
      {face.text}
      {face.opens && <icons.open aria-hidden class="small" />}
    </button>
  );
}

const FOCUSABLE = 'a[href], button:not(:disabled), input, select, textarea, [tabindex="0"]';

/** What asks for it, else the chosen, else the first. */
function focusFirst(panel: HTMLElement): void {
  const first =
    panel.querySelector<HTMLElement>('[data-autofocus]') ??
    panel.querySelector<HTMLElement>('[aria-checked="true"], [aria-current="true"]') ??
    panel.querySelector<HTMLElement>(FOCUSABLE) ??
    panel;
  first.focus({ preventScroll: true });
}

type Toggle = Pick<ToggleEvent, 'target' | 'newState'>;

export type PopoverProps = {
  label: string;
  button: TriggerFace | ((trigger: Trigger) => JSX.Element);
  children: ComponentChildren | ((close: () => void) => ComponentChildren);
  /** A note keeps the focus on its button. */
  kind?: 'dialog' | 'menu' | 'note';
  placement?: Placement;
  class?: string;
  preload?: () => Promise<unknown>;
  onOpen?: () => void;
};

/** The browser closes it and gives the focus back; contents exist only while open. */
export function Popover(props: PopoverProps) {
  const { label, kind = 'dialog', placement = 'bottom-start' } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const close = () => panel.current?.hidePopover();
  useEffect(() => {
    const anchor = document.getElementById(`${id}-button`);
    if (!isOpen.value || !panel.current || !anchor) return;
    if (kind !== 'note') focusFirst(panel.current);
    return keepPlaced(anchor, panel.current, placement);
  }, [isOpen.value, placement]);
  const onBeforeToggle = (event: Toggle) => {
    if (event.target !== panel.current) return;
    if (event.newState === 'open') panel.current?.style.setProperty('opacity', '0');
  };
  const onToggle = (event: Toggle) => {
    if (event.target !== panel.current) return;
    isOpen.value = event.newState === 'open';
    if (isOpen.value) props.onOpen?.();
  };
  const closeWhenLeft = ({ relatedTarget }: Pick<FocusEvent, 'relatedTarget'>) => {
    if (!(relatedTarget instanceof HTMLElement)) return;
    if (relatedTarget.id === `${id}-button` || panel.current?.contains(relatedTarget)) return;
    // Closed within the event, it would take the focus back.
    requestAnimationFrame(() => isOpen.value && close());
  };
  const load = () => void props.preload?.().catch(() => {});
  const trigger: Trigger = {
    id: `${id}-button`,
    type: 'button',
    popovertarget: id,
    'aria-haspopup': kind === 'menu' ? 'menu' : 'dialog',
    'aria-expanded': isOpen.value,
    onPointerEnter: load,
    onFocus: load,
  };
  return (
    <>
      {typeof props.button === 'function' ? (
        props.button(trigger)
      ) : (
        <TriggerButton trigger={trigger} face={props.button} />
      )}
      <div
        ref={panel}
        id={id}
        popover="auto"
        {...(kind !== 'menu' && { role: kind, 'aria-label': label })}
        tabIndex={-1}
        class={props.class ? `popover ${props.class}` : 'popover'}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onFocusOut={closeWhenLeft}
      >
        {isOpen.value &&
          (typeof props.children === 'function' ? props.children(close) : props.children)}
      </div>
    </>
  );
}
