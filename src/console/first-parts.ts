/**
 * What most pages draw with and ask by, in the first chunk with the shell: a chunk each would be larger
 * together, and a request of its own. A name of each file is enough.
 */
export { ActionButton } from './parts/action-button.tsx';
export { Card } from './parts/card.tsx';
export { Change } from './parts/change.tsx';
export { Columns } from './parts/chart/by-use.tsx';
export { Difference } from './parts/chart/interval.tsx';
export { chartMarks } from './parts/chart/marks-of.ts';
export { Legend } from './parts/chart/meter.tsx';
export { pageCharts } from './parts/chart/page-charts.ts';
export { alone } from './parts/chart/paths.ts';
export { barPlaces } from './parts/chart/places.ts';
export { linear } from './parts/chart/scale.ts';
export { Spark } from './parts/chart/spark.tsx';
export { cut } from './parts/chart/text.ts';
export { useWidth } from './parts/chart/width.ts';
export { AddChip } from './parts/chips/chip.tsx';
export { Opened } from './parts/chips/opened.tsx';
export { Confirmed } from './parts/confirm.tsx';
export { CopyLink } from './parts/copy-link.tsx';
export { toCsv } from './parts/csv.ts';
export { download } from './parts/download.ts';
export { ExportMenu } from './parts/export-menu.tsx';
export { Checks } from './parts/form.tsx';
export { Info } from './parts/info.tsx';
export { Kpi } from './parts/kpis.tsx';
export { CursorPagination } from './parts/pagination.tsx';
export { PersonLink } from './parts/person-link.tsx';
export { CompareControl } from './parts/range.tsx';
export { ScrollFrame } from './parts/scroll-frame.tsx';
export { Segmented } from './parts/segmented.tsx';
export { Table } from './parts/table.tsx';
export { FIELDS } from './state/filter-rules.ts';
export { beginsWithOpen } from './state/first-open.ts';
export { useMarks } from './state/marks.ts';
export { changeSince } from './state/people-days.ts';
export { countryName } from './state/sent-values.ts';
export { sentBy } from './state/sent.ts';
export { versionDays } from './state/version-days.ts';
export { byVersion } from './state/version-slots.ts';
export { useVersionDays } from './state/versions.ts';
export { chart } from './texts/chart.ts';
export { visible } from './visible.ts';
