'use strict';
// The allow policies of the most used resource types, each through the methods that Google
// generates for its service. The client decides on paths, verbs and parameters, not the test.

const assert = require('node:assert/strict');
const {before, describe, test} = require('node:test');
const {OAuth2Client} = require('google-auth-library');
const {failure, seed, url} = require('./support');

const READER = 'roles/example.reader';
const CONDITION = {title: 'until-june', expression: 'request.time < timestamp("2027-06-01T00:00:00Z")'};
const SEEDED = {role: READER, members: ['user:ana@example.com'], condition: CONDITION};
const ADDED = {role: 'roles/example.writer', members: ['group:sre@example.com']};

// Where a read states the version it wants. Every other place is wrong.
const PLACES = {
  dotted: {'options.requestedPolicyVersion': 3},
  flat: {optionsRequestedPolicyVersion: 3},
  body: {requestBody: {options: {requestedPolicyVersion: 3}}},
};

// What the services with one form of requests have in common: the place of the version, the verbs
// of get and set, whether the body of set is the bare policy, the status of a conflict, and whether
// permissions to test are parameters of the query.
const dotted = {place: 'dotted', get: 'GET', set: 'POST'};
const body = {place: 'body', get: 'POST', set: 'POST'};
const emptyBody = {place: 'dotted', get: 'POST', set: 'POST'};
const vertex = {...emptyBody, queried: true};
const compute = {place: 'flat', get: 'GET', set: 'POST'};
const storage = {place: 'flat', get: 'GET', set: 'PUT', bare: true, conflict: 412, queried: true};

const LOCATION = 'projects/acme/locations/europe-west1';

// [service/version, chain of the generated methods, resource, permission, form]. Where a resource is
// several parameters, `name` is its full name; a service with other hosts for locations has `host`.
const row = (api, chain, resource, permission, form) => ({api, chain, resource, permission, ...form});
const ROWS = [
  row('cloudresourcemanager/v3', 'projects', 'projects/acme', 'resourcemanager.projects', body),
  row('cloudresourcemanager/v3', 'folders', 'folders/123', 'resourcemanager.folders', body),
  row('cloudresourcemanager/v3', 'organizations', 'organizations/456',
    'resourcemanager.organizations', body),
  row('cloudresourcemanager/v3', 'tagKeys', 'tagKeys/789', 'resourcemanager.tagKeys', body),
  row('cloudresourcemanager/v3', 'tagValues', 'tagValues/790', 'resourcemanager.tagValues', body),
  row('cloudbilling/v1', 'billingAccounts', 'billingAccounts/012345-567890-ABCDEF',
    'billing.accounts', dotted),
  row('storage/v1', 'buckets', {bucket: 'acme-data'}, 'storage.buckets',
    {...storage, name: 'projects/_/buckets/acme-data'}),
  row('storage/v1', 'managedFolders', {bucket: 'acme-data', managedFolder: 'reports/2026/'},
    'storage.managedFolders',
    {...storage, name: 'projects/_/buckets/acme-data/managedFolders/reports/2026/'}),
  row('iam/v1', 'projects.serviceAccounts',
    'projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com', 'iam.serviceAccounts', emptyBody),
  row('secretmanager/v1', 'projects.secrets', 'projects/acme/secrets/key', 'secretmanager.secrets',
    dotted),
  row('secretmanager/v1', 'projects.locations.secrets', `${LOCATION}/secrets/key`,
    'secretmanager.secrets', {...dotted, host: 'secretmanager.europe-west1.rep.googleapis.com'}),
  row('cloudkms/v1', 'projects.locations.keyRings', `${LOCATION}/keyRings/ring`,
    'cloudkms.keyRings', dotted),
  row('cloudkms/v1', 'projects.locations.keyRings.cryptoKeys', `${LOCATION}/keyRings/ring/cryptoKeys/key`,
    'cloudkms.cryptoKeys', dotted),
  row('pubsub/v1', 'projects.topics', 'projects/acme/topics/orders', 'pubsub.topics', dotted),
  row('pubsub/v1', 'projects.subscriptions', 'projects/acme/subscriptions/orders',
    'pubsub.subscriptions', dotted),
  row('bigquery/v2', 'tables', 'projects/acme/datasets/sales/tables/orders', 'bigquery.tables', body),
  row('bigquery/v2', 'routines', 'projects/acme/datasets/sales/routines/sum', 'bigquery.routines', body),
  row('bigqueryconnection/v1', 'projects.locations.connections', `${LOCATION}/connections/lake`,
    'bigquery.connections', body),
  row('run/v2', 'projects.locations.services', `${LOCATION}/services/shop`, 'run.services', dotted),
  row('run/v2', 'projects.locations.jobs', `${LOCATION}/jobs/nightly`, 'run.jobs', dotted),
  row('cloudfunctions/v2', 'projects.locations.functions', `${LOCATION}/functions/resize`,
    'cloudfunctions.functions', dotted),
  row('artifactregistry/v1', 'projects.locations.repositories', `${LOCATION}/repositories/images`,
    'artifactregistry.repositories', dotted),
  row('spanner/v1', 'projects.instances', 'projects/acme/instances/main', 'spanner.instances', body),
  row('spanner/v1', 'projects.instances.databases', 'projects/acme/instances/main/databases/shop',
    'spanner.databases', body),
  row('bigtableadmin/v2', 'projects.instances', 'projects/acme/instances/main', 'bigtable.instances',
    body),
  row('bigtableadmin/v2', 'projects.instances.tables', 'projects/acme/instances/main/tables/events',
    'bigtable.tables', body),
  row('compute/v1', 'instances', {project: 'acme', zone: 'europe-west1-b', resource: 'web'},
    'compute.instances', {...compute, name: 'projects/acme/zones/europe-west1-b/instances/web'}),
  row('compute/v1', 'subnetworks', {project: 'acme', region: 'europe-west1', resource: 'inner'},
    'compute.subnetworks', {...compute, name: 'projects/acme/regions/europe-west1/subnetworks/inner'}),
  row('compute/v1', 'images', {project: 'acme', resource: 'base'}, 'compute.images',
    {...compute, name: 'projects/acme/global/images/base'}),
  row('compute/v1', 'disks', {project: 'acme', zone: 'europe-west1-b', resource: 'web'},
    'compute.disks', {...compute, name: 'projects/acme/zones/europe-west1-b/disks/web'}),
  row('compute/v1', 'backendServices', {project: 'acme', resource: 'shop'}, 'compute.backendServices',
    {...compute, name: 'projects/acme/global/backendServices/shop'}),
  row('compute/v1', 'snapshots', {project: 'acme', resource: 'daily'}, 'compute.snapshots',
    {...compute, name: 'projects/acme/global/snapshots/daily'}),
  row('iap/v1', 'v1', 'projects/acme/iap_web/compute/services/77', 'iap.webServices', body),
  row('cloudtasks/v2', 'projects.locations.queues', `${LOCATION}/queues/mail`, 'cloudtasks.queues', body),
  row('dataproc/v1', 'projects.regions.clusters', 'projects/acme/regions/europe-west1/clusters/spark',
    'dataproc.clusters', body),
  row('dns/v1', 'managedZones', 'projects/acme/managedZones/example', 'dns.managedZones', body),
  row('datacatalog/v1', 'projects.locations.taxonomies.policyTags',
    `${LOCATION}/taxonomies/pii/policyTags/mail`, 'datacatalog.categories', body),
  row('privateca/v1', 'projects.locations.caPools', `${LOCATION}/caPools/inner`, 'privateca.caPools',
    dotted),
  row('workstations/v1', 'projects.locations.workstationClusters.workstationConfigs.workstations',
    `${LOCATION}/workstationClusters/c/workstationConfigs/large/workstations/ana`,
    'workstations.workstations', dotted),
  row('logging/v2', 'projects.locations.buckets.views', `${LOCATION}/buckets/audit/views/all`,
    'logging.views', body),
  row('dataplex/v1', 'projects.locations.lakes', `${LOCATION}/lakes/sales`, 'dataplex.lakes', dotted),
  row('aiplatform/v1beta1', 'projects.locations.endpoints', `${LOCATION}/endpoints/42`,
    'aiplatform.endpoints', {...vertex, host: 'europe-west1-aiplatform.googleapis.com'}),
  row('healthcare/v1', 'projects.locations.datasets', `${LOCATION}/datasets/ward`,
    'healthcare.datasets', dotted),
];

const serviceHost = ({api}) => `${api.split('/')[0]}.googleapis.com`;
const fullName = (each) => `//${serviceHost(each)}/${each.name ?? each.resource}`;

// The object with the generated methods. Only the one version of the service is loaded.
function connect(each) {
  const [api, version] = each.api.split('/');
  const generated = require(`googleapis/build/src/apis/${each.api}`)[`${api}_${version}`];
  const Service = Object.entries(generated).find(([name]) => !name.includes('$'))[1];
  const auth = new OAuth2Client();
  auth.setCredentials({access_token: 'any'});
  const service = new Service({rootUrl: `${url}/${each.host ?? serviceHost(each)}/`, auth, retry: false});
  const methods = each.chain.split('.').reduce((object, name) => object[name], service);
  assert.ok(methods, `${each.api} has no ${each.chain}`);
  return methods;
}

async function refused(call, statuses, text) {
  const error = await failure(call);
  assert.ok(statuses.includes(error.status), `${error.status}: ${error.message}`);
  if (text) assert.match(error.response.data.error.message, text);
  return error.response.data;
}

before(() => seed({iamPolicies: Object.fromEntries(
  ROWS.map((each) => [fullName(each), {bindings: [SEEDED]}]))}));

/** Services that show conditions to clients of version 1 too. */
const SHOWN_TO_ALL = new Set(['bigquery/v2 tables', 'bigtableadmin/v2 projects.instances',
  'bigtableadmin/v2 projects.instances.tables']);

test('the table has each of the most used types once', () => {
  assert.equal(ROWS.length, 43);
  assert.equal(new Set(ROWS.map(fullName)).size, 43);
});

for (const each of ROWS) {
  const resource = typeof each.resource === 'string' ? {resource: each.resource} : each.resource;
  const read = async (more = PLACES[each.place]) =>
    (await connect(each).getIamPolicy({...resource, ...more})).data;
  const setting = (policy) => ({...resource, requestBody: each.bare ? policy : {policy}});
  const write = async (policy) => (await connect(each).setIamPolicy(setting(policy))).data;

  describe(`${each.api} ${each.chain}`, () => {
    test('conditions are read where the version is stated', async () => {
      assert.deepEqual((await read()).bindings, [SEEDED]);
      // Storage does not show them to clients of version 1.
      if (each.bare) return refused(read({}), [400], /version 3/);
      const [plain] = (await read({})).bindings;
      if (SHOWN_TO_ALL.has(`${each.api} ${each.chain}`)) return assert.deepEqual(plain, SEEDED);
      assert.match(plain.role, /^roles\/example\.reader_withcond_[0-9a-f]{20}$/);
    });

    test('a binding is added with the etag, and a stale etag changes nothing', async () => {
      const first = await read();
      const written = await write({...first, version: 3, bindings: [...first.bindings, ADDED]});
      assert.notEqual(written.etag, first.etag);
      const second = await read();
      assert.equal(second.etag, written.etag);
      assert.deepEqual(second.bindings, [SEEDED, ADDED]);
      const error = await refused(write({...first, version: 3}), [each.conflict ?? 409]);
      if (each.conflict === 412) assert.equal(error.error.errors[0].reason, 'conditionNotMet');
      assert.deepEqual(await read(), second);
    });

    test('permissions are tested', async () => {
      const permissions = [`${each.permission}.getIamPolicy`, `${each.permission}.setIamPolicy`];
      const {data} = await connect(each).testIamPermissions(
        each.queried ? {...resource, permissions} : {...resource, requestBody: {permissions}});
      assert.deepEqual(data.permissions, permissions);
    });

    test('other parameters, places of the version and verbs are refused', async () => {
      const before = await read();
      const unknown = /Unknown name/;
      await refused(read({...PLACES[each.place], pageSize: 1}), [400], unknown);
      await refused(connect(each).setIamPolicy({...setting(before), pageSize: 1}), [400], unknown);
      for (const place of Object.keys(PLACES)) {
        // A GET has no body that could be wrong.
        if (place === each.place || (place === 'body' && each.get === 'GET')) continue;
        await refused(read(PLACES[place]), [400], unknown);
      }
      const other = each.get === 'GET' ? 'POST' : 'GET';
      await refused(connect(each).getIamPolicy(resource, {method: other}), [404, 405]);
      const setOther = each.set === 'POST' ? 'PUT' : 'POST';
      await refused(connect(each).setIamPolicy(setting(before), {method: setOther}), [404, 405]);
      assert.deepEqual(await read(), before);
    });
  });
}
