# syntax=docker/dockerfile:1
# One image per app: docker build --target users-api | blocks-api | waymark .
# What runs has all of its packages in it; beside it are their licences, and what its docs send to browsers.
FROM node:24-bookworm-slim AS node
WORKDIR /app
ENV NODE_ENV=production

FROM node AS workspace
COPY package.json package-lock.json .npmrc ./
COPY libs/client/package.json libs/client/
COPY libs/domain/package.json libs/domain/
COPY libs/elements/package.json libs/elements/
COPY libs/picture/package.json libs/picture/
COPY libs/local-postgres/package.json libs/local-postgres/
COPY libs/service-kit/package.json libs/service-kit/
COPY libs/testing/package.json libs/testing/
COPY apps/blocks-api/package.json apps/blocks-api/
COPY apps/studio/package.json apps/studio/
COPY apps/users-api/package.json apps/users-api/
COPY apps/waymark/package.json apps/waymark/

FROM workspace AS build
RUN npm ci --include=dev --ignore-scripts
COPY tools/ tools/
COPY libs/ libs/
COPY apps/ apps/
# What new flows may begin as.
COPY examples/flows/ examples/flows/
# Which commit this is: docker build --build-arg COMMIT=$(git rev-parse HEAD) …
ARG COMMIT=unknown
RUN WAYMARK_COMMIT=$COMMIT node tools/build.mjs

FROM node AS users-api
COPY --from=build /app/package.json /app/dist/apps/users-api/main.js* /app/dist/apps/users-api/THIRD-PARTY.txt ./
COPY --from=build /app/dist/apps/users-api/docs docs
USER node
EXPOSE 7070 9090
CMD ["node", "main.js"]

FROM node AS blocks-api
COPY --from=build /app/package.json /app/dist/apps/blocks-api/main.js* /app/dist/apps/blocks-api/THIRD-PARTY.txt ./
COPY --from=build /app/dist/apps/blocks-api/docs docs
COPY --from=build /app/dist/apps/blocks-api/elements elements
USER node
EXPOSE 7071 9090
CMD ["node", "main.js"]

# The operator's command against DATABASE_URL; `waymark up` is for development and needs no image.
FROM node AS waymark
COPY --from=build /app/package.json ./
COPY --from=build /app/dist/apps/waymark/*.js /app/dist/apps/waymark/*.js.map /app/dist/apps/waymark/THIRD-PARTY.txt dist/apps/waymark/
# `waymark studio` runs it, with its reader of texts and its pages beside it.
COPY --from=build /app/dist/apps/studio/main.js* /app/dist/apps/studio/reader.js* /app/dist/apps/studio/THIRD-PARTY.txt dist/apps/studio/
COPY --from=build /app/dist/apps/studio/pages dist/apps/studio/pages
COPY apps/waymark/bin apps/waymark/bin
USER node
# From any folder, such as one with flow files that is mounted.
ENTRYPOINT ["node", "/app/apps/waymark/bin/waymark.mjs"]
