# One image: the server, Node 24 and the embedded PostgreSQL. With DATABASE_URL the embedded one is never started.
FROM node:24-bookworm-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
# The base image is Node 24 already.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* /root/.npm
COPY require-node-24.cjs ./
COPY server/migrations server/migrations
COPY server/src server/src

RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=3000 TOOLGATE_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: SIGTERM has to reach the server itself.
CMD ["node", "--max-semi-space-size=8", "--require", "./require-node-24.cjs", "server/src/main.ts"]
