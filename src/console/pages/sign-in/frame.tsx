import type { ComponentChildren } from 'preact';
import { texts } from '../../texts/index.ts';

const Brand = () => (
  <p class="brand">
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="brand-ground" />
      <path d="M7 21.5l6-6 4.5 3.5L25 10.5" class="brand-line" />
      <circle cx="25" cy="10.5" r="3" class="brand-point" />
    </svg>
    {texts.product}
  </p>
);

const LINE = 'M0 150 L40 142 L80 146 L120 118 L160 124 L200 96 L240 104 L280 78';
const FALL = 'L320 128 L360 132 L400 84 L440 70 L480 46';

/** Decoration. */
const Picture = () => (
  <svg class="door-picture" viewBox="0 0 520 360" aria-hidden="true">
    <g class="door-grid">
      {[40, 95, 150].map((y) => (
        <path key={y} d={`M0 ${y}H520`} />
      ))}
    </g>
    <path class="door-area" d={`${LINE} ${FALL} L480 170 L0 170Z`} />
    <path class="door-mark" d="M300 14V170" />
    <circle class="door-flag" cx="300" cy="14" r="5" />
    <path class="door-line" d={`${LINE} ${FALL}`} />
    <circle class="door-today" cx="480" cy="46" r="4.5" />
    {[
      [0, 210, 140],
      [110, 252, 98],
      [220, 286, 64],
      [330, 304, 46],
      [440, 322, 28],
    ].map(([x = 0, y = 0, height = 0]) => (
      <g key={x}>
        <rect class="door-lost" x={x} y="210" width="80" height="140" rx="4" />
        <rect class="door-kept" x={x} y={y} width="80" height={height} rx="4" />
      </g>
    ))}
  </svg>
);

export const Door = (props: { title: string; children: ComponentChildren }) => (
  <main class="door" id="content">
    <div class="door-body">
      <Brand />
      <h1>{props.title}</h1>
      {props.children}
    </div>
    <div class="door-side">
      <Picture />
    </div>
  </main>
);
