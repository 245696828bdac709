"""Archives whose bytes depend on their contents alone: sorted, of root, and dated as they are told."""

import gzip
import io
import pathlib
import tarfile


class Writer:
    """A tar archive in memory."""

    def __init__(self, epoch):
        self.epoch = epoch
        self._buffer = io.BytesIO()
        self._tar = tarfile.open(fileobj=self._buffer, mode="w", format=tarfile.PAX_FORMAT)

    def add(self, name, data, mode=0o644):
        """Adds a file of these bytes, or of this text."""
        if isinstance(data, str):
            data = data.encode("utf-8")
        member = self._member(name, mode)
        member.size = len(data)
        self._tar.addfile(member, io.BytesIO(data))

    def add_folder(self, name, mode=0o755, owner=0):
        member = self._member(name, mode, owner)
        member.type = tarfile.DIRTYPE
        self._tar.addfile(member)

    def add_tree(self, root):
        """Adds everything below the folder `root`, with the modes it has there."""
        root = pathlib.Path(root)
        for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).parts):
            name = path.relative_to(root).as_posix()
            mode = path.lstat().st_mode & 0o7777
            if path.is_symlink():
                member = self._member(name, 0o777)
                member.type, member.linkname = tarfile.SYMTYPE, str(path.readlink())
                self._tar.addfile(member)
            elif path.is_dir():
                self.add_folder(name, mode)
            else:
                self.add(name, path.read_bytes(), mode)

    def finish(self):
        """The bytes of the archive."""
        self._tar.close()
        return self._buffer.getvalue()

    def _member(self, name, mode, owner=0):
        member = tarfile.TarInfo(name)
        member.mode, member.mtime, member.uid, member.gid = mode, self.epoch, owner, owner
        return member


def packed(data):
    """Compressed by gzip, without a name and a date."""
    return gzip.compress(data, 9, mtime=0)
