import { TimeChart } from './time-chart.tsx';
import type { StackedDaysProps } from './types.ts';

const HEIGHT_PX = 196;

/** What the days are made of; names stand in the legend of the card. */
export const StackedDays = ({ parts, ...chart }: StackedDaysProps) => (
  <TimeChart height={HEIGHT_PX} {...chart} kind="bar" series={parts} hasLegend />
);
