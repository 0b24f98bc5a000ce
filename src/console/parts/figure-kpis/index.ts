export { ConversionKpi } from './conversion.tsx';
export type { Had } from './empty.tsx';
export { ActiveKpi, MrrKpi, SalesKpi, Unconverted, WithoutAmount } from './money.tsx';
export { DayChange, type DayNames, PeopleKpi } from './people.tsx';
