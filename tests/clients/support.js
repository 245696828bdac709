'use strict';
// What the client tests share: the emulator's administration, and transports that lead to it.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {Gaxios} = require('gaxios');

const url = process.env.BINDERY_EMULATOR;
assert.ok(url, 'BINDERY_EMULATOR holds the URL of a running emulator: start the tests with ./run');
const host = new URL(url).host;

async function admin(method, what, body) {
  const answer = await fetch(`${url}/_emulator/${what}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  assert.equal(answer.status, 200, `${method} ${what}: ${await answer.clone().text()}`);
  return answer.json();
}

// Starts over: this state, no faults, nothing counted.
async function seed(document) {
  await admin('PUT', 'seed', document);
  await admin('PUT', 'faults', []);
  await admin('DELETE', 'requests');
}

const faults = (list) => admin('PUT', 'faults', list);
const operations = async () => (await admin('GET', 'requests')).operations;

// Some clients know the hosts of their token endpoints by heart. This is what a name server of
// ours would do: the request stays as it is, only its way is another.
function redirectedTransport() {
  const transport = new Gaxios();
  transport.interceptors.request.add({
    resolved: async (config) => {
      const target = new URL(config.url);
      if (target.hostname.endsWith('.googleapis.com')) {
        config.url = new URL(url + target.pathname + target.search);
      }
      return config;
    },
  });
  return transport;
}

function newKeyPair() {
  const pair = crypto.generateKeyPairSync('rsa', {modulusLength: 2048});
  return {
    privateKey: pair.privateKey.export({type: 'pkcs8', format: 'pem'}),
    publicKey: pair.publicKey.export({type: 'spki', format: 'pem'}),
  };
}

// The path of a new file that is removed when the process ends.
function temporaryFile(name, content) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bindery-clients-'));
  process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));
  const file = path.join(folder, name);
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

// The error a call ends with; a call that succeeds fails the test.
async function failure(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({message: 'expected the call to fail'});
}

module.exports = {
  admin, failure, faults, host, newKeyPair, operations, redirectedTransport, seed, temporaryFile, url,
};
