export const segmentOfPeople = {
  whyNot: {
    order:
      'A segment can’t check the order of steps or the time between them. Save the question to come back to this list, or export it.',
    conditions:
      'A segment can’t check a condition of this list, such as a person’s first event or arm. Export the list, or remove the condition.',
    hours: 'A segment counts whole days. Show days, weeks or months to save this list.',
    clock: 'A segment counts calendar days. Switch off 24-hour periods to save this list.',
    days: 'A segment counts whole days. Choose dates to save this list.',
    environment: 'A segment counts production events. Switch to production to save this list.',
  },
} as const;
