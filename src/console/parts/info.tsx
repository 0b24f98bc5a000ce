import type { ComponentChildren } from 'preact';
import { controls as t } from '../texts/controls.ts';
import * as icons from './icons.ts';
import { Popover } from './popover.tsx';

export function Info(props: { label: string; children: ComponentChildren }) {
  return (
    <Popover
      label={props.label}
      kind="note"
      class="info"
      placement="bottom"
      button={(trigger) => (
        <button {...trigger} class="info-mark" aria-label={t.about(props.label)}>
          <icons.info aria-hidden class="tiny" />
        </button>
      )}
    >
      {props.children}
    </Popover>
  );
}
