// Writes the texts of the official test suite of YAML, each into a file: PACKAGE FOLDER.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const [suite, folder] = process.argv.slice(2);
const tests = await import(pathToFileURL(join(suite, "data", "index.js")));
for (const {id, cases} of Object.values(tests)) {
  for (const [number, {yaml}] of cases.entries()) {
    writeFileSync(join(folder, `${id}-${number}.yaml`), yaml);
  }
}
