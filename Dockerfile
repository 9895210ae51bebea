# One image: the server, the built dashboard, Node 24 and the embedded PostgreSQL. With DATABASE_URL the embedded one is never
# started. Linted by server/test/deploy/; it is not built by the tests.

FROM node:24-bookworm-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY cli/bin cli/bin
COPY dashboard/package.json dashboard/
RUN npm ci --omit=dev --ignore-scripts --workspace dashboard
COPY tsconfig.json ./
COPY contract/src contract/src
COPY sdk/src sdk/src
COPY dashboard dashboard
RUN node dashboard/build.ts

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY cli/bin cli/bin
COPY dashboard/package.json dashboard/
# The base image is Node 24 already, so the packages that bring it are left out. The dashboard is built already.
RUN npm ci --omit=dev --ignore-scripts --workspace server --workspace cli && rm -rf node_modules/node-linux-*

FROM node:24-bookworm-slim
WORKDIR /app
# Owned by root: the server cannot change its own code.
COPY --from=packages /app ./
COPY require-node-24.cjs README.md CHANGELOG.md ./
# The guides, which the server shows at /docs/guides.
COPY docs docs
COPY server/migrations server/migrations
COPY contract/src contract/src
COPY server/src server/src
# The command line: docker exec … npx toolgate backup /data/toolgate.backup
COPY sdk/src sdk/src
COPY cli/src cli/src
COPY --from=dashboard /app/dashboard/dist dashboard/dist
# What Node compiled, for the next starts: made as the user who runs the server, since Node keeps it by user, and then owned by root.
RUN mkdir -p node_modules/.cache/toolgate && chown 1000:1000 node_modules/.cache/toolgate \
  && setpriv --reuid=1000 --regid=1000 --clear-groups \
    node --max-semi-space-size=8 --require ./require-node-24.cjs server/src/main.ts --help > /dev/null \
  && chown -R root:root node_modules/.cache && chmod -R a+rX,go-w node_modules/.cache
RUN mkdir /data && chown node:node /data
# By number, so that Kubernetes can check that it is not root.
USER 1000:1000
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TOOLGATE_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: SIGTERM has to reach the server itself.
CMD ["node", "--max-semi-space-size=8", "--require", "./require-node-24.cjs", "server/src/main.ts"]
