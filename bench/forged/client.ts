import autocannon from 'autocannon';

const { FORGED_URL: url, FORGED_BODY_FILE: file } = process.env;
if (url === undefined || file === undefined) throw new Error('This is run by bench/forged/run.ts.');

/** Sends one body over and over until it is stopped. */
await autocannon({
  url: `${url}/v1/purchases/notifications`,
  method: 'POST',
  connections: 10,
  duration: 600,
  headers: { 'content-type': 'application/json' },
  body: await Bun.file(file).text(),
});
