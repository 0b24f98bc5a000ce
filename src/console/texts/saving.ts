export const saving = {
  person: 'Person',
  close: 'Close the list',
  none: 'Nobody.',
  all: (count: string) => (count ? `All ${count}` : 'All'),
  saveAll: 'save as CSV',
  asSegment: 'Save as segment',
} as const;
