# realmctl in a container: the tarball of `npm pack`, nothing built here.
#   npm pack && mv realmctl-*.tgz realmctl.tgz && docker build --tag realmctl .
#   docker run --rm --volume "$PWD:/work" --env ZULIP_SITE --env ZULIP_EMAIL --env ZULIP_API_KEY realmctl plan
FROM node:24-alpine AS install
WORKDIR /install
COPY realmctl.tgz ./
RUN npm install --global --prefix /opt/realmctl --omit=dev --ignore-scripts --no-audit --no-fund ./realmctl.tgz

FROM node:24-alpine
# What runs needs Node alone: no package manager that could fetch something else.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
COPY --from=install /opt/realmctl /opt/realmctl
ENV PATH="/opt/realmctl/bin:$PATH" \
    NODE_ENV=production
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["realmctl"]
CMD ["--help"]
