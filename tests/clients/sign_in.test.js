'use strict';
// The sign-in of a browser at a certified OpenID provider (npm oidc-provider), with a real daemon.

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const program = process.env.BINDERY_PROGRAM;
assert.ok(program, 'BINDERY_PROGRAM holds the path of bindery: start the tests with ./run');

async function freePort() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const {port} = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function startProvider(redirectUri, home) {
  const {default: Provider} = await import('oidc-provider');
  const server = http.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'bindery', client_secret: 'a secret + more', redirect_uris: [redirectUri],
      post_logout_redirect_uris: [home],
    }],
    claims: {openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups']},
    conformIdTokenClaims: false,
    cookies: {keys: ['for tests']},
    findAccount: (ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id, email: `${id}@example.com`, email_verified: true,
        groups: id === 'lead' ? ['leads'] : id === 'stranger' ? ['others'] : ['staff'],
      }),
    }),
  });
  server.on('request', provider.callback());
  return {issuer, stop: () => new Promise((done) => { server.closeAllConnections(); server.close(done); })};
}

// As much of a browser as a sign-in needs: cookies by host, and redirects that are followed.
class Browser {
  jars = new Map();

  async go(url, options = {}) {
    for (let hops = 0; hops < 20; ++hops) {
      const {origin} = new URL(url);
      const jar = this.jars.get(origin) ?? new Map();
      this.jars.set(origin, jar);
      const headers = {accept: 'text/html', ...options.headers};
      if (jar.size > 0) headers.cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {...options, headers, redirect: 'manual'});
      // Debian's Node 18 has no getSetCookie(). The comma of a date is followed by no name.
      const cookies = (answer.headers.get('set-cookie') ?? '').split(/, (?=[^;,\s]+=)/).filter(Boolean);
      for (const cookie of cookies) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
        if (value === '') jar.delete(name); else jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (!next) return {url, status: answer.status, text: await answer.text()};
      url = new URL(next, url).href;
      options = {};
    }
    throw new Error('too many redirects');
  }

  // Fills in the pages of the provider until another page comes.
  async signIn(url, name) {
    let page = await this.go(url);
    const login = {prompt: 'login', login: name, password: 'any'};
    for (const fields of [login, {prompt: 'consent'}]) {
      const form = /<form[^>]* action="([^"]+)"/.exec(page.text);
      if (!form || !page.url.includes('/interaction/')) break;
      page = await this.go(new URL(form[1], page.url).href, {
        method: 'POST', body: new URLSearchParams(fields),
      });
    }
    return page;
  }
}

test('a browser signs in at a certified provider', async (t) => {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const provider = await startProvider(`${home}/auth/callback`, `${home}/`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bindery-sign-in-'));
  fs.mkdirSync(path.join(folder, 'manifests'));
  fs.writeFileSync(path.join(folder, 'oidc.secret'), 'a secret + more\n', {mode: 0o600});
  fs.writeFileSync(path.join(folder, 'web.yml'), `
sign_in:
  external_url: ${home}
  oidc: {issuer: "${provider.issuer}", client_id: bindery, client_secret_file: oidc.secret, scopes: [openid, email, groups]}
roles: {viewer: ["group:staff"], approver: ["group:leads"]}
`, {mode: 0o600});
  fs.writeFileSync(path.join(folder, 'bindery.yaml'), `
manifests: {directory: manifests}
store: {url: "sqlite:state/bindery.db"}
providers: {monitoring: {type: monitoring, embedded: true}}
server: {listen: "127.0.0.1:${port}", socket: state/bindery.sock, webConfigFile: web.yml}
`);
  const daemon = spawn(program, ['-c', path.join(folder, 'bindery.yaml'), 'run'],
                       {stdio: ['ignore', 'ignore', fs.openSync(path.join(folder, 'log'), 'w')]});
  t.after(async () => {
    daemon.kill();
    await new Promise((done) => daemon.once('exit', done));
    await provider.stop();
    fs.rmSync(folder, {recursive: true, force: true});
  });
  for (let i = 0; i < 200; ++i) {
    const up = await fetch(`${home}/livez`).then((answer) => answer.ok, () => false);
    if (up) break;
    await new Promise((done) => setTimeout(done, 50));
  }

  const viewer = new Browser();
  let page = await viewer.signIn(`${home}/drift?limit=5`, 'ana');
  assert.equal(page.status, 200, page.text);
  assert.equal(page.url, `${home}/drift?limit=5`);
  assert.match(page.text, /href="\/account">ana@example\.com</);
  page = await viewer.go(`${home}/account`);
  assert.match(page.text, /ana@example\.com has the role viewer/);
  const change = {method: 'POST', headers: {origin: home, 'sec-fetch-site': 'same-origin'},
                  body: '{"names": ["a"]}'};
  assert.equal((await viewer.go(`${home}/api/v1/suspend`, change)).status, 403);

  const lead = new Browser();
  page = await lead.signIn(`${home}/`, 'lead');
  assert.equal(page.url, `${home}/`);
  assert.equal((await lead.go(`${home}/api/v1/suspend`, change)).status, 404, 'there is no resource a');

  const stranger = new Browser();
  page = await stranger.signIn(`${home}/`, 'stranger');
  assert.equal(page.status, 403);
  assert.match(page.text, /the groups others/);

  // The sign-out ends the session here, and the provider knows the page to go to.
  const ended = `bindery=${viewer.jars.get(home).get('bindery')}`;
  page = await viewer.go(`${home}/auth/logout`, {...change, body: ''});
  const end = /href="(http[^"]*session\/end[^"]*)"/.exec(page.text);
  assert.ok(end, page.text);
  const confirm = await viewer.go(end[1].replaceAll('&amp;', '&'));
  assert.equal(confirm.status, 200, confirm.text);
  const again = await fetch(`${home}/drift`, {
    headers: {accept: 'text/html', cookie: ended}, redirect: 'manual',
  });
  assert.equal(again.headers.get('location'), '/auth/login?return=%2Fdrift');

  const log = fs.readFileSync(path.join(folder, 'log'), 'utf8');
  assert.match(log, /signed in/);
  assert.ok(!log.includes('a secret'), 'the log holds the secret');
});
