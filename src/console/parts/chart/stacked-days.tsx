import { TimeChart } from './time-chart.tsx';
import type { StackedDaysProps } from './types.ts';

const HEIGHT_PX = 196;

export const StackedDays = ({ parts, ...chart }: StackedDaysProps) => (
  <TimeChart height={HEIGHT_PX} {...chart} kind="bar" series={parts} hasLegend />
);
