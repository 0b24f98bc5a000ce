const page = location.pathname.slice(1);
const find = (id) => document.getElementById(id);

/** The secret leaves the address bar, the history and what is copied from there at once. */
function takeSecrets() {
  const given = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) given.set(name, value);
  history.replaceState(null, '', location.pathname);
  return {
    secret: given.get('id') ?? given.get('invitation') ?? given.get('token') ?? '',
    email: given.get('email') ?? '',
  };
}

let { secret, email } = takeSecrets();

class Refused extends Error {
  constructor(status, { code, message, hint } = {}) {
    super([message ?? `The service answered ${status}.`, hint].filter(Boolean).join(' '));
    this.code = code;
  }
}

async function call(path, body) {
  const answer = await fetch(`/v1/auth/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('The service cannot be reached. Check your connection and try again.');
  });
  const content = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, content?.error);
  return content;
}

function say(id, text) {
  const place = find(id);
  place.textContent = text;
  place.hidden = text === '';
}

/** Shows one part of the page, with the cursor in its first empty field. */
function show(id, message = '') {
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.id !== id;
  say('fault', '');
  say('message', message);
  const fields = [...find(id).querySelectorAll('input')];
  for (const field of fields.filter(({ name }) => name === 'email')) field.value ||= email;
  const target = fields.find((field) => field.value === '') ?? find(id).querySelector('button');
  target?.focus();
}

/** Runs `work` with the fields of a form; a fault is shown and read out. */
function onSubmit(id, work) {
  const form = find(id);
  form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    say('fault', '');
    try {
      await work(Object.fromEntries(new FormData(form)));
      for (const field of form.querySelectorAll('[type=password]')) field.value = '';
    } catch (thrown) {
      say('fault', thrown.message);
    }
    button.disabled = false;
  });
}

function onClick(id, work) {
  find(id)?.addEventListener('click', work);
}

function done(message) {
  secret = '';
  show('done', message);
  find('message').focus();
}

async function accept() {
  const session = await call('organization/accept-invitation', { invitationId: secret });
  const organizations = await call('organization/list');
  const joined = organizations.find(({ id }) => id === session.activeOrganizationId);
  const name = joined ? `“${joined.name}”` : 'the organization';
  done(`You are a member of ${name} now. Your role is ${session.role}.`);
}

/** What follows once somebody is signed in. */
async function signedIn(user) {
  if (page === 'accept-invitation' && secret !== '') return accept();
  return done(`You are signed in as ${user.email}.`);
}

onSubmit('sign-in', async (fields) => {
  const { user } = await call('sign-in/email', fields);
  await signedIn(user);
});

onSubmit('make-account', async (fields) => {
  const invitation = secret === '' ? {} : { invitationId: secret };
  let made;
  try {
    made = await call('sign-up/email', { ...fields, ...invitation });
  } catch (thrown) {
    if (thrown.code !== 'conflict') throw thrown;
    email = fields.email;
    show('sign-in', 'There is an account with this address already. Sign in with its password.');
    return;
  }
  await signedIn(made.user);
});

onSubmit('join', accept);

onSubmit('new-password', async ({ newPassword }) => {
  await call('reset-password', { token: secret, newPassword });
  secret = '';
  show('sign-in', 'The new password is set, and every session was ended. Sign in with it.');
});

onSubmit('request-reset', async (fields) => {
  await call('request-password-reset', fields);
  done('If this address has an account, a mail with a link is on its way. It is good for an hour.');
});

onClick('to-sign-in', () => show('sign-in'));
onClick('to-make-account', () => show('make-account'));
onClick('other-account', async () => {
  await call('sign-out', {}).catch(() => undefined);
  show('make-account');
});

async function begin() {
  if (page === 'reset-password') return show(secret === '' ? 'request-reset' : 'new-password');
  if (page === 'sign-up') return show('make-account');
  if (secret === '') {
    return done(
      'This link is not complete. Open it again from where you got it, or ask for another.',
    );
  }
  const session = await call('get-session').catch(() => null);
  if (!session) return show('make-account');
  return show('join', `You are signed in as ${session.user.email}.`);
}

await begin();
