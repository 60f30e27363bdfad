# realmctl in a container: the tarball of `npm pack`, nothing built here.
#   npm pack && mv realmctl-*.tgz realmctl.tgz && docker build --tag realmctl .
#   docker run --rm --volume "$PWD:/work" --env ZULIP_SITE --env ZULIP_EMAIL --env ZULIP_API_KEY realmctl plan
# The digest makes a build today the same as the one that was checked; a newer image is a change of these two lines.
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS install
WORKDIR /install
COPY realmctl.tgz ./
RUN npm install --global --prefix /opt/realmctl --omit=dev --ignore-scripts --no-audit --no-fund ./realmctl.tgz

FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
# What runs needs Node alone: no package manager that could fetch something else.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
COPY --from=install /opt/realmctl /opt/realmctl
ENV PATH="/opt/realmctl/bin:$PATH" \
    NODE_ENV=production
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["realmctl"]
CMD ["--help"]
