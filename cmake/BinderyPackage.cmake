# `cmake --install`, and the Debian package that CPack makes of it: ./dev package.
include(GNUInstallDirs)

# Debian wants an address; the project has no mailbox, and says so by a name that can never have one
# (RFC 2606). Who publishes packages names their own.
set(BINDERY_PACKAGE_CONTACT "bindery maintainers <maintainers@bindery.invalid>" CACHE STRING
    "Who answers for the package, as \"Name <address>\"")

# What the program says of itself: man pages, completions, schemas.
set(package_files ${CMAKE_BINARY_DIR}/package_files)
add_custom_command(
  OUTPUT ${package_files}/man/man1/bindery.1.gz
  COMMAND ${CMAKE_SOURCE_DIR}/cmake/package_files.py $<TARGET_FILE:bindery> ${package_files}
          ${BINDERY_PACKAGE_CONTACT} ${CMAKE_CROSSCOMPILING_EMULATOR}
  DEPENDS bindery cmake/package_files.py config/bindery.yaml CHANGELOG.md
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  VERBATIM)
# In ALL, because a full build can be installed.
add_custom_target(package_files ALL DEPENDS ${package_files}/man/man1/bindery.1.gz)

set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/bindery)
set(deploy ${CMAKE_SOURCE_DIR}/deploy)
install(DIRECTORY ${package_files}/man/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/man)
install(DIRECTORY ${package_files}/schema/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bindery/schema)
install(FILES docs/openapi.yaml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bindery/schema)
install(DIRECTORY ${package_files}/doc/ DESTINATION ${doc})
install(DIRECTORY ${package_files}/completion/bash/
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
install(DIRECTORY ${package_files}/completion/zsh/
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions)
install(DIRECTORY ${package_files}/completion/fish/
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
install(DIRECTORY ${deploy}/monitoring/
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bindery/monitoring PATTERN "tests" EXCLUDE)
# All pages, as they name each other. What else they name, docs/decisions among it, is of the source.
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
install(FILES ${pages} DESTINATION ${doc})
install(DIRECTORY docs/runbooks docs/images DESTINATION ${doc})
install(FILES ${deploy}/debian/copyright DESTINATION ${doc})
install(DIRECTORY config/manifests DESTINATION ${doc}/examples)
# What `bindery demo` shows.
install(DIRECTORY config/manifests config/demo DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bindery/example)
install(FILES config/embedded-cloud.yaml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bindery/example)
install(FILES ${deploy}/systemd/bindery.service DESTINATION /lib/systemd/system)
# What somebody made of them stays. Of a package's files dpkg sees to that.
foreach(file ${deploy}/debian/bindery.yaml ${CMAKE_SOURCE_DIR}/config/embedded-cloud.yaml)
  get_filename_component(name ${file} NAME)
  install(CODE "
    if(EXISTS \"\$ENV{DESTDIR}/etc/bindery/${name}\")
      message(STATUS \"Kept: \$ENV{DESTDIR}/etc/bindery/${name}\")
    else()
      file(INSTALL DESTINATION /etc/bindery TYPE FILE FILES \"${file}\")
    endif()")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bindery)
set(CPACK_PACKAGE_CONTACT "${BINDERY_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "continuously enforces who has access to your cloud resources")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"bindery continuously enforces who has access to your cloud resources, as
declared in a folder of YAML files: IAM policies of Google Cloud resources and
Datadog restriction policies. It reports and repairs drift, and records every policy it
replaces.")
set(CPACK_PACKAGE_HOMEPAGE_URL "https://github.com/bindery/bindery")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "init-system-helpers (>= 1.52), tzdata")
# tzdata is for conditions that name a time zone.
# procps has the /usr/bin/kill of `systemctl reload`. Without it the daemon runs all the same, and notices
# a change of its configuration by itself; an image has no use for it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, procps")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "prometheus")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${deploy}/debian/conffiles ${deploy}/debian/postinst ${deploy}/debian/prerm ${deploy}/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
# /etc and /lib are outside the prefix.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Only what is installed need be built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
