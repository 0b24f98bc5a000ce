import { invalidInput } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import {
  DEFAULT_MEASUREMENT,
  type Measurement,
  type Metric,
  type NewMeasurement,
} from './measurement.model.ts';

type NewMetric = NonNullable<NewMeasurement['metrics']>[number];

function toMetric(metric: NewMetric, index: number): Metric {
  const { name, kind, event = null, where = null, role = 'deciding', better = 'higher' } = metric;
  const at = `measurement.metrics[${index}]`;
  if (kind === 'event' && event === null) {
    throw invalidInput(`${at}.event`, 'is needed where kind is "event"');
  }
  if (kind !== 'event' && (event !== null || where !== null)) {
    throw invalidInput(`${at}.event`, 'goes with kind "event" only');
  }
  return { id: newId('met'), name, kind, event, where, role, better };
}

export function toMeasurement(
  { metrics, ...change }: NewMeasurement,
  before: Measurement = DEFAULT_MEASUREMENT,
): Measurement {
  return { ...before, ...change, ...(metrics && { metrics: metrics.map(toMetric) }) };
}
