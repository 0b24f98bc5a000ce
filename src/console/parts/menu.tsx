import type { ComponentChildren } from 'preact';
import { moveFocus } from './arrow-keys.ts';
import type { Icon } from './icons.ts';
import * as icons from './icons.ts';
import type { Placement } from './placement.ts';
import { Popover, type PopoverProps } from './popover.tsx';

export type MenuItem = {
  key: string;
  label: string;
  detail?: string;
  icon?: Icon;
  media?: ComponentChildren;
  isChosen?: boolean;
  href?: string;
  onSelect?: () => void;
  disabledWhy?: string | false | undefined;
  isDanger?: boolean;
  startsGroup?: boolean;
};

function Face({ item }: { item: MenuItem }) {
  const { icon: IconOf, isChosen } = item;
  return (
    <>
      {IconOf && <IconOf aria-hidden />}
      {item.media}
      <span class="menu-label">{item.label}</span>
      {item.detail && <span class="menu-detail">{item.detail}</span>}
      {isChosen && <icons.check aria-hidden class="menu-check" />}
    </>
  );
}

function Entry({ item, close }: { item: MenuItem; close: () => void }) {
  const common = {
    class: `menu-item${item.startsGroup ? ' starts-group' : ''}${item.isDanger ? ' danger' : ''}`,
    tabIndex: -1,
  };
  if (item.href !== undefined && !item.disabledWhy) {
    return (
      <a
        {...common}
        role="menuitem"
        href={item.href}
        aria-current={item.isChosen || undefined}
        onClick={close}
      >
        <Face item={item} />
      </a>
    );
  }
  return (
    <button
      {...common}
      type="button"
      {...(item.isChosen === undefined
        ? { role: 'menuitem' as const }
        : { role: 'menuitemradio' as const, 'aria-checked': item.isChosen })}
      aria-disabled={Boolean(item.disabledWhy) || undefined}
      title={item.disabledWhy || undefined}
      onClick={() => {
        if (item.disabledWhy) return;
        close();
        item.onSelect?.();
      }}
    >
      <Face item={item} />
    </button>
  );
}

export function Menu(props: {
  label: string;
  button: PopoverProps['button'];
  items: readonly MenuItem[];
  placement?: Placement;
}) {
  return (
    <Popover
      label={props.label}
      button={props.button}
      kind="menu"
      class="menu-panel"
      {...(props.placement && { placement: props.placement })}
    >
      {(close) => (
        <div
          class="menu-items"
          role="menu"
          aria-label={props.label}
          tabIndex={-1}
          onKeyDown={(event) => moveFocus(event, '[role^="menuitem"]')}
        >
          {props.items.map((item) => (
            <Entry key={item.key} item={item} close={close} />
          ))}
        </div>
      )}
    </Popover>
  );
}
