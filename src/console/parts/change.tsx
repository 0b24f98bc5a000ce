import type { ComponentChildren } from 'preact';
import { changeSize } from '../format.ts';
import { texts } from '../texts/index.ts';
import * as icons from './icons.ts';

type Grown = { by: number; text: string; since: ComponentChildren };

export const Grown = ({ by, text, since }: Grown) => (
  <>
    <span class={`change ${by > 0 ? 'good' : by < 0 ? 'bad' : ''}`}>{text}</span>
    <span>{since}</span>
  </>
);

/** As good as none, without a colour. */
const STEADY = 0.02;

/** The colour says whether it is good. */
export function Change(props: {
  /** (now − before) / before; null without a before. */
  value: number | null;
  /** The day or days it is compared with. */
  against?: string;
  /** Undefined where neither is better. */
  goodWhen?: 'up' | 'down' | undefined;
}) {
  const { value, against, goodWhen } = props;
  if (value === null) return null;
  const isUp = value > 0;
  const isSteady = Math.abs(value) <= STEADY || goodWhen === undefined;
  const tone = isSteady ? '' : isUp === (goodWhen === 'up') ? 'good' : 'bad';
  const Arrow = value === 0 ? icons.steady : isUp ? icons.rises : icons.falls;
  return (
    <>
      <span class={`change ${tone}`}>
        <Arrow class="tiny" />
        <span class="skip">{isUp ? texts.change.up : value < 0 ? texts.change.down : ''}</span>
        {changeSize(value)}
      </span>
      {against && <span>{texts.change.against(against)}</span>}
    </>
  );
}
