import { shortNumber } from '../format.ts';
import { counted } from './counted.ts';

export const today = {
  title: 'Today',
  question: 'Is everything all right with this app, and what changed?',
  people: 'People, 28 days',
  active: (count: string) => `${count} active`,
  events: (count: number) => counted(count, 'event', 'events', shortNumber),
  funnel: 'Funnel, 28 days',
  proceeds: 'Proceeds, 28 days',
  downloads: 'Downloads, 28 days',
  look: 'To look at',
  nothing: 'Nothing stands out.',
  open: 'Open',
  severity: { act: 'Act', warn: 'Watch', info: 'Know' },
  peopleMeaning: 'Distinct people with an event in these days. Development keys are left out.',
  notLinked: 'Not linked to a store app',
  setUp: 'The app is being set up. It can take events in a moment.',
} as const;
