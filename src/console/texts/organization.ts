export const organization = {
  title: 'Organization',
  question: 'What is it called, and by which days are its apps read?',
  name: 'Name',
  slug: 'Short name in addresses',
  slugRule: 'Lower-case letters, digits and hyphens.',
  save: 'Save',
  saved: 'Saved.',
  zones: 'Time zones of the apps',
  zonesWhy:
    'Event days, weeks and months of an app are cut by its zone. The store’s days are Pacific and stay so.',
  delete: 'Delete the organization',
  deleteLoss:
    'Its apps, events, sales, purchases, keys and members’ access are gone for good. Nothing of it can be brought back.',
  ownersOnly: 'Owners can do this.',
} as const;
