import type { ComponentChildren } from 'preact';

export const IntervalRow = (props: {
  name: string;
  below: string;
  figure: string;
  children: ComponentChildren;
}) => (
  <div class="arm">
    <div class="arm-name">
      <b>{props.name}</b>
      <div class="quiet">{props.below}</div>
    </div>
    <b class="arm-figure">{props.figure}</b>
    {props.children}
  </div>
);
