/** For containers: whether the API of this container is ready. */
async function isReady(): Promise<boolean> {
  const url = `http://127.0.0.1:${process.env.PORT ?? '3000'}/healthz`;
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok === true;
}

process.exit((await isReady()) ? 0 : 1);

export {};
