export { BreakdownChip } from './breakdown.tsx';
export { ChoiceChip } from './chip.tsx';
export { EventChip } from './events.tsx';
export { FilterChips } from './filters.tsx';
