export const organization = {
  title: 'Organization',
  question: 'What is it called, and in which currency is it read?',
  name: 'Name',
  names: 'Name',
  slug: 'Short name in addresses',
  slugRule: 'Lower-case letters, digits and hyphens.',
  save: 'Save',
  saved: 'Saved.',
  more: 'For developers',
  api: 'API documentation',
  help: 'Guides',
  delete: 'Delete the organization',
  deleteLoss:
    'Its apps, events, sales, purchases, keys and members’ access are gone for good. Nothing of it can be brought back.',
  ownersOnly: 'Owners can do this.',
} as const;
