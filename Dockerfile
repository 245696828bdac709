# bindery as a container image:  ./dev image     (./dev deploy-check container tries it)
#
# That gives `docker build`, or podman's, or buildah's, the revision and the date; without them the image
# works as well. It takes BuildKit, or buildah's builder.
# BASE is any Debian 12. What runs has the libraries that the program is linked with and nothing more;
# it needs no shell, runs as a user without a name, and writes nowhere but to /var/lib/bindery.
ARG BASE=docker.io/library/debian:12-slim

FROM ${BASE} AS build
WORKDIR /src
COPY dev .
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(./dev packages build)
COPY . .
# The date of the commit: the same commit makes the same package.
ARG SOURCE_DATE_EPOCH
ARG PRESET=package
# How many compilers at once, for a machine with little memory; unless given as many as ninja likes.
ARG CMAKE_BUILD_PARALLEL_LEVEL
ENV CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=/src CCACHE_NOHASHDIR=1
ARG REVISION
RUN cmake --preset ${PRESET} -DBINDERY_COMMIT="${REVISION}" -DBINDERY_BUILD_TESTS=OFF --log-level=WARNING \
 && cmake --build --preset ${PRESET} --target bindery package_files \
 && cpack --config build/${PRESET}/CPackConfig.cmake -B /deb \
 && mv /deb/bindery_*.deb /bindery.deb

FROM ${BASE} AS runtime
RUN --mount=type=bind,from=build,source=/,target=/build \
    apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      ca-certificates /build/bindery.deb \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/* \
      /usr/share/doc/* /usr/share/man/*
COPY deploy/container/bindery.yaml /etc/bindery/bindery.yaml
COPY config/manifests /etc/bindery/manifests
# The files of a clone may be its owner's alone.
RUN chmod -R a+rX /etc/bindery \
 && install -d -m 0700 -o 65532 -g 65532 /var/lib/bindery

# What the image holds, as SPDX; python is of this stage only.
FROM build AS contents
COPY --from=runtime /var/lib/dpkg/status /status
RUN python3 cmake/sbom.py /status > /sbom.spdx.json

FROM runtime
COPY --from=contents /sbom.spdx.json /usr/share/bindery/sbom.spdx.json
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="bindery" \
      org.opencontainers.image.description="Continuously enforces who has access to your cloud resources, as declared in a folder of YAML files" \
      org.opencontainers.image.url="https://github.com/bindery/bindery" \
      org.opencontainers.image.source="https://github.com/bindery/bindery" \
      org.opencontainers.image.documentation="https://github.com/bindery/bindery/blob/main/docs/install.md" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
USER 65532:65532
WORKDIR /var/lib/bindery
# What systemd says to a unit: where the witness of the store is.
ENV STATE_DIRECTORY=/var/lib/bindery
# Not the manifests: a volume there would begin as a copy of the examples and outlive them unseen. A
# folder of the host is mounted, read-only; without one the examples of this image are in force.
VOLUME /var/lib/bindery
EXPOSE 9817
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 CMD ["/usr/bin/bindery", "health"]
ENTRYPOINT ["/usr/bin/bindery"]
CMD ["run"]
