import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Icon } from './icons.ts';

export type ButtonKind = 'primary' | 'plain' | 'ghost' | 'dashed' | 'danger';

/** A button or, with `href`, a link that looks like one. */
export function Button(props: {
  kind?: ButtonKind;
  icon?: Icon;
  children?: ComponentChildren;
  label?: string;
  onClick?: (event: MouseEvent) => void;
  href?: string;
  type?: 'button' | 'submit';
  busy?: boolean;
  disabledWhy?: string | false | undefined;
  compact?: boolean;
  pressed?: boolean;
  class?: string;
}) {
  const { kind = 'plain', icon: Glyph, children, label, busy = false, disabledWhy } = props;
  const why = useId();
  const classes = [
    kind,
    props.compact && 'compact',
    children === undefined && 'icon-only',
    props.class,
  ]
    .filter(Boolean)
    .join(' ');
  const inside = (
    <>
      {Glyph && <Glyph />}
      {children}
    </>
  );
  if (props.href !== undefined && !disabledWhy) {
    return (
      <a class={`button ${classes}`} href={props.href} aria-label={label}>
        {inside}
      </a>
    );
  }
  return (
    <>
      <button
        type={props.type ?? 'button'}
        class={classes}
        aria-label={label}
        title={disabledWhy || (children === undefined ? label : undefined)}
        disabled={busy || Boolean(disabledWhy)}
        aria-busy={busy || undefined}
        aria-pressed={props.pressed}
        aria-describedby={disabledWhy ? why : undefined}
        onClick={props.onClick}
      >
        {inside}
      </button>
      {disabledWhy && (
        <span id={why} class={props.compact || children === undefined ? 'skip' : 'quiet'}>
          {disabledWhy}
        </span>
      )}
    </>
  );
}
