import type { ComponentChildren } from 'preact';
import { controls as t } from '../../texts/controls.ts';
import * as icons from '../icons.ts';

export const BackHead = (props: {
  onBack?: (() => void) | undefined;
  children: ComponentChildren;
}) => (
  <div class="picker-head">
    {props.onBack && (
      <button
        type="button"
        class="ghost icon-only"
        aria-label={t.picker.back}
        onClick={props.onBack}
      >
        <icons.back aria-hidden class="small" />
      </button>
    )}
    {props.children}
  </div>
);
