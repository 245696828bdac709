# The folders of an installation, made before any file is put into them. CMake makes them as the umask of who
# installs would have it, and behind one that keeps files to their owner the daemon, which is another user,
# cannot read its configuration. Folders that are there stay as they are.
install(CODE [[
  foreach(folder /etc/bindery/manifests /lib/systemd/system "${CMAKE_INSTALL_PREFIX}/bin"
          "${CMAKE_INSTALL_PREFIX}/share/bindery/example" "${CMAKE_INSTALL_PREFIX}/share/doc/bindery/examples"
          "${CMAKE_INSTALL_PREFIX}/share/man" "${CMAKE_INSTALL_PREFIX}/share/bash-completion"
          "${CMAKE_INSTALL_PREFIX}/share/zsh" "${CMAKE_INSTALL_PREFIX}/share/fish")
    set(missing)
    while(NOT EXISTS "$ENV{DESTDIR}${folder}" AND NOT folder STREQUAL "/")
      list(PREPEND missing "$ENV{DESTDIR}${folder}")
      get_filename_component(folder "${folder}" DIRECTORY)
    endwhile()
    foreach(each IN LISTS missing)
      file(MAKE_DIRECTORY "${each}")
      file(CHMOD "${each}" DIRECTORY_PERMISSIONS
           OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
  endforeach()]])
