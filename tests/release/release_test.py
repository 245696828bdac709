#!/usr/bin/env python3
"""What a release is made of: the same bytes twice, documents that say what they must, and signatures that a reader of
docs/install.md checks, and that one flipped bit breaks."""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import jsonschema
import yaml

import world

import archive
import chart
import debian
import described
import image
import repository
import sign


def verify(folder):
    """What docs/install.md prints, in the folder of a release: whether it succeeds."""
    commands = world.commands_of("docs/install.md", "Verify a release")
    done = subprocess.run(["bash", "-euc", commands], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)


class Archives(ReleaseTest):
    def tree(self, name, order):
        root = self.folder / name
        (root / "folder").mkdir(parents=True)
        for file in order:
            (root / "folder" / file).write_text(file, encoding="utf-8")
            os.utime(root / "folder" / file, (len(name), len(name)))
        (root / "link").symlink_to("folder")
        return root

    def test_the_same_files_are_the_same_bytes_whatever_their_dates_and_order(self):
        made = []
        for name, order in (("one", "abc"), ("another", "cba")):
            writer = archive.Writer(7)
            writer.add_tree(self.tree(name, order))
            made.append(archive.packed(writer.finish()))
        self.assertEqual(made[0], made[1])
        with tarfile.open(fileobj=io.BytesIO(made[0])) as tar:
            self.assertEqual([member.name for member in tar], ["folder", "folder/a", "folder/b", "folder/c", "link"])
            self.assertEqual({(member.mtime, member.uid, member.gid, member.uname) for member in tar}, {(7, 0, 0, "")})


class Packages(ReleaseTest):
    def test_the_fields_of_a_package_are_read_with_their_further_lines(self):
        fields = debian.fields(world.package(self.folder, "arm64"))
        self.assertEqual(fields["Architecture"], "arm64")
        self.assertEqual(fields["Description"], "continuously enforces who has access\n A second line.")

    def test_all_alternatives_of_a_relation_are_names(self):
        for relation, names in {
            "libc6 (>= 2.34), tzdata": ["libc6", "tzdata"],
            "debconf (>= 0.5) | debconf-2.0": ["debconf", "debconf-2.0"],
            "perl:any": ["perl"],
            "": [],
        }.items():
            self.assertEqual(debian.names_of(relation), names)


class Images(ReleaseTest):
    def other(self, name, **fields):
        """A package of that name, as a file."""
        tree = self.folder / name
        (tree / "DEBIAN").mkdir(parents=True)
        lines = {"Package": name, "Version": "1", "Architecture": "all", "Maintainer": "x <x@x.invalid>", **fields,
                 "Description": "x"}
        (tree / "DEBIAN/control").write_text("".join(f"{k.replace('_', '-')}: {v}\n" for k, v in lines.items()), encoding="utf-8")
        file = self.folder / f"{name}.deb"
        world.run("dpkg-deb", "-Znone", "-b", str(tree), str(file))
        return file

    def test_an_image_holds_what_the_program_needs_and_nothing_that_only_scripts_of_packages_need(self):
        packages = [
            world.package(self.folder, "amd64"), self.other("libc6", Depends="libgcc-s1"), self.other("libgcc-s1"),
            self.other("tzdata", Depends="debconf (>= 0.5) | debconf-2.0"), self.other("debconf", Pre_Depends="perl-base"),
            self.other("perl-base"), self.other("base-files", Pre_Depends="awk"), self.other("mawk", Provides="awk"),
            self.other("ca-certificates", Depends="openssl"), self.other("openssl"), self.other("unrelated"),
        ]
        self.assertEqual(
            sorted(debian.fields(package)["Package"] for package in image.needed(packages)),
            ["base-files", "bindery", "ca-certificates", "libc6", "libgcc-s1", "tzdata"])

    def test_the_configuration_names_the_layers_and_has_the_health_check_that_docker_reads(self):
        config = image.configuration("arm64", world.RELEASE, [b"layer"])
        self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(b"layer").hexdigest()])
        self.assertEqual(config["config"]["Healthcheck"]["Test"], ["CMD", "/usr/bin/bindery", "health"])
        self.assertEqual((config["architecture"], config["config"]["User"]), ("arm64", "65532:65532"))


class Charts(ReleaseTest):
    def files(self):
        with tarfile.open(fileobj=io.BytesIO(chart.make(world.RELEASE))) as tar:
            return {member.name: tar.extractfile(member).read().decode() for member in tar}

    def test_a_chart_is_the_same_bytes_twice(self):
        self.assertEqual(chart.make(world.RELEASE), chart.make(world.RELEASE))

    def test_its_base_is_that_of_kustomize_and_every_file_that_the_template_reads_is_there(self):
        files = self.files()
        template = files["bindery/templates/resources.tpl"]
        read = set(re.findall(r'"(base/[^"]+)"', template))
        self.assertEqual(read, {name.removeprefix("bindery/") for name in files if "/base/" in name})
        base = world.ROOT / "deploy/kubernetes/base/deployment.yaml"
        self.assertEqual(files["bindery/base/deployment.yaml"], base.read_text(encoding="utf-8"))

    def test_it_is_of_the_release(self):
        described_as = yaml.safe_load(self.files()["bindery/Chart.yaml"])
        self.assertEqual((described_as["version"], described_as["appVersion"]), ("1.2.3", "1.2.3"))

    def test_the_schema_takes_the_default_values_and_refuses_others(self):
        files = self.files()
        schema, values = json.loads(files["bindery/values.schema.json"]), yaml.safe_load(files["bindery/values.yaml"])
        jsonschema.validate(values, schema)
        for key, wrong in {
            "image": {"repositry": "x"}, "gitSync": {"enabled": True, "repository": ""}, "persistence": {"size": "much"},
            "manifests": {"files": {"notes.txt": ""}}, "unknown": 1,
        }.items():
            with self.assertRaises(jsonschema.ValidationError, msg=key):
                jsonschema.validate({**values, key: wrong}, schema)


class Documents(ReleaseTest):
    def test_the_notes_are_the_section_of_the_version_and_a_missing_section_is_an_error(self):
        changelog = "# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.3 (2026-01-01)\n\n- this\n\n### Part\n\n- that\n\n## 1.2.2\n\n- old\n"
        def notes(version, tagged=True):
            return described.notes(described.Release(version, "0", 0, tagged), changelog)
        self.assertEqual(notes("1.2.3"), "# bindery 1.2.3\n\n- this\n\n### Part\n\n- that\n")
        self.assertEqual(notes("1.2.4", tagged=False), "# bindery 1.2.4\n\n- later\n")
        for version in ("1.2", "1.2.4"):
            with self.assertRaisesRegex(RuntimeError, "no section"):
                notes(version)

    def clone(self, *tags):
        """A clone of version 1.2.3 with these tags."""
        (self.folder / "CMakeLists.txt").write_text("project(bindery VERSION 1.2.3 LANGUAGES CXX)\n", encoding="utf-8")
        (self.folder / "CHANGELOG.md").write_text("## 1.2.3\n\n- this\n", encoding="utf-8")
        git = ("git", "-C", str(self.folder), "-c", "user.name=x", "-c", "user.email=x@x.invalid")
        world.run(*git, "init", "--quiet")
        world.run(*git, "add", ".")
        world.run(*git, "commit", "--quiet", "-m", "one", env={**os.environ, "GIT_COMMITTER_DATE": "1700000000 +0000"})
        for tag in tags:
            world.run(*git, "tag", tag)

    def test_a_tag_must_name_the_version(self):
        self.clone("v1.2.3", "another")
        release = described.read_release(self.folder)
        self.assertEqual((release.version, release.epoch), ("1.2.3", 1700000000))

    def test_another_tag_is_refused(self):
        self.clone("v1.3.0")
        with self.assertRaisesRegex(RuntimeError, "tagged v1.3.0"):
            described.read_release(self.folder)

    def test_the_statement_names_each_file_with_its_digest_and_the_commit(self):
        package = world.package(self.folder, "amd64")
        output = self.folder / "dist"
        output.mkdir()
        shutil.copy(package, output)
        statement = described.provenance(output, {"amd64": [package]}, world.RELEASE)
        self.assertEqual(statement["subject"], [{"name": package.name, "digest": {"sha256": described.digest(package)}}])
        built = statement["predicate"]["buildDefinition"]
        self.assertEqual(built["resolvedDependencies"][0]["digest"], {"gitCommit": world.RELEASE.commit})
        self.assertTrue((world.ROOT / built["buildType"].partition("/blob/main/")[2]).exists(), built["buildType"])

    def test_the_contents_of_a_package_name_what_it_depends_on_and_what_is_compiled_into_it(self):
        package = world.package(self.folder, "amd64")
        document = described.package_contents(package, [package], {"libcli11-dev": "2.3.2+ds-1"}, world.RELEASE)
        self.assertEqual([one["name"] for one in document["packages"]], ["bindery", "libcli11-dev"])
        self.assertEqual(document["packages"][0]["checksums"][0]["checksumValue"], described.digest(package))
        self.assertEqual([one["relationshipType"] for one in document["relationships"]], ["DESCRIBES", "STATIC_LINK"])
        self.assertEqual(document["creationInfo"]["created"], "2023-11-14T22:13:20Z")


class Signatures(ReleaseTest):
    def setUp(self):
        super().setUp()
        keys = self.folder / "private"
        keys.mkdir()
        world.make_keys(keys)
        self.output = self.folder / "dist"
        self.output.mkdir()
        packages = {name: world.package(self.folder, name) for name in ("amd64", "arm64")}
        for package in packages.values():
            shutil.copy(package, self.output)
        (self.output / f"bindery-{world.RELEASE.version}.tgz").write_bytes(chart.make(world.RELEASE))
        sums = "".join(f"{described.digest(path)}  {path.name}\n" for path in sorted(self.output.iterdir()))
        (self.output / "SHA256SUMS").write_text(sums, encoding="utf-8")
        repository.make(packages, world.RELEASE, self.output / "apt")
        self.assertEqual(sign.sign(self.output, world.RELEASE), [])
        for key in (self.output / "keys").iterdir():
            shutil.copy(key, self.output)

    def test_what_the_page_prints_succeeds_and_fails_on_one_flipped_bit_of_any_file(self):
        succeeded, said = verify(self.output)
        self.assertTrue(succeeded, said)
        self.assertIn(f"bindery 1.2.3, commit {world.RELEASE.commit}", said)
        files = [path for path in self.output.iterdir() if path.is_file() and path.suffix not in (".pub", ".gpg")]
        self.assertEqual(len(files), 5)
        for path in files:
            with world.flipped(path), self.subTest(path.name):
                self.assertFalse(verify(self.output)[0])
        self.assertTrue(verify(self.output)[0])

    def test_another_key_is_refused(self):
        other = self.folder / "other"
        other.mkdir()
        world.make_keys(other)
        shutil.copy(other / "pub", self.output / "minisign.pub")
        self.assertFalse(verify(self.output)[0])

    def update(self):
        """What apt does with the repository as docs/install.md names it: whether it takes it."""
        state = self.folder / "apt"
        shutil.rmtree(state, ignore_errors=True)
        (state / "lists/partial").mkdir(parents=True)
        (state / "archives/partial").mkdir(parents=True)
        (state / "status").touch()
        source = state / "bindery.sources"
        source.write_text(
            f"Types: deb\nURIs: file:{self.output}/apt\nSuites: stable\nComponents: main\n"
            f"Signed-By: {self.output}/keys/bindery-archive-keyring.gpg\n", encoding="utf-8")
        options = {
            "Dir::State": state, "Dir::State::status": state / "status", "Dir::State::lists": state / "lists",
            "Dir::Cache": state, "Dir::Etc::sourcelist": source, "Dir::Etc::sourceparts": "/dev/null",
            "Debug::NoLocking": "1", "APT::Sandbox::User": "root", "APT::Update::Error-Mode": "any",
        }
        flags = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
        updated = subprocess.run(["apt-get", *flags, "-q", "update"], capture_output=True, text=True, check=False)
        if updated.returncode != 0:
            return False, updated.stdout + updated.stderr
        shown = subprocess.run(["apt-cache", *flags, "policy", "bindery"], capture_output=True, text=True, check=False)
        return "1.2.3-1" in shown.stdout, shown.stdout

    def test_apt_takes_the_repository_and_refuses_it_with_one_flipped_bit(self):
        taken, said = self.update()
        self.assertTrue(taken, said)
        dist = self.output / "apt/dists/stable"
        indexes = [path for path in dist.rglob("*") if path.is_file() and "main" in path.parts]
        for files in ([dist / "InRelease"], indexes):
            with contextlib.ExitStack() as broken, self.subTest(files[0].name):
                for path in files:
                    broken.enter_context(world.flipped(path))
                self.assertFalse(self.update()[0])
        self.assertTrue(self.update()[0])

    def test_without_keys_nothing_is_signed_and_that_is_said(self):
        for name in (sign.MINISIGN, sign.GPG):
            del os.environ[name]
        self.assertEqual(sign.sign(self.output, world.RELEASE), [sign.MINISIGN, sign.GPG])


if __name__ == "__main__":
    for tool in ("minisign", "gpg", "dpkg-deb", "apt-get"):
        if shutil.which(tool) is None:
            print(f"skipped: there is no {tool}")
            sys.exit(77)
    unittest.main()
