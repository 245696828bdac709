'use strict';
// Datadog's own client: restriction policies, datasets, restriction queries of logs, the current user, and lists
// of principals.

const assert = require('node:assert/strict');
const {beforeEach, test} = require('node:test');
const {client, v2} = require('@datadog/datadog-api-client');
const {failure, faults, host, operations, seed, url} = require('./support');

const ORG = '4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001';
const ANA = '1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001';
const ROLE = '7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001';
const VIEWERS = '7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1002';
const SRE = '2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001';
const DASHBOARD = 'dashboard:abc-def-ghi';

const SEED = {
  users: [{
    id: ANA, handle: 'ana@example.com', name: 'Ana Example',
    org: {id: ORG, publicId: 'abc123', name: 'Acme'},
    roles: [{id: ROLE, name: 'Readers', permissions: ['dashboards_read']}],
  }],
  roles: [{id: VIEWERS, name: 'Viewers', permissions: ['dashboards_read']}],
  teams: [{id: SRE, handle: 'sre', name: 'Site Reliability'}, 'data-sre'],
  credentials: [
    {apiKey: 'api', appKey: 'app', user: 'ana@example.com'},
    {apiKey: 'api', appKey: 'reader', permissions: ['restrictionPolicy.get']},
    {token: 'ddpat_ana', user: 'ana@example.com'},
  ],
};

function connect({appKey = 'app', ...options} = {}) {
  const configuration = client.createConfiguration({
    authMethods: {apiKeyAuth: 'api', appKeyAuth: appKey}, ...options,
  });
  return configuration;
}

function policies(options) {
  const configuration = connect({
    baseServer: new client.BaseServerConfiguration(url, {}), ...options,
  });
  return new v2.RestrictionPoliciesApi(configuration);
}

// As the client's other way of naming a server has it.
function users(options) {
  const configuration = client.createConfiguration({
    authMethods: {apiKeyAuth: 'api', appKeyAuth: 'app'}, serverIndex: 1, ...options,
  });
  configuration.setServerVariables({protocol: 'http', name: host});
  return new v2.UsersApi(configuration);
}

// An answer that lacks what Datadog's models require becomes an "unparsed" object.
function assertParsed(value, where = 'answer') {
  if (value === null || typeof value !== 'object') return;
  assert.ok(!value._unparsed, `${where} is unparsed: ${JSON.stringify(value)}`);
  assert.ok(value.constructor.name !== 'UnparsedObject', `${where} is unparsed`);
  for (const [name, member] of Object.entries(value)) assertParsed(member, `${where}.${name}`);
}

const plain = (value) => JSON.parse(JSON.stringify(value));
const document = (id, bindings) => (
  {data: {type: 'restriction_policy', id, attributes: {bindings}}});
const write = (api, resourceId, bindings, more = {}) => api.updateRestrictionPolicy(
  {resourceId, body: document(resourceId, bindings), ...more});

beforeEach(() => seed(SEED));

test('a resource without a policy reads as one without bindings', async () => {
  const answer = await policies().getRestrictionPolicy({resourceId: DASHBOARD});
  assertParsed(answer);
  assert.ok(answer instanceof v2.RestrictionPolicyResponse);
  assert.deepEqual(plain(answer), document(DASHBOARD, []));
});

test('an update answers and keeps what was sent, principals sorted and each once', async () => {
  const sent = [
    {relation: 'editor', principals: [`user:${ANA}`, `role:${ROLE}`, `org:${ORG}`, `role:${ROLE}`]},
    {relation: 'viewer', principals: [`team:${ROLE}`]},
  ];
  const kept = document(DASHBOARD, [
    {relation: 'editor', principals: [`org:${ORG}`, `role:${ROLE}`, `user:${ANA}`]},
    {relation: 'viewer', principals: [`team:${ROLE}`]},
  ]);
  const answer = await write(policies(), DASHBOARD, sent);
  assertParsed(answer);
  assert.deepEqual(plain(answer), kept);
  const read = await policies().getRestrictionPolicy({resourceId: DASHBOARD});
  assertParsed(read);
  assert.deepEqual(plain(read), kept);
});

test('a raw and an encoded colon name the same policy', async () => {
  await write(policies(), DASHBOARD, [{relation: 'editor', principals: [`org:${ORG}`]}]);
  const headers = {'DD-API-KEY': 'api', 'DD-APPLICATION-KEY': 'app'};
  const texts = [];
  for (const id of [DASHBOARD, encodeURIComponent(DASHBOARD)]) {
    const answer = await fetch(`${url}/api/v2/restriction_policy/${id}`, {headers});
    assert.equal(answer.status, 200);
    texts.push(await answer.text());
  }
  assert.equal(texts[0], texts[1]);
  assert.deepEqual(JSON.parse(texts[0]),
    document(DASHBOARD, [{relation: 'editor', principals: [`org:${ORG}`]}]));
});

test('an id may hold further colons', async () => {
  const id = 'synthetics-private-location:pl:eu-west:1';
  const answer = await write(policies(), id, [{relation: 'editor', principals: [`org:${ORG}`]}]);
  assert.equal(answer.data.id, id);
});

test('a delete leaves nothing, and says nothing, however often', async () => {
  await write(policies(), DASHBOARD, [{relation: 'editor', principals: [`org:${ORG}`]}]);
  for (let i = 0; i < 2; ++i) {
    assert.equal(await policies().deleteRestrictionPolicy({resourceId: DASHBOARD}), undefined);
  }
  const read = await policies().getRestrictionPolicy({resourceId: DASHBOARD});
  assert.deepEqual(plain(read), document(DASHBOARD, []));
  assert.deepEqual(await operations(),
    {'restrictionPolicy.delete': 2, 'restrictionPolicy.get': 1, 'restrictionPolicy.post': 1});
});

test('refusals come as 400 with the recorded texts', async () => {
  const editor = (principal) => [{relation: 'editor', principals: [principal]}];
  const cases = [
    [() => policies().getRestrictionPolicy({resourceId: 'malformed'}),
      "Invalid resource: 'malformed' is not in a valid format"],
    [() => policies().deleteRestrictionPolicy({resourceId: 'malformed'}),
      "Invalid resource: 'malformed' is not in a valid format"],
    [() => write(policies(), 'security_rule:1', editor(`org:${ORG}`)),
      "Invalid resource type: 'security_rule' does not support restriction policies"],
    [() => write(policies(), DASHBOARD, editor('foo:1')),
      'Invalid request: [PrincipalTypeInvalidForRelation] principal "foo:1" is not supported by ' +
      '"editor" relation, supported types: "org, role, team, user"'],
  ];
  for (const [call, text] of cases) {
    const error = await failure(call());
    assert.equal(error.code, 400);
    assertParsed(error.body);
    assert.deepEqual(error.body.errors, [text]);
  }
});

test('a caller may lower its own access only when it says so', async () => {
  await write(policies(), DASHBOARD, [{relation: 'editor', principals: [`user:${ANA}`]}]);
  const lower = [{relation: 'viewer', principals: [`user:${ANA}`]}];
  const error = await failure(write(policies(), DASHBOARD, lower));
  assert.equal(error.code, 400);
  assert.deepEqual(error.body.errors, ['Invalid request: users cannot decrease their own level ' +
    'of access (from editor to viewer)']);
  const answer = await write(policies(), DASHBOARD, lower, {allowSelfLockout: true});
  assert.deepEqual(plain(answer), document(DASHBOARD, lower));
});

test('wrong keys and missing permissions are forbidden', async () => {
  for (const appKey of ['wrong', 'reader']) {
    const error = await failure(policies({appKey}).deleteRestrictionPolicy({resourceId: DASHBOARD}));
    assert.equal(error.code, 403);
    assert.deepEqual(error.body.errors, ['Forbidden']);
  }
  const read = await policies({appKey: 'reader'}).getRestrictionPolicy({resourceId: DASHBOARD});
  assert.deepEqual(read.data.attributes.bindings, []);
});

test('the client waits out a 429 as long as its headers say', async () => {
  await faults([{operation: 'restrictionPolicy.get', times: 1, status: 429, retryAfter: '1s'}]);
  const begin = Date.now();
  const read = await policies({enableRetry: true}).getRestrictionPolicy({resourceId: DASHBOARD});
  assert.deepEqual(plain(read), document(DASHBOARD, []));
  assert.ok(Date.now() - begin >= 950, `waited ${Date.now() - begin} ms`);
  assert.deepEqual(await operations(), {'restrictionPolicy.get': 2});

  await faults([{operation: 'restrictionPolicy.get', status: 429}]);
  const error = await failure(policies().getRestrictionPolicy({resourceId: DASHBOARD}));
  assert.equal(error.code, 429);
  assert.deepEqual(error.body.errors, ['Too many requests']);
});

test('a dropped connection is an error, and the write may have landed all the same', async () => {
  const bindings = [{relation: 'editor', principals: [`org:${ORG}`]}];
  await faults([{operation: 'restrictionPolicy.post', times: 1, drop: 'after'}]);
  await failure(write(policies(), DASHBOARD, bindings));
  const read = await policies().getRestrictionPolicy({resourceId: DASHBOARD});
  assert.deepEqual(plain(read), document(DASHBOARD, bindings));
});

test('the current user comes with its organisation, its roles and their permissions', async () => {
  const answer = await users().getCurrentUser();
  assertParsed(answer);
  assert.equal(answer.data.id, ANA);
  assert.equal(answer.data.type, 'users');
  assert.equal(answer.data.attributes.handle, 'ana@example.com');
  assert.equal(answer.data.attributes.name, 'Ana Example');
  assert.deepEqual(plain(answer.data.relationships.org), {data: {id: ORG, type: 'orgs'}});
  assert.deepEqual(plain(answer.data.relationships.roles), {data: [{id: ROLE, type: 'roles'}]});
  const org = answer.included.find((one) => one.type === 'orgs');
  assert.equal(org.id, ORG);
  assert.equal(org.attributes.publicId, 'abc123');
  assert.ok(answer.included.some((one) => one.type === 'roles' && one.id === ROLE));
});

const lists = (Api) => new Api(connect({
  baseServer: new client.BaseServerConfiguration(url, {}),
}));

test('roles are searched by a part of their name', async () => {
  const answer = await lists(v2.RolesApi).listRoles({filter: 'ers', sort: 'name', pageSize: 100});
  assertParsed(answer);
  assert.ok(answer instanceof v2.RolesResponse);
  assert.deepEqual(answer.data.map((role) => [role.id, role.attributes.name]),
    [[ROLE, 'Readers'], [VIEWERS, 'Viewers']]);
  assert.equal(answer.data[1].relationships.permissions.data.length, 1);
  assert.deepEqual(plain(answer.meta), {page: {totalCount: 2, totalFilteredCount: 2}});
});

test('teams are searched by a part of their handle', async () => {
  const answer = await lists(v2.TeamsApi).listTeams({filterKeyword: 'sre', sort: 'name'});
  assertParsed(answer);
  assert.ok(answer instanceof v2.TeamsResponse);
  assert.deepEqual(answer.data.map((team) => [team.attributes.handle, team.attributes.name]),
    [['sre', 'Site Reliability'], ['data-sre', 'data-sre']]);
  assert.equal(answer.data[0].id, SRE);
  assert.equal(answer.meta.pagination.total, 2);
  assert.equal(answer.links.next, null);
});

test('users are searched by a part of their address', async () => {
  const answer = await lists(v2.UsersApi).listUsers({filter: 'ana@', pageSize: 100});
  assertParsed(answer);
  assert.ok(answer instanceof v2.UsersResponse);
  assert.deepEqual(answer.data.map((user) => user.id), [ANA]);
  assert.equal(answer.data[0].attributes.email, 'ana@example.com');
  assert.equal(answer.data[0].attributes.disabled, false);
});

test('the client reads all pages of a list', async () => {
  await seed({...SEED, teams: Array.from({length: 25}, (none, i) => `team-${i}`)});
  const handles = [];
  for await (const team of lists(v2.TeamsApi).listTeamsWithPagination({pageSize: 10})) {
    handles.push(team.attributes.handle);
  }
  assert.equal(new Set(handles).size, 25);
  assert.equal((await operations())['teams.list'], 3);
});

test('a list needs the permission, and a page has a hundred entries at most', async () => {
  const reader = new v2.RolesApi(connect({
    appKey: 'reader', baseServer: new client.BaseServerConfiguration(url, {}),
  }));
  assert.equal((await failure(reader.listRoles({}))).code, 403);
  assert.equal((await failure(lists(v2.RolesApi).listRoles({pageSize: 101}))).code, 400);
});

// The client calls the operations on datasets unstable, and wants to hear that one means them.
function datasets() {
  const configuration = connect({baseServer: new client.BaseServerConfiguration(url, {})});
  for (const operation of ['createDataset', 'deleteDataset', 'getAllDatasets', 'getDataset',
    'updateDataset']) {
    configuration.unstableOperations[`v2.${operation}`] = true;
  }
  return new v2.DatasetsApi(configuration);
}

const dataset = (name, filters, principals = [`role:${ROLE}`]) => ({body: {data: {
  type: 'dataset',
  attributes: {name, principals, productFilters: [{product: 'logs', filters}]},
}}});

test('a dataset is created, listed, replaced and deleted', async () => {
  const api = datasets();
  const created = await api.createDataset(dataset('Payments', ['@team:pay']));
  assertParsed(created);
  assert.ok(created instanceof v2.DatasetResponseSingle);
  assert.deepEqual(plain(created.data.attributes.productFilters),
    [{product: 'logs', filters: ['@team:pay']}]);
  assert.ok(created.data.attributes.createdAt instanceof Date);

  const datasetId = created.data.id;
  const principals = [`role:${ROLE}`, `team:${SRE}`];
  const replaced = await api.updateDataset(
    {datasetId, ...dataset('Payments', ['@team:pay', '@team:card'], principals)});
  assertParsed(replaced);
  assert.equal(replaced.data.id, datasetId);
  assert.deepEqual(replaced.data.attributes.principals, principals);
  assert.deepEqual(plain(await api.getDataset({datasetId})), plain(replaced));
  const all = await api.getAllDatasets();
  assertParsed(all);
  assert.ok(all instanceof v2.DatasetResponseMulti);
  assert.deepEqual(plain(all.data), [plain(replaced.data)]);

  assert.equal(await api.deleteDataset({datasetId}), undefined);
  assert.equal((await failure(api.getDataset({datasetId}))).code, 404);
  assert.deepEqual((await api.getAllDatasets()).data, []);
  assert.deepEqual(await operations(), {'dataset.create': 1, 'dataset.delete': 1,
    'dataset.get': 2, 'dataset.list': 2, 'dataset.update': 1});
});

test('datasets that break a documented rule are refused', async () => {
  const api = datasets();
  await api.createDataset(dataset('Payments', ['@team:pay']));
  const cases = [
    [dataset('Payments', ['@team:other']), 409],
    [dataset('Other', ['@team:pay']), 400],
    [dataset('Other', ['@team:a', 'service:b']), 400],
    [dataset('Other', Array.from({length: 11}, (none, i) => `@team:${i}`)), 400],
    [dataset('Other', ['@team:a'], [`user:${ANA}`]), 400],
  ];
  for (const [request, code] of cases) {
    const error = await failure(api.createDataset(request));
    assert.equal(error.code, code, JSON.stringify(request));
    assertParsed(error.body);
  }
  const datasetId = '5d1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001';
  for (const call of [() => api.deleteDataset({datasetId}),
    () => api.updateDataset({datasetId, ...dataset('Other', ['@team:a'])})]) {
    assert.equal((await failure(call())).code, 404);
  }
});

function restrictionQueries() {
  const configuration = connect({baseServer: new client.BaseServerConfiguration(url, {})});
  for (const operation of ['addRoleToRestrictionQuery', 'createRestrictionQuery',
    'deleteRestrictionQuery', 'getRestrictionQuery', 'getRoleRestrictionQuery',
    'listRestrictionQueries', 'listRestrictionQueryRoles', 'listUserRestrictionQueries',
    'removeRoleFromRestrictionQuery', 'replaceRestrictionQuery', 'updateRestrictionQuery']) {
    configuration.unstableOperations[`v2.${operation}`] = true;
  }
  return new v2.LogsRestrictionQueriesApi(configuration);
}

const restrictionQuery = (text) => ({body: {data: {
  type: 'logs_restriction_queries', attributes: {restrictionQuery: text},
}}});

const roleOf = (id) => ({body: {data: {type: 'roles', id}}});

test('a restriction query gets roles, loses them and is deleted', async () => {
  const api = restrictionQueries();
  const created = await api.createRestrictionQuery(restrictionQuery('team:pay'));
  assertParsed(created);
  assert.ok(created instanceof v2.RestrictionQueryWithoutRelationshipsResponse);
  assert.equal(created.data.attributes.restrictionQuery, 'team:pay');
  assert.ok(created.data.attributes.createdAt instanceof Date);

  const restrictionQueryId = created.data.id;
  for (const id of [ROLE, VIEWERS]) {
    const answer = await api.addRoleToRestrictionQuery({restrictionQueryId, ...roleOf(id)});
    assert.equal(answer, undefined);
  }
  const roles = await api.listRestrictionQueryRoles({restrictionQueryId});
  assertParsed(roles);
  assert.deepEqual(roles.data.map((role) => [role.id, role.attributes.name]),
    [[ROLE, 'Readers'], [VIEWERS, 'Viewers']]);
  const query = await api.getRestrictionQuery({restrictionQueryId});
  assertParsed(query);
  assert.ok(query instanceof v2.RestrictionQueryWithRelationshipsResponse);
  assert.equal(query.data.attributes.roleCount, 2);
  for (const found of [await api.getRoleRestrictionQuery({roleId: ROLE}),
    await api.listUserRestrictionQueries({userId: ANA}), await api.listRestrictionQueries()]) {
    assertParsed(found);
    assert.deepEqual(found.data.map((each) => each.id), [restrictionQueryId]);
  }
  await api.removeRoleFromRestrictionQuery({restrictionQueryId, ...roleOf(ROLE)});
  assert.equal((await api.listRestrictionQueryRoles({restrictionQueryId})).data.length, 1);

  const changed = {restrictionQueryId, ...restrictionQuery('team:card')};
  for (const change of [api.updateRestrictionQuery(changed), api.replaceRestrictionQuery(changed)]) {
    assert.equal((await change).data.attributes.restrictionQuery, 'team:card');
  }
  assert.equal(await api.deleteRestrictionQuery({restrictionQueryId}), undefined);
  assert.equal((await failure(api.getRestrictionQuery({restrictionQueryId}))).code, 404);
  const none = {restrictionQueryId, ...roleOf('none')};
  assert.equal((await failure(api.addRoleToRestrictionQuery(none))).code, 404);
});

test('a bearer token is as good as a pair of keys', async () => {
  const answer = await fetch(`${url}/api/v2/current_user`,
    {headers: {Authorization: 'Bearer ddpat_ana'}});
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).data.id, ANA);
});

test('a standing rate limit shows in all answers and counts each caller', async () => {
  await seed({...SEED, options: {rateLimits: [
    {operation: 'restrictionPolicy.*', limit: 2, period: '1h', name: 'policies', perCaller: true}]}});
  const get = (app) => fetch(`${url}/api/v2/restriction_policy/${DASHBOARD}`,
    {headers: {'DD-API-KEY': 'api', 'DD-APPLICATION-KEY': app}});
  const first = await get('app');
  const header = (name) => first.headers.get(`X-RateLimit-${name}`);
  assert.equal(first.status, 200);
  assert.deepEqual(['Limit', 'Period', 'Remaining', 'Name'].map(header),
    ['2', '3600', '1', 'policies']);
  const reset = Number(header('Reset'));
  assert.ok(reset >= 1 && reset <= 3600, `reset ${reset}`);
  assert.equal((await get('app')).status, 200);
  assert.equal((await get('app')).status, 429);
  assert.equal((await get('reader')).status, 200);
});
