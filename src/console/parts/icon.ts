import { type FunctionComponent, h } from 'preact';

export type Icon = FunctionComponent<{
  class?: string;
  /** Within a chart, as its picture has no stylesheet. */
  x?: number;
  y?: number;
  size?: number;
  'aria-hidden'?: boolean;
}>;

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

export const iconOf =
  (shapes: readonly Shape[]): Icon =>
  ({ class: classes = '', size = 24, ...rest }) =>
    h(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        'aria-hidden': true,
        class: `lucide ${classes}`,
        ...rest,
      },
      shapes.map(([tag, attributes]) => h(tag, attributes)),
    );
