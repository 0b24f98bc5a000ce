export const organization = {
  question: 'What is it called, and in which currency is it read?',
  name: 'Name',
  names: 'Name',
  slug: 'Short name in addresses',
  slugRule: 'Lower-case letters, digits and hyphens.',
  more: 'For developers',
  api: 'API documentation',
  help: 'Guides',
  delete: 'Delete the organization',
  deleteLoss:
    'Its apps, events, sales, purchases, keys and members’ access are gone for good. Nothing of it can be brought back.',
  demo: 'This is the demo',
  demoText: 'All that it shows was made up by “bun run demo”, and nothing of it is yours.',
  removeDemo: 'Remove the demo',
  demoLoss:
    'Its apps, figures and keys are gone for good, and so is the login that it came with: you will be signed out. “bun run demo” makes another one.',
  ownersOnly: 'Owners can do this.',
  auditKept: 'Audit',
  auditWhy: 'Who changed what is kept for so many days; older entries are deleted for good.',
  auditDays: 'Days, 30 to 3650',
} as const;
