'use strict';
// What the tests look at: the daemon with the cloud inside of it, and a browser.

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const {chromium} = require('playwright-core');

const folder = process.env.BINDERY_WORLD;
assert.ok(folder, 'start the tests with ./run');
const patience = 60_000;

const payments = 'projects/acme/locations/global/authorizationPolicies/payments';
const storefront = 'projects/acme/locations/global/authorizationPolicies/storefront';
const primary = 'projects/acme/locations/europe-west1/managementServers/primary';

const seed = `
authorizationPolicies:
  - name: ${payments}
    policy:
      bindings:
        - role: roles/networksecurity.viewer
          members: [user:ana@example.com, user:former.colleague@example.com]
  - name: ${storefront}
    policy:
      bindings:
        - role: roles/networksecurity.viewer
          members: [group:storefront@example.com]
managementServers: [${primary}]
`;

const configuration = `
manifests: {directory: manifests, rescanInterval: 1s, debounce: 50ms}
store: {url: "sqlite:state/bindery.db"}
reconcile: {interval: 1s}
guard: {maxRemovedGrants: 5}
providers:
  cloudnative: {type: cloudnative, embedded: true, project: acme, quota: {requestsPerSecond: 200, burst: 400}}
  monitoring: {type: monitoring, embedded: true}
embeddedCloud: {store: state/cloud.db, seed: seed.yaml, listen: "127.0.0.1:0"}
server: {listen: "127.0.0.1:0", socket: bindery.sock}
`;

function binding(name, target, role, members, rest = '') {
  const kind = target.includes('managementServers') ? 'ManagementServerIamBinding' : 'AuthorizationPolicyIamBinding';
  const group = target.includes('managementServers') ? 'backupdr' : 'networksecurity';
  return `---
apiVersion: cloudnative:${group}/v1
kind: ${kind}
metadata: {name: ${name}, labels: {team: ${name.split('-')[0]}}}
spec:
  name: ${target}
  role: ${role}
  members: [${members.join(', ')}]
${rest}`;
}

const people = (count) => Array.from({length: count}, (_, i) => `user:person.${i + 1}@example.com`);

const condition = `  condition:
    title: until-migration-ends
    expression: request.time < timestamp("2037-06-01T00:00:00Z")
`;

function write(file, text) {
  const whole = path.join(folder, file);
  fs.mkdirSync(path.dirname(whole), {recursive: true});
  fs.writeFileSync(whole + '.new', text);
  fs.renameSync(whole + '.new', whole);
}

// Resolves with what `find` makes of the log, once it makes something of it.
function logged(daemon, find) {
  return new Promise((resolve, reject) => {
    let log = '';
    const look = (chunk) => {
      log += chunk;
      const found = find(log);
      if (found) resolve(found);
    };
    daemon.stderr.on('data', look);
    daemon.once('exit', () => reject(new Error('the daemon ended:\n' + log)));
    setTimeout(() => reject(new Error('never logged:\n' + log)), patience).unref();
  });
}

// Leads a TCP port to the daemon's UNIX socket, as `ssh -L` does for those who may use it.
function forwarded(socket) {
  const server = net.createServer((client) => {
    const behind = net.connect(socket);
    client.pipe(behind).pipe(client);
    client.on('error', () => behind.destroy());
    behind.on('error', () => client.destroy());
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// `more`: sections of the configuration; `policies`: further authorization policies of the cloud; `files`: further manifests.
async function start({more = '', policies = [], files = {}} = {}) {
  write('bindery.yaml', configuration + more);
  write('seed.yaml', seed.replace('managementServers:', policies.map((name) => `  - name: ${name}\n`).join('') + 'managementServers:'));
  for (const [file, text] of Object.entries(files)) write('manifests/' + file, text);
  write('manifests/payments.yaml',
    binding('payments-viewers', payments, 'roles/networksecurity.viewer', ['group:payments@example.com', 'user:ana@example.com']) +
    binding('payments-admins', payments, 'roles/networksecurity.admin', ['group:payments-leads@example.com'], condition));
  write('manifests/storefront.yaml',
    binding('storefront-watchers', storefront, 'roles/networksecurity.viewer', ['group:storefront@example.com'], 'options: {mode: observe}\n'));
  write('manifests/backup.yaml', binding('backup-operators', primary, 'roles/backupdr.user', people(12)));
  const daemon = spawn(process.env.BINDERY_PROGRAM, ['run', '-c', path.join(folder, 'bindery.yaml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const cloud = logged(daemon, (log) => /embeddedCloud=(http:\S+)/.exec(log)?.[1]);
  const address = await logged(daemon, (log) => /msg="?serving.* address=([\d.:]+)/.exec(log)?.[1] ||
    /serving.*address=([\d.:]+)/.exec(log)?.[1]);
  const forward = await forwarded(path.join(folder, 'bindery.sock'));
  const browser = await chromium.launch({executablePath: process.env.BINDERY_BROWSER, args: ['--no-sandbox']});
  return {
    daemon,
    browser,
    forward,
    cloud: await cloud,
    reader: 'http://' + address, // May only look.
    operator: `http://127.0.0.1:${forward.address().port}`, // May change something.
  };
}

async function stop(world) {
  await world.browser.close();
  world.forward.close();
  world.daemon.removeAllListeners('exit');
  const ended = new Promise((resolve) => world.daemon.once('exit', resolve));
  world.daemon.kill('SIGTERM');
  await ended;
}

async function json(world, where) {
  const answer = await fetch(world.reader + '/api/v1' + where);
  assert.equal(answer.status, 200, where);
  return answer.json();
}

// Asks the daemon again whenever it says that something changed, until it is so.
async function until(world, what, is) {
  const stream = await fetch(world.reader + '/api/v1/events/stream?only=changed', {signal: AbortSignal.timeout(patience)});
  try {
    for await (const chunk of stream.body) {
      if (chunk.length > 0 && await is()) return;
    }
  } catch (error) {
    throw new Error(`never: ${what}`, {cause: error});
  }
}

async function policy(world, name) {
  const answer = await fetch(`${world.cloud}/v1/${name}:getIamPolicy?options.requestedPolicyVersion=3`);
  return (await answer.json()).bindings || [];
}

async function setPolicy(world, name, bindings) {
  const answer = await fetch(`${world.cloud}/v1/${name}:setIamPolicy`, {
    method: 'POST',
    body: JSON.stringify({policy: {version: 3, bindings}}),
  });
  assert.equal(answer.status, 200, await answer.text());
}

// A page of its own that must stay free of errors and of requests to elsewhere.
async function open(world, base, options = {}) {
  const context = await world.browser.newContext({baseURL: base, reducedMotion: 'reduce', ...options});
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.faults = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.faults.push(message.text());
  });
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== base) page.faults.push('request to ' + request.url());
  });
  return page;
}

// A page that is measured: without script nothing renews the page between two looks, so no element that is looked at has left it.
const openStill = (world, base, options = {}) => open(world, base, {javaScriptEnabled: false, ...options});

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

module.exports = {
  binding, close, json, open, openStill, payments, people, policy, primary, setPolicy, start, stop, storefront, until, write,
};
