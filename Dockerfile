# The package toolgate on Node 24: the same build that npm gets (packaging/). The embedded PostgreSQL is in it; with DATABASE_URL it
# is never started. Linted by server/test/deploy/; packaging/test/image.test.ts makes its files and starts them without Docker. It
# was not built with Docker.

FROM node:24-bookworm-slim AS build
WORKDIR /src
# What .dockerignore allows.
COPY . .
RUN npm ci --ignore-scripts && npm run build -- --only toolgate && npm pack ./build/toolgate

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY --from=build /src/toolgate-*.tgz /tmp/
RUN npm install --ignore-scripts --omit=dev --no-package-lock --no-audit --no-fund /tmp/toolgate-*.tgz

FROM node:24-bookworm-slim
WORKDIR /app
# Owned by root: the server cannot change its own code. The command line is npx toolgate: docker exec … npx toolgate backup /data/toolgate.backup
COPY --from=packages /app ./
# What Node compiled, for the next starts: made as the user who runs the server, since Node keeps it by user, and then owned by root.
RUN cache=node_modules/toolgate/node_modules/.cache/toolgate && mkdir -p $cache && chown 1000:1000 $cache \
  && setpriv --reuid=1000 --regid=1000 --clear-groups \
    node --max-semi-space-size=8 --v8-pool-size=1 --require ./node_modules/toolgate/require-node-24.cjs node_modules/toolgate/dist/server.js --help > /dev/null \
  && chown -R root:root $cache && chmod -R a+rX,go-w $cache
RUN mkdir /data && chown node:node /data
# By number, so that Kubernetes can check that it is not root.
USER 1000:1000
# One process in a container: more of them are more replicas.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TOOLGATE_DATA_DIR=/data TOOLGATE_WORKERS=1
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npx: SIGTERM has to reach the server itself.
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "--require", "./node_modules/toolgate/require-node-24.cjs", "node_modules/toolgate/dist/server.js"]
