export { BreakdownChip } from './breakdown.tsx';
export { ChoiceChip } from './chip.tsx';
