'use strict';
// google-auth-library gets its tokens from the emulator, by every kind of credential.

const assert = require('node:assert/strict');
const {beforeEach, test} = require('node:test');
const {GoogleAuth, Impersonated, JWT, UserRefreshClient} = require('google-auth-library');
const {networksecurity} = require('googleapis/build/src/apis/networksecurity');
const {
  admin, failure, faults, host, newKeyPair, operations, redirectedTransport, seed, temporaryFile, url,
} = require('./support');

const RESOURCE = 'projects/acme/locations/global/authorizationPolicies/payments';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const DEPLOYER = 'deployer@acme.iam.gserviceaccount.com';
const BINDERY = 'bindery@acme.iam.gserviceaccount.com';
const AUDIENCE = '//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci' +
  '/providers/runner';
const SUBJECT = 'principal://iam.googleapis.com/projects/123/locations/global/' +
  'workloadIdentityPools/ci/subject/main';
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
const SUBJECT_TOKEN = 'token-of-the-build';

const keys = newKeyPair();
const otherKeys = newKeyPair();

const SEED = {
  authorizationPolicies: [RESOURCE],
  serviceAccounts: [
    {email: DEPLOYER, project: 'acme', uniqueId: '100000000000000000001',
      keys: [{id: 'key-1', publicKey: keys.publicKey}],
      permissions: ['networksecurity.authorizationPolicies.getIamPolicy']},
    {email: BINDERY, project: 'acme', permissions: ['networksecurity.*'],
      impersonators: [DEPLOYER, SUBJECT, 'user:ana@example.com']},
  ],
  refreshTokens: [{clientId: 'client', clientSecret: 'secret', refreshToken: 'refresh',
    user: 'ana@example.com', permissions: ['networksecurity.authorizationPolicies.getIamPolicy']}],
  identityPools: [{audience: AUDIENCE, subjectTokenType: TOKEN_TYPE, subjectTokens: [
    {token: SUBJECT_TOKEN, subject: 'main',
      permissions: ['networksecurity.authorizationPolicies.getIamPolicy']}]}],
  metadata: {serviceAccount: BINDERY, project: 'acme'},
};

const KEY_FILE = {
  type: 'service_account', project_id: 'acme', private_key_id: 'key-1',
  private_key: keys.privateKey, client_email: DEPLOYER, client_id: '100000000000000000001',
  token_uri: `${url}/token`, universe_domain: 'googleapis.com',
};

const policies = (auth) => networksecurity({version: 'v1', rootUrl: `${url}/`, auth, retry: false})
  .projects.locations.authorizationPolicies;
const read = async (auth) => (await policies(auth).getIamPolicy({resource: RESOURCE})).data;
const write = (auth) => policies(auth).setIamPolicy({resource: RESOURCE, requestBody: {policy: {}}});

function jwtClient(more = {}) {
  const client = new JWT({scopes: [SCOPE], transporter: redirectedTransport(), ...more});
  client.fromJSON({...KEY_FILE, ...more.file});
  return client;
}

async function assertMayOnlyRead(auth) {
  assert.deepEqual(await read(auth), {etag: 'ACAB'});
  const error = await failure(write(auth));
  assert.equal(error.status, 403);
  assert.equal(error.response.data.error.details[0].reason, 'IAM_PERMISSION_DENIED');
}

async function assertMayWrite(auth) {
  assert.deepEqual(await read(auth), {etag: 'ACAB'});
  assert.equal((await write(auth)).status, 200);
}

beforeEach(() => seed(SEED));

test('a service account key', async () => {
  const client = jwtClient();
  await assertMayOnlyRead(client);
  assert.match((await client.getAccessToken()).token, /^ya29\.emulated-[\w-]{43}$/);
  assert.deepEqual(await operations(), {
    'networksecurity.getIamPolicy': 1, 'networksecurity.setIamPolicy': 1, 'token.jwtBearer': 1});
});

test('a service account key that is not the seeded one', async () => {
  const error = await failure(jwtClient({file: {private_key: otherKeys.privateKey}}).authorize());
  assert.equal(error.status, 400);
  assert.deepEqual(error.response.data,
    {error: 'invalid_grant', error_description: 'Invalid JWT Signature.'});
});

test('a service account nobody seeded', async () => {
  const error = await failure(jwtClient({file: {client_email: 'x@y.example'}}).authorize());
  assert.equal(error.response.data.error, 'invalid_grant');
});

test('a clock that is far off', async () => {
  const far = Math.floor(Date.now() / 1000) + 7200;
  const error = await failure(
    jwtClient({additionalClaims: {iat: far, exp: far + 3600}}).authorize());
  assert.deepEqual(error.response.data, {
    error: 'invalid_grant',
    error_description: 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a ' +
      'reasonable timeframe. Check your iat and exp values in the JWT claim.'});
});

test('a key file, found by GoogleAuth, that signs its own tokens', async () => {
  const auth = new GoogleAuth({keyFile: temporaryFile('key.json', KEY_FILE)});
  const client = await auth.getClient();
  client.useJWTAccessWithScope = true;
  client.defaultScopes = [SCOPE];
  await assertMayOnlyRead(client);
  assert.equal((await operations())['token.jwtBearer'], undefined, 'no token was fetched');

  const forged = jwtClient({file: {private_key: otherKeys.privateKey}});
  forged.useJWTAccessWithScope = true;
  const error = await failure(read(forged));
  assert.equal(error.status, 401);
  assert.equal(error.response.data.error.details[0].reason, 'JWT_TOKEN_INVALID');
});

test('a self-signed token for the audience of the service', async () => {
  const client = jwtClient({scopes: undefined});
  client.defaultServicePath = 'networksecurity.googleapis.com';
  await assertMayOnlyRead(client);
  assert.equal((await operations())['token.jwtBearer'], undefined, 'no token was fetched');
  const elsewhere = jwtClient({scopes: undefined});
  elsewhere.defaultServicePath = 'storage.googleapis.com';
  assert.equal((await failure(read(elsewhere))).status, 401);
});

test("a user's refresh token", async () => {
  const client = (refreshToken, clientSecret = 'secret') => new UserRefreshClient({
    clientId: 'client', clientSecret, refreshToken, transporter: redirectedTransport()});
  await assertMayOnlyRead(client('refresh'));
  assert.equal((await operations())['token.refresh'], 1);
  const revoked = await failure(client('revoked').getAccessToken());
  assert.deepEqual(revoked.response.data,
    {error: 'invalid_grant', error_description: 'Token has been expired or revoked.'});
  const stranger = await failure(client('refresh', 'wrong').getAccessToken());
  assert.equal(stranger.status, 401);
  assert.equal(stranger.response.data.error, 'invalid_client');
});

function externalAccount(more = {}) {
  return {
    type: 'external_account', audience: AUDIENCE, subject_token_type: TOKEN_TYPE,
    token_url: `${url}/v1/token`,
    credential_source: {file: temporaryFile('subject', SUBJECT_TOKEN)}, ...more};
}
const externalAuth = (file) => new GoogleAuth(
  {keyFile: temporaryFile('external.json', file), scopes: [SCOPE], projectId: 'acme'});

test('an external account', async () => {
  await assertMayOnlyRead(externalAuth(externalAccount()));
  assert.deepEqual(await operations(), {
    'networksecurity.getIamPolicy': 1, 'networksecurity.setIamPolicy': 1, 'sts.exchange': 1});
});

test('an external account whose token is in JSON, with a client of its own', async () => {
  const source = {
    file: temporaryFile('subject.json', {id_token: SUBJECT_TOKEN}),
    format: {type: 'json', subject_token_field_name: 'id_token'}};
  await assertMayOnlyRead(externalAuth(
    externalAccount({credential_source: source, client_id: 'client', client_secret: 'secret'})));
});

test('an external account that acts as a service account', async () => {
  const impersonation = `${url}/v1/projects/-/serviceAccounts/${BINDERY}:generateAccessToken`;
  await assertMayWrite(externalAuth(externalAccount({
    service_account_impersonation_url: impersonation,
    service_account_impersonation: {token_lifetime_seconds: 600}})));
  assert.deepEqual(await operations(), {
    'iamCredentials.generateAccessToken': 1, 'networksecurity.getIamPolicy': 1,
    'networksecurity.setIamPolicy': 1, 'sts.exchange': 1});
});

test('an external account with a token nobody issued, or for another pool', async () => {
  const source = {file: temporaryFile('subject', 'forged')};
  const forged = await failure(
    externalAuth(externalAccount({credential_source: source})).getAccessToken());
  assert.match(forged.message, /invalid_grant/);
  const elsewhere = await failure(
    externalAuth(externalAccount({audience: `${AUDIENCE}2`})).getAccessToken());
  assert.match(elsewhere.message, /invalid_target/);
});

function impersonated(more = {}) {
  return new Impersonated({
    sourceClient: jwtClient(), targetPrincipal: BINDERY, targetScopes: [SCOPE], lifetime: 1800,
    endpoint: url, ...more});
}

test('an impersonated service account', async () => {
  const client = impersonated();
  await assertMayWrite(client);
  const left = client.credentials.expiry_date - Date.now();
  assert.ok(left > 1_700_000 && left <= 1_801_000, `expires in ${left} ms`);
  assert.equal((await operations())['iamCredentials.generateAccessToken'], 1);
});

test('an impersonation that is not granted, or not possible', async () => {
  const denied = await failure(impersonated({targetPrincipal: DEPLOYER}).getAccessToken());
  assert.equal(denied.message, 'PERMISSION_DENIED: unable to impersonate: Permission ' +
    "'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).");
  const unknown = await failure(impersonated({targetPrincipal: 'no@where.example'}).getAccessToken());
  assert.match(unknown.message, /^NOT_FOUND: unable to impersonate: /);
  const long = await failure(impersonated({lifetime: 3601}).getAccessToken());
  assert.match(long.message, /^INVALID_ARGUMENT: unable to impersonate: /);
});

test('the metadata server', async () => {
  process.env.GCE_METADATA_HOST = host;
  process.env.METADATA_SERVER_DETECTION = 'ping-only';
  try {
    const auth = new GoogleAuth({scopes: [SCOPE]});
    assert.equal(await auth.getProjectId(), 'acme');
    await assertMayWrite(auth);
    assert.equal((await auth.getCredentials()).client_email, BINDERY);
    const counted = await operations();
    assert.equal(counted['metadata.token'], 1);
    assert.ok(counted['metadata.get'] >= 2);
  } finally {
    delete process.env.GCE_METADATA_HOST;
    process.env.METADATA_SERVER_DETECTION = 'none';
  }
});

test('revoked tokens are refused until the client fetches a new one', async () => {
  const client = new UserRefreshClient({
    clientId: 'client', clientSecret: 'secret', refreshToken: 'refresh',
    forceRefreshOnFailure: true, transporter: redirectedTransport()});
  await read(client);
  assert.deepEqual(await admin('DELETE', 'tokens'), {revoked: 1});
  const bare = await fetch(`${url}/v1/${RESOURCE}:getIamPolicy`,
    {headers: {Authorization: `Bearer ${client.credentials.access_token}`}});
  assert.equal(bare.status, 401);
  assert.equal((await bare.json()).error.details[0].reason, 'ACCESS_TOKEN_EXPIRED');
  assert.deepEqual(await read(client), {etag: 'ACAB'});
  assert.equal((await operations())['token.refresh'], 2);
});

test('a token lives as long as the seed says', async () => {
  await seed({...SEED, options: {tokenLifetime: '1s'}});
  const client = jwtClient();
  const {token} = await client.getAccessToken();
  const deadline = Date.now() + 5000;
  let status = 200;
  while (status === 200 && Date.now() < deadline) {
    ({status} = await fetch(`${url}/v1/${RESOURCE}:getIamPolicy`,
      {headers: {Authorization: `Bearer ${token}`}}));
  }
  assert.equal(status, 401);
});

test('a token endpoint that fails at first is asked again', async () => {
  await faults([{operation: 'token.*', times: 1, status: 503}]);
  assert.deepEqual(await read(jwtClient()), {etag: 'ACAB'});
  assert.equal((await operations())['token.jwtBearer'], 2);
});

test('a token of other scopes is refused by the service', async () => {
  const error = await failure(read(jwtClient({scopes: ['https://www.googleapis.com/auth/drive']})));
  assert.equal(error.status, 403);
  assert.equal(error.response.data.error.details[0].reason, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
});
