export { ConversionKpi } from './conversion.tsx';
export { ActiveKpi, MrrKpi, SalesKpi, Unconverted, WithoutAmount } from './money.tsx';
export { DayChange, type DayNames, PeopleKpi } from './people.tsx';
