export { ChoiceChip } from './chips/chip.tsx';
export { BreakdownChip } from './chips/breakdown.tsx';
export { EventChip, EventChips } from './chips/events.tsx';
export { FilterChips } from './chips/filters.tsx';
