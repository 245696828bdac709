'use strict';
// What people ask, answered from the overview in at most three clicks.

const assert = require('node:assert/strict');
const path = require('node:path');
const {after, before, test} = require('node:test');
const {binding, close, json, open, openStill, payments, people, setPolicy, start, stop, storefront, until, write} = require('./world.js');

const viewer = 'roles/networksecurity.viewer';
const admin = 'roles/networksecurity.admin';
const web = 'projects/beta/locations/global/authorizationPolicies/web';
const long = 'projects/identity-platform-europe/locations/europe-west1/authorizationPolicies/recommendation-engine-canary';
const runner = 'serviceAccount:deployment-runner-canary@identity-platform-europe.iam.gserviceaccount.com';
const reader = 'projects/identity-platform-europe/roles/authorizationPolicyReader';
const declared = ['group:payments@example.com', 'user:ana@example.com'];

const inDays = (days) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 19) + 'Z';

const ending = `  condition:
    title: until-the-audit-ends
    expression: request.time < timestamp("${inDays(3)}")
`;

// An entry of the audit log of who changed a policy.
function logEntry(actor, target, role, member) {
  return JSON.stringify({
    insertId: 'entry-1',
    timestamp: new Date().toISOString(),
    logName: 'projects/acme/logs/cloudaudit.googleapis.com%2Factivity',
    protoPayload: {
      '@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
      serviceName: 'networksecurity.googleapis.com',
      methodName: 'google.iam.v1.IAMPolicy.SetIamPolicy',
      resourceName: target,
      authenticationInfo: {principalEmail: actor},
      serviceData: {policyDelta: {bindingDeltas: [{action: 'ADD', role, member}]}},
    },
  }) + '\n';
}

let world;

before(async () => {
  process.env.BINDERY_MANIFESTS_REPOSITORY_URL = 'https://git.example/access/blob/main/{path}#L{line}';
  world = await start({
    more: 'attribution: {directory: logs, interval: 1s}\n',
    policies: [web, long],
    files: {
      'ending.yaml': binding('auditors', storefront, admin, ['group:audit@example.com'], ending),
      'beta.yaml': binding('web-viewers', web, viewer, ['group:web@example.com'], 'options: {mode: observe}\n'),
      'long.yaml': binding('recommendation-engine-canary-readers', long, reader, [runner], 'options: {mode: observe}\n'),
    },
  });
  write('logs/none.json', '');
  await until(world, 'the first pass', async () => {
    const overview = await json(world, '/');
    return overview.resources.total >= 7 && overview.resources.reconciling === 0;
  });
  // Of two manifests of one role the one in force stays. At the first pass neither would come in.
  write('manifests/second.yaml', binding('payments-viewers-again', payments, viewer, ['group:others@example.com']));
  await setPolicy(world, web, [{role: viewer, members: ['group:web@example.com', ...people(5)]}]);
  const entry = logEntry('mallory@example.com', payments, viewer, 'allUsers');
  await setPolicy(world, payments, [{role: viewer, members: [...declared, 'allUsers']}]);
  write('logs/entry.json', entry);
  await until(world, 'all is found, and put right', async () => {
    const drift = await json(world, '/drift');
    const made = drift.items.find((item) => item.grant?.member === 'allUsers');
    return made?.state === 'corrected' && made.attribution?.actor === 'mallory@example.com' && drift.summary.undeclared >= 5;
  });
});
after(() => world && stop(world));

// A page whose clicks are counted, at the overview.
async function fromTheOverview() {
  const page = await open(world, world.reader);
  await page.goto('/');
  let clicks = 0;
  const click = async (what) => {
    clicks += 1;
    await what.click();
  };
  return {page, click, end: async () => {
    assert.ok(clicks <= 3, `${clicks} clicks`);
    await close(page);
  }};
}

test('who made allUsers a reader, and when was it put right?', async () => {
  const {page, click, end} = await fromTheOverview();
  await click(page.locator('.tile', {hasText: 'Differences'}));
  const row = page.locator('section', {hasText: 'Corrected drift'}).locator('tbody tr', {hasText: 'allUsers'});
  await click(row.locator('summary'));
  await row.getByText(/Changed by: mallory@example\.com on /).waitFor();
  await row.getByText(/Put right: \d{4}-\d\d-\d\d \d\d:\d\d UTC by bindery/).waitFor();
  await end();
});

test('what ends this week?', async () => {
  const {page, click, end} = await fromTheOverview();
  const row = page.locator('section', {hasText: 'Ends soon'}).locator('tbody tr');
  assert.equal(await row.count(), 1);
  await row.getByText(inDays(3).slice(0, 10)).waitFor();
  await click(row.locator('a', {hasText: 'auditors'}));
  await page.getByText(/ends \d{4}-\d\d-\d\d/).first().waitFor();
  await end();
});

test('why is one resource not ready?', async () => {
  const {page, click, end} = await fromTheOverview();
  await click(page.locator('section', {hasText: 'Needs attention'}).locator('a', {hasText: 'RoleConflict'}));
  await click(page.locator('tbody a', {hasText: 'payments-viewers-again'}).first());
  await page.locator('#summary', {hasText: 'payments-viewers'}).waitFor();
  const source = page.locator('.facts a', {hasText: 'second.yaml'});
  assert.match(await source.getAttribute('href'), /^https:\/\/git\.example\/access\/blob\/main\/second\.yaml#L\d+$/);
  await end();
});

test('which project has most undeclared grants?', async () => {
  const {page, click, end} = await fromTheOverview();
  const places = page.locator('section', {has: page.getByRole('heading', {name: 'Where', exact: true})});
  await click(places.locator('thead a', {hasText: 'Undeclared'}));
  await page.waitForURL(/places=undeclared/);
  const first = places.locator('tbody tr').first();
  assert.match(await first.textContent(), /projects\/beta/);
  await click(first.locator('td.number a').first());
  await page.screenshot({path: path.join(process.env.BINDERY_SCREENSHOTS, 'undeclared.png'), fullPage: true});
  await end();
});

test('a difference says how to accept and how to adopt it', async () => {
  const {page, click, end} = await fromTheOverview();
  await click(page.locator('.tile', {hasText: 'Differences'}));
  const row = page.locator('section', {hasText: 'Current drift'}).locator('tbody tr', {hasText: 'person.1@'});
  await click(row.locator('summary'));
  await row.getByText(/bindery drift accept \d+/).waitFor();
  await row.getByText(/bindery adopt \d+/).waitFor();
  await row.locator('.diff .added', {hasText: 'person.1@'}).waitFor();
  await page.screenshot({path: path.join(process.env.BINDERY_SCREENSHOTS, 'adopt.png'), fullPage: true});
  await end();
});

test('nothing is beyond the edge, however long the names are', async () => {
  const page = await openStill(world, world.reader, {viewport: {width: 1400, height: 900}});
  for (const list of ['/', '/resources', '/targets', '/drift', '/access?role=*', '/problems', '/events']) {
    await page.goto(list);
    await page.locator('tbody details').evaluateAll((all) => all.forEach((details) => { details.open = true; }));
    const wide = await page.locator('main, main section').evaluateAll((boxes) =>
      boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => `${box.tagName} ${box.textContent.slice(0, 60)}`));
    assert.deepEqual(wide, [], list);
    const left = await page.locator('.beside').evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().left));
    assert.ok(left.every((x) => x > 0), `${list}: ${left}`);
  }
  await close(page);
});

// The problems of more than ten manifests: their lines are folded.
async function breakManifests() {
  const of = (i) => binding(`broken-${i}`, storefront, viewer, [`user:somebody.with.a.long.name.${i}@example.com`])
    .replace('user:', 'usr:');
  write('manifests/recommendation-engine/authorization-policies-of-the-storefront.yaml', Array.from({length: 12}, (_, i) => of(i)).join(''));
  write('manifests/unknown.yaml', Array.from({length: 5}, (_, i) => binding(`unknown-${i}`, storefront, viewer, ['user:a@example.com'])
    .replace('members:', 'membres:')).join(''));
  await until(world, 'the problems', async () => (await json(world, '/problems')).summary.errors >= 19);
}

const lists = ['/resources', '/targets', '/drift', '/events', '/problems', '/access?role=*'];

test('25 rows of a list have room, however long names and sentences are, and the end of a name stays', async () => {
  await breakManifests();
  const page = await openStill(world, world.reader, {viewport: {width: 1400, height: 900}});
  for (const list of lists) {
    await page.goto(list);
    const {head, heights} = await page.locator('table').first().evaluate((table) => ({
      head: table.tHead.getBoundingClientRect().bottom,
      heights: [...table.tBodies[0].rows].map((row) => row.getBoundingClientRect().height),
    }));
    assert.ok(heights.length > 0, list);
    assert.ok(head + 25 * Math.max(...heights) <= 900, `${list}: ${head}, ${heights}`);
    if (list === '/problems') {
      const groups = await page.locator('.problems table').evaluateAll((tables) =>
        tables.map((table) => ({head: table.tHead.getBoundingClientRect().bottom, rows: table.tBodies[0].rows.length})));
      assert.ok(groups.length >= 3, JSON.stringify(groups));
      const before = groups[0].rows + groups[1].rows;
      assert.ok(groups[2].head + (25 - before) * 26 <= 900, JSON.stringify(groups));
    }
    if (!['/resources', '/targets', '/problems'].includes(list)) continue;
    const tail = page.locator('.long .tail').first();
    const whole = await tail.evaluate((end) => end.scrollWidth <= end.clientWidth + 1 && end.parentElement.title.endsWith(end.textContent));
    assert.ok(whole, list);
  }
  await close(page);
});

test('what is wrong with a manifest is not hidden by its lines', async () => {
  // Few enough problems that all are open.
  write('manifests/again.yaml', binding('web-viewers-again', web, viewer, ['group:others@example.com']));
  const page = await open(world, world.reader, {viewport: {width: 1400, height: 900}});
  await page.goto('/problems?code=RoleConflict');
  await page.locator('.problems pre').first().waitFor();
  const hidden = await page.locator('.problems tr').evaluateAll((rows) => rows.flatMap((row) => {
    const pre = row.querySelector('pre')?.getBoundingClientRect();
    const text = row.querySelector('summary span')?.getBoundingClientRect();
    return pre && text && pre.top < text.bottom && pre.bottom > text.top ? [row.textContent] : [];
  }));
  assert.deepEqual(hidden, []);
  await close(page);
});

test('every page is as wide as its window, however long labels, names and roles are', async () => {
  const label = '{team: recommendation-engine-of-the-platform, cost-center: cc-1234567890-of-the-production-environment, tier: one}';
  const role = 'organizations/100000000001/roles/recommendationEngineCanaryPolicyReaderAndWriter';
  write('manifests/wide.yaml', binding('recommendation-engine-canary-policy-readers-of-the-production-environment', long, role,
    [runner], ending + 'options: {mode: observe}\n').replace(/labels: \{[^}]*\}/, 'labels: ' + label));
  await until(world, 'the wide one', async () => (await json(world, '/resources?q=policy-readers&limit=5')).total === 1);
  const name = (await json(world, '/resources?q=policy-readers&limit=5')).resources[0].name;
  const pages = [...lists, '/', '/guard', '/coverage', '/resources/' + name, '/targets/AuthorizationPolicyIamBinding/' + encodeURIComponent(long)];
  for (const width of [390, 1400]) {
    const page = await open(world, world.reader, {viewport: {width, height: 900}});
    for (const where of pages) {
      await page.goto(where);
      const wide = await page.locator('html, main, main section, dd').evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.tagName} ${box.scrollWidth - box.clientWidth}`));
      assert.deepEqual(wide, [], `${where} at ${width}`);
    }
    await close(page);
  }
});

test('the grants of a target and of a resource are a line each', async () => {
  const page = await open(world, world.reader, {viewport: {width: 1400, height: 900}});
  for (const where of ['/resources/web-viewers', '/targets/AuthorizationPolicyIamBinding/' + encodeURIComponent(web)]) {
    await page.goto(where);
    const heights = await page.locator('table').first().evaluate((table) => [...table.tBodies[0].rows].map((row) => row.getBoundingClientRect().height));
    assert.ok(heights.length >= 6 && Math.max(...heights) <= 27, `${where}: ${heights}`);
  }
  await close(page);
});

test('what is at no address is a page with a way back', async () => {
  const page = await open(world, world.reader);
  assert.equal((await page.goto('/reports/')).status(), 404);
  await page.getByText('There is nothing at /reports/').waitFor();
  await page.getByText('To the overview').click();
  await page.locator('h1', {hasText: 'Overview'}).waitFor();
  page.faults = page.faults.filter((fault) => !fault.includes('404'));
  await close(page);
});

test('who was granted what is never cut', async () => {
  const page = await openStill(world, world.reader, {viewport: {width: 1400, height: 900}});
  for (const list of ['/drift', '/access?role=*', '/guard']) {
    await page.goto(list);
    const cut = await page.locator('tbody th, tbody .role').evaluateAll((cells) => cells.flatMap((cell) => [cell, ...cell.querySelectorAll('*')])
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== 'visible').map((part) => part.textContent));
    assert.deepEqual(cut, [], list);
  }
  await close(page);
});

test('a sentence is opened by keyboard, by touch and without script', async () => {
  for (const options of [{}, {javaScriptEnabled: false}, {hasTouch: true, viewport: {width: 390, height: 800}}]) {
    const page = await open(world, world.reader, options);
    await page.goto('/problems');
    const sentence = page.locator('.sentence > summary').first();
    await sentence.waitFor();
    const height = async () => (await sentence.boundingBox()).height;
    const closed = await height();
    if (options.hasTouch) {
      await sentence.tap();
    } else {
      await sentence.focus();
      await page.keyboard.press('Enter');
    }
    assert.ok(await page.locator('.sentence[open]').count() === 1);
    assert.ok(await height() >= closed);
    await close(page);
  }
});

test('on paper everything is whole', async () => {
  const page = await openStill(world, world.reader, {viewport: {width: 1000, height: 900}});
  await page.emulateMedia({media: 'print'});
  for (const list of lists) {
    await page.goto(list);
    const cut = await page.locator('.sentence span, .long .head').evaluateAll((parts) =>
      parts.filter((part) => getComputedStyle(part).overflow !== 'visible').map((part) => part.textContent));
    assert.deepEqual(cut, [], list);
  }
  await close(page);
});

test('what a page does not list is searched for in the header', async () => {
  const page = await open(world, world.reader);
  for (const where of ['/', '/guard', '/history', `/targets/AuthorizationPolicyIamBinding/${encodeURIComponent(web)}`]) {
    await page.goto(where);
    await page.getByLabel('Find resources').fill('auditors');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/resources\?q=auditors/);
    await page.locator('#summary', {hasText: '1 of'}).waitFor();
  }
  await close(page);
});
