'use strict';
// Google's own client: IAM of both services, and the import data file.

const assert = require('node:assert/strict');
const {beforeEach, describe, test} = require('node:test');
const {gzipSync} = require('node:zlib');
const {OAuth2Client} = require('google-auth-library');
const {networksecurity} = require('googleapis/build/src/apis/networksecurity');
const {backupdr} = require('googleapis/build/src/apis/backupdr');
const {migrationcenter} = require('googleapis/build/src/apis/migrationcenter');
const {admin, failure, faults, operations, seed, url} = require('./support');

const POLICY = 'projects/acme/locations/global/authorizationPolicies/payments';
const SERVER = 'projects/acme/locations/europe-west1/managementServers/primary';
const FILE = 'projects/acme/locations/europe-west1/importJobs/inventory/importDataFiles/hosts';
const NEVER_WRITTEN = 'ACAB';
const CONDITION = {
  title: 'until-june', expression: 'request.time < timestamp("2027-06-01T00:00:00Z")',
};

const SEED = {
  authorizationPolicies: [{name: POLICY}],
  managementServers: [{name: SERVER}],
  importDataFiles: [{
    name: FILE, displayName: 'Host inventory', format: 'IMPORT_JOB_FORMAT_RVTOOLS_CSV',
    createTime: '2026-01-15T09:30:00.5Z', state: 'ACTIVE',
    uploadFileInfo: {
      signedUri: 'https://storage.example.com/upload?signature=abc',
      headers: {'content-type': 'text/csv'}, uriExpirationTime: '2026-12-01T00:00:00Z',
    },
  }],
  principals: [{member: 'group:none@example.com', state: 'unknown'},
    {member: 'user:gone@example.com', state: 'deleted', uid: '123456789'}],
  credentials: [
    {token: 'all'},
    {token: 'reader', permissions: ['*.getIamPolicy']},
    {token: 'narrow', permissions: [
      {permission: '*IamPolicy', resources: ['*/authorizationPolicies/*']}]},
  ],
};

function options(token = 'all') {
  const auth = new OAuth2Client();
  auth.setCredentials({access_token: token});
  return {version: 'v1', rootUrl: `${url}/`, auth, retry: false};
}

const services = {
  networksecurity: {
    resource: POLICY,
    permission: 'networksecurity.authorizationPolicies',
    connect: (token) => networksecurity(options(token)).projects.locations.authorizationPolicies,
  },
  backupdr: {
    resource: SERVER,
    permission: 'backupdr.managementServers',
    connect: (token) => backupdr(options(token)).projects.locations.managementServers,
  },
};

// The error as Google's clients find it, whose status must be that one.
async function refusal(call, code, status) {
  const error = await failure(call);
  assert.equal(error.status, code, error.message);
  const body = error.response.data.error;
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  return body;
}

beforeEach(() => seed(SEED));

for (const [name, {resource, permission, connect}] of Object.entries(services)) {
  const read = async (version, token) => (await connect(token).getIamPolicy(
    version === undefined ? {resource} : {resource, 'options.requestedPolicyVersion': version})).data;
  const write = async (policy, token) => (await connect(token).setIamPolicy(
    {resource, requestBody: {policy}})).data;
  const viewer = {role: 'roles/viewer', members: ['user:ana@example.com', 'group:sre@example.com']};

  describe(name, () => {
    test('a policy nobody wrote is nothing but its etag', async () => {
      assert.deepEqual(await read(3), {etag: NEVER_WRITTEN});
    });

    test('what was written is read, under the etag the write answered', async () => {
      const written = await write({version: 3, etag: NEVER_WRITTEN, bindings: [viewer]});
      assert.match(written.etag, /^Bw[A-Za-z0-9+/]{9}=$/);
      assert.deepEqual(written, {version: 1, etag: written.etag, bindings: [viewer]});
      assert.deepEqual(await read(3), written);
      const again = await write({version: 3, etag: written.etag, bindings: [viewer]});
      assert.notEqual(again.etag, written.etag);
      assert.deepEqual(await operations(), {[`${name}.getIamPolicy`]: 1, [`${name}.setIamPolicy`]: 2});
    });

    test('a stale etag is 409 ABORTED and changes nothing', async () => {
      const first = await write({version: 3, bindings: [viewer]});
      const second = await write({version: 3, etag: first.etag, bindings: [viewer]});
      const error = await refusal(write({version: 3, etag: first.etag}), 409, 'ABORTED');
      assert.match(error.message, /^There were concurrent policy changes\./);
      assert.deepEqual(await read(3), second);
    });

    test('conditions show at version 3 and hide at version 1', async () => {
      const conditional = {...viewer, condition: CONDITION};
      const written = await write({version: 3, bindings: [conditional]});
      assert.deepEqual(written, {version: 3, etag: written.etag, bindings: [conditional]});
      assert.deepEqual(await read(3), written);
      for (const version of [undefined, 1]) {
        const policy = await read(version);
        assert.equal(policy.version, 1);
        assert.equal(policy.bindings.length, 1);
        assert.match(policy.bindings[0].role, /^roles\/viewer_withcond_[0-9a-f]{20}$/);
        assert.deepEqual(policy.bindings[0].members, viewer.members);
        assert.ok(!('condition' in policy.bindings[0]));
      }
      await refusal(write({version: 1, bindings: [conditional]}), 400, 'INVALID_ARGUMENT');
      const plain = await write({version: 3, etag: written.etag, bindings: [viewer]});
      assert.equal(plain.version, 1);
    });

    test('audit configurations survive a write that does not name them', async () => {
      const auditConfigs = [{service: 'allServices', auditLogConfigs: [{logType: 'ADMIN_READ'}]}];
      await connect().setIamPolicy({resource, requestBody: {
        policy: {version: 3, bindings: [viewer], auditConfigs},
        updateMask: 'bindings,etag,auditConfigs'}});
      await write({version: 3, bindings: []});
      assert.deepEqual((await read(3)).auditConfigs, auditConfigs);
    });

    test('wrong arguments are 400 INVALID_ARGUMENT', async () => {
      const cases = [
        [{role: 'roles/viewer', members: ['ana@example.com']},
          /must be of the form "<type>:<value>"/],
        [{role: 'roles/viewer', members: ['group:none@example.com']}, /does not exist/],
        [{role: 'roles/viewer', members: ['user:gone@example.com']}, /gone@example\.com/],
        [{role: 'viewer', members: ['user:ana@example.com']}, /./],
      ];
      for (const [binding, text] of cases) {
        const error = await refusal(write({version: 3, bindings: [binding]}), 400, 'INVALID_ARGUMENT');
        assert.match(error.message, text);
      }
      const query = await refusal(connect().getIamPolicy({resource, optionsRequestedPolicyVersion: 3}),
        400, 'INVALID_ARGUMENT');
      assert.match(query.message, /Cannot bind query parameter/);
      assert.equal(query.details[0]['@type'], 'type.googleapis.com/google.rpc.BadRequest');
      assert.deepEqual(await read(3), {etag: NEVER_WRITTEN});
    });

    test('a missing permission is 403 with its name and the resource', async () => {
      const needed = `${permission}.setIamPolicy`;
      const error = await refusal(write({version: 3}, 'reader'), 403, 'PERMISSION_DENIED');
      assert.equal(error.message, `Permission '${needed}' denied on resource ` +
        `'//${name}.googleapis.com/${resource}' (or it may not exist).`);
      assert.deepEqual(error.details, [{
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'IAM_PERMISSION_DENIED',
        domain: 'iam.googleapis.com', metadata: {resource, permission: needed}}]);
      assert.deepEqual(await read(3, 'reader'), {etag: NEVER_WRITTEN});
    });

    test('a token nobody knows is 401', async () => {
      const error = await refusal(read(3, 'unknown'), 401, 'UNAUTHENTICATED');
      assert.equal(error.details[0].reason, 'ACCESS_TOKEN_EXPIRED');
      assert.deepEqual(error.details[0].metadata, {service: `${name}.googleapis.com`});
    });

    test('a resource that is not there is 404', async () => {
      const error = await refusal(connect().getIamPolicy({resource: `${resource}-2`}), 404, 'NOT_FOUND');
      assert.match(error.message, new RegExp(`${resource}-2`));
    });

    test('testIamPermissions answers what the caller holds, and needs nothing itself', async () => {
      const all = ['getIamPolicy', 'setIamPolicy', 'delete'].map((verb) => `${permission}.${verb}`);
      const held = async (token) => (await connect(token).testIamPermissions(
        {resource, requestBody: {permissions: all}})).data;
      assert.deepEqual(await held('all'), {permissions: all});
      assert.deepEqual(await held('reader'), {permissions: all.slice(0, 1)});
      assert.deepEqual(await held('narrow'),
        name === 'backupdr' ? {} : {permissions: all.slice(0, 2)});
      for (const permissions of [[`${permission}.*`], Array(101).fill(all[0])]) {
        await refusal(connect().testIamPermissions({resource, requestBody: {permissions}}),
          400, 'INVALID_ARGUMENT');
      }
    });

    test('permissions may be narrowed to resources', async () => {
      if (name === 'backupdr') {
        await refusal(read(3, 'narrow'), 403, 'PERMISSION_DENIED');
      } else {
        assert.deepEqual(await read(3, 'narrow'), {etag: NEVER_WRITTEN});
      }
    });

    test('a deleted principal shows as deleted and may be kept so', async () => {
      await seed({...SEED, principals: []});
      const member = 'user:gone@example.com';
      await write({version: 3, bindings: [{role: 'roles/viewer', members: [member]}]});
      await seed({...(await admin('GET', 'seed')), principals: SEED.principals});
      const deleted = `deleted:${member}?uid=123456789`;
      const policy = await read(3);
      assert.deepEqual(policy.bindings, [{role: 'roles/viewer', members: [deleted]}]);
      assert.deepEqual((await write(policy)).bindings, policy.bindings);
    });

    test('the client retries 503 and 429 until it is served', async () => {
      await faults([{operation: '*.getIamPolicy', times: 1, status: 503},
        {operation: '*.getIamPolicy', times: 1, status: 429, retryAfter: '10ms'}]);
      const answer = await connect().getIamPolicy({resource}, {retry: true, retryConfig: {
        retry: 3, retryDelay: 5, statusCodesToRetry: [[429, 429], [500, 599]]}});
      assert.deepEqual(answer.data, {etag: NEVER_WRITTEN});
      assert.deepEqual(await operations(), {[`${name}.getIamPolicy`]: 3});
    });

    test('without retries the failures have their reasons', async () => {
      await faults([{times: 1, status: 429, retryAfter: '2500ms'}, {times: 1, status: 503}]);
      const quota = await refusal(read(3), 429, 'RESOURCE_EXHAUSTED');
      assert.equal(quota.details[0].reason, 'RATE_LIMIT_EXCEEDED');
      assert.deepEqual(quota.details[1],
        {'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.500s'});
      await refusal(read(3), 503, 'UNAVAILABLE');
      await faults([{drop: 'before'}]);
      assert.equal((await failure(read(3))).response, undefined);
    });
  });
}

test('an import data file is read whole', async () => {
  const files = (token) => migrationcenter(options(token)).projects.locations.importJobs.importDataFiles;
  const answer = await files().get({name: FILE});
  assert.deepEqual(answer.data, SEED.importDataFiles[0]);
  await refusal(files().get({name: `${FILE}2`}), 404, 'NOT_FOUND');
  await refusal(files('reader').get({name: FILE}), 403, 'PERMISSION_DENIED');
  assert.deepEqual(await operations(), {'migrationcenter.get': 3});
});

test('the resources themselves can be read', async () => {
  const policy = await services.networksecurity.connect().get({name: POLICY});
  assert.equal(policy.data.name, POLICY);
  const server = await services.backupdr.connect().get({name: SERVER});
  assert.equal(server.data.name, SERVER);
  assert.equal(server.data.state, 'READY');
});

test('every answer is dated, and a fault can shift the date', async () => {
  const skew = async () => {
    const answer = await services.backupdr.connect().getIamPolicy({resource: SERVER});
    return Date.parse(answer.headers.get('date')) - Date.now();
  };
  assert.ok(Math.abs(await skew()) < 60_000);
  await faults([{dateSkew: '10m'}]);
  assert.ok(Math.abs(await skew() - 600_000) < 60_000);
  await faults([{dateSkew: '-10m'}]);
  assert.ok(Math.abs(await skew() + 600_000) < 60_000);
});

test('fields at any depth, and one that is not there', async () => {
  const client = services.networksecurity.connect('all');
  const bindings = [{role: 'roles/networksecurity.viewer', members: ['user:ana@example.com']}];
  await client.setIamPolicy({resource: POLICY, requestBody: {policy: {bindings}}});
  const {data} = await client.getIamPolicy({resource: POLICY, fields: 'bindings(role)'});
  assert.deepEqual(data, {bindings: [{role: 'roles/networksecurity.viewer'}]});
  const error = await failure(client.getIamPolicy({resource: POLICY, fields: 'bindings(rol)'}));
  assert.equal(error.status, 400);
  assert.equal(error.response.data.error.details[0].fieldViolations[0].field, 'bindings.rol');
});

test('a gzipped body, as the Java clients send it, and enumerations as numbers', async () => {
  const policy = {auditConfigs: [{service: 'allServices', auditLogConfigs: [{logType: 'DATA_READ'}]}]};
  const answer = await fetch(
    `${url}/v1/${POLICY}:setIamPolicy?${new URLSearchParams({$alt: 'json;enum-encoding=int'})}`, {
      method: 'POST', body: gzipSync(JSON.stringify({policy, updateMask: 'auditConfigs'})),
      headers: {
        'Authorization': 'Bearer all', 'Content-Type': 'application/json', 'Content-Encoding': 'gzip',
      },
    });
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).auditConfigs[0].auditLogConfigs[0].logType, 3);
});
