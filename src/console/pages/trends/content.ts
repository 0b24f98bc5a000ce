export { TrendReport, tableOf } from './report.tsx';
export { saveTable } from './table.tsx';
