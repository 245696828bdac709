'use strict';
// The dashboard as a person meets it: with a mouse, by keyboard, without script, in light and dark.

const assert = require('node:assert/strict');
const path = require('node:path');
const {after, before, test} = require('node:test');
const axe = require('axe-core');
const {
  binding, close, json, open, openStill, payments, people, policy, primary, setPolicy, start, stop, storefront, until, write,
} = require('./world.js');

let world;

before(async () => {
  world = await start();
  await until(world, 'the first pass', async () => {
    const overview = await json(world, '/');
    return overview.resources.total === 4 && overview.resources.ready === 4;
  });
});
after(() => world && stop(world));

const summary = (page, text) => page.locator('#summary', {hasText: text}).waitFor();
const live = (page) => page.locator('#connection.on').waitFor();

async function strangerComes() {
  await setPolicy(world, storefront, [
    {role: 'roles/networksecurity.viewer', members: ['group:storefront@example.com']},
    {role: 'roles/owner', members: ['allUsers']},
  ]);
}

test('drift appears, and goes, without a reload', async () => {
  const page = await open(world, world.reader);
  await page.goto('/');
  await live(page);
  await summary(page, 'nothing differs');
  await page.evaluate(() => { window.notReloaded = true; });
  await strangerComes();
  await summary(page, '1 difference');
  await page.locator('#announcement', {hasText: '1 difference'}).waitFor({state: 'attached'});
  await setPolicy(world, storefront, [{role: 'roles/networksecurity.viewer', members: ['group:storefront@example.com']}]);
  await summary(page, 'nothing differs');
  assert.equal(await page.evaluate(() => window.notReloaded), true);
  await close(page);
});

test('a renewal leaves focus, scroll and what was typed alone', async () => {
  const page = await open(world, world.reader, {viewport: {width: 900, height: 400}});
  await page.goto('/resources');
  await live(page);
  await page.fill('input[name=q]', 'half a wo');
  const link = page.locator('a[href="/resources/payments-viewers"]');
  await link.focus();
  const scrolled = await page.evaluate(() => {
    window.scrollTo(0, 60);
    window.before = document.querySelector('table');
    return window.scrollY;
  });
  await strangerComes();
  await page.waitForFunction(() => !document.contains(window.before));
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), '/resources/payments-viewers');
  assert.equal(await page.evaluate(() => window.scrollY), scrolled);
  assert.equal(await page.inputValue('input[name=q]'), 'half a wo');
  await close(page);
});

test('drift is told with its severity, and leads to the target', async () => {
  const page = await open(world, world.reader);
  await page.goto('/drift');
  const row = page.locator('section', {hasText: 'Current drift'}).locator('tbody tr', {hasText: 'allUsers'});
  await row.waitFor();
  await row.locator('.badge', {hasText: 'critical'}).waitFor();
  await row.locator('a', {hasText: 'storefront'}).click();
  await summary(page, '1 undeclared');
  await page.goto('/');
  await live(page);
  await page.setViewportSize({width: 1160, height: 760});
  await page.screenshot({path: path.join(process.env.BINDERY_SCREENSHOTS, 'dashboard.png')});
  await page.goBack();
  await page.locator('tbody tr', {hasText: 'allUsers'}).locator('td', {hasText: 'nobody'}).waitFor();
  await page.locator('a[href="/resources/storefront-watchers"]').first().waitFor();
  await close(page);
});

test('resources are filtered, sorted and found by label', async () => {
  const page = await open(world, world.reader);
  await page.goto('/resources');
  await summary(page, '4 resources.');
  await page.fill('input[name=q]', 'PAYM');
  await page.keyboard.press('Enter');
  await summary(page, '2 of 4 resources.');
  assert.deepEqual(await page.locator('tbody th > a').allTextContents(), ['payments-admins', 'payments-viewers']);
  await page.locator('thead a', {hasText: 'Name'}).click();
  await page.waitForURL(/sort=-name/);
  assert.deepEqual(await page.locator('tbody th > a').allTextContents(), ['payments-viewers', 'payments-admins']);
  await page.getByText('Clear').click();
  await page.selectOption('select[name=kind]', 'ManagementServerIamBinding');
  await page.getByRole('button', {name: 'Filter'}).click();
  await summary(page, '1 of 4 resources.');
  await page.goto('/resources');
  await page.locator('a.label', {hasText: 'team=storefront'}).click();
  await summary(page, '1 of 4 resources.');
  await page.goto('/resources?q=nothing+like+it');
  await page.getByText('No resource fits the filter.').waitFor();
  await close(page);
});

test('drift is filtered, sorted and taken along as a table', async () => {
  await strangerComes();
  await until(world, 'the drift', async () => (await json(world, '/drift')).summary.open > 0);
  const page = await open(world, world.reader);
  await page.goto('/drift');
  const rows = page.locator('section', {hasText: 'Current drift'}).locator('tbody tr');
  await page.fill('input[name=q]', 'ALLUSERS');
  await page.selectOption('select[name=class]', 'undeclared');
  await page.getByRole('button', {name: 'Filter'}).click();
  await page.waitForURL(/q=ALLUSERS/);
  assert.equal(await rows.count(), 1);
  await page.locator('thead a', {hasText: 'Role'}).first().click();
  await page.waitForURL(/sort=role/);
  assert.match(page.url(), /q=ALLUSERS/, 'the filter stays');
  await rows.locator('summary').click();
  await rows.getByText('bindery drift accept').waitFor();
  const csv = await page.getByText('This page as CSV').getAttribute('href');
  const table = await (await fetch(world.reader + csv)).text();
  const lines = table.trim().split('\r\n');
  assert.equal(lines.filter((line) => line.includes(',open,')).length, 1, table);
  await page.goto('/drift?q=nobody');
  await page.getByText('No difference fits the filter.').waitFor();
  await close(page);
});

test('a row of a list is a line', async () => {
  const page = await openStill(world, world.reader, {viewport: {width: 1400, height: 900}});
  for (const list of ['/', '/history', '/resources', '/targets', '/drift', '/events']) {
    await page.goto(list);
    const heights = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(heights.length > 0, list);
    // Twenty-five have room below the filter. The messages of some events take two lines.
    assert.ok(heights.filter((height) => height <= 27).length >= heights.length / 3, `${list}: ${heights}`);
  }
  await close(page);
});

test('the values of a card are one below the other', async () => {
  const page = await openStill(world, world.reader, {viewport: {width: 390, height: 800}});
  for (const list of ['/targets', '/history']) {
    await page.goto(list);
    const texts = await page.locator('tbody tr').first().locator('td > div').evaluateAll((values) => values.map((value) => {
      const range = document.createRange();
      range.selectNodeContents(value);
      return Math.round(range.getBoundingClientRect().left);
    }));
    assert.ok(texts.length > 3, list);
    assert.equal(new Set(texts).size, 1, `${list}: ${texts}`);
  }
  await close(page);
});

test('the history of days and hours is on the overview and on a page of its own', async () => {
  const page = await open(world, world.reader);
  await page.goto('/');
  const month = page.locator('section', {hasText: 'The last 30 days'});
  await month.locator('svg[aria-label^="Policies written: "]').waitFor();
  await month.getByText('The numbers of each day').click();
  await page.getByRole('heading', {name: 'Numbers'}).waitFor();
  assert.ok(await page.locator('tbody tr').count() > 0);
  await page.getByRole('link', {name: '24 hours'}).click();
  await page.waitForURL(/range=24h/);
  assert.match(await page.locator('tbody th').first().textContent(), /^\d{4}-\d\d-\d\d \d\d:00$/);
  const history = await json(world, '/history?range=24h');
  assert.equal(history.count, 24);
  assert.ok(Number.isInteger(history.spans.at(-1).calls), JSON.stringify(history));
  const csv = await page.getByText('This page as CSV').getAttribute('href');
  const lines = (await (await fetch(world.reader + csv)).text()).trim().split('\r\n');
  assert.equal(lines.length, 1 + history.spans.length, csv);
  await close(page);
});

test('access is asked for, and a wrong question is answered', async () => {
  const page = await open(world, world.reader);
  await page.goto('/access');
  await page.getByLabel('Principal').fill('user:ana@example.com');
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.locator('tbody tr', {hasText: 'payments-viewers'}).locator('.badge', {hasText: 'granted'}).waitFor();
  await page.getByLabel('At (empty: now)').fill('the day before');
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.getByRole('alert').waitFor();
  await close(page);
});

test('who may only look sees commands in the place of buttons', async () => {
  const page = await open(world, world.reader);
  await page.goto('/resources/payments-viewers');
  await page.getByText('bindery reconcile payments-viewers').waitFor();
  assert.equal(await page.getByRole('button').count(), 0);
  await close(page);
});

test('a broken manifest is shown with its line and a caret', async () => {
  const page = await open(world, world.reader);
  await page.goto('/problems');
  await page.getByText('Every manifest that was read was understood.').waitFor();
  await live(page);
  write('manifests/broken.yaml', binding('broken', storefront, 'roles/x.y', ['user:a@example.com']).replace('members', 'membres'));
  await summary(page, 'error');
  const excerpt = page.locator('.problems pre', {hasText: 'membres'}).first();
  await excerpt.waitFor();
  assert.match(await excerpt.textContent(), /\| {3}membres.*\n \| \.\.\^/);
  await close(page);
});

test('too many removals wait for approval by whoever may', async () => {
  write('manifests/backup.yaml', binding('backup-operators', primary, 'roles/backupdr.user', people(3)));
  const page = await open(world, world.operator);
  await page.goto('/guard');
  await summary(page, '9 removals wait for approval');
  await picture(page, 'guard');
  await page.setViewportSize({width: 1400, height: 900});
  const head = await page.locator('thead').evaluate((titles) => titles.getBoundingClientRect().bottom);
  assert.ok(head + 25 * 26 <= 900, `25 rows have room: ${head}`);
  await page.getByRole('button', {name: 'Approve 9 removals'}).click();
  await page.getByText('Approved: exactly these removals').waitFor();
  await summary(page, 'Nothing waits for approval.');
  await until(world, 'the removals are carried out', async () => {
    const bindings = await policy(world, primary);
    return bindings.length === 1 && bindings[0].members.length === 3;
  });
  await close(page);
});

test('a recorded policy is written back', async () => {
  const page = await open(world, world.operator);
  await page.goto('/resources/payments-viewers');
  await page.locator('.revisions a', {hasText: 'Revision'}).last().click();
  await page.getByText('It is the first on record.').waitFor();
  await page.locator('.diff .added', {hasText: 'former.colleague'}).waitFor();
  await picture(page, 'revision');
  await page.getByRole('button', {name: /Write revision \d+ back/}).click();
  await page.getByText('The recorded policy was written back').waitFor();
  await page.locator('.facts', {hasText: 'Suspended'}).waitFor();
  const members = (await policy(world, payments)).flatMap((one) => one.members);
  assert.ok(members.includes('user:former.colleague@example.com'));
  await page.getByRole('button', {name: 'Resume'}).click();
  await page.getByText('It is taken up again.').waitFor();
  await close(page);
});

test('it works by keyboard', async () => {
  const page = await open(world, world.reader);
  await page.goto('/targets');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.name), 'q');
  await page.keyboard.type('storefront');
  await page.keyboard.press('Enter');
  await summary(page, '1 target.');
  await page.locator('th a', {hasText: 'storefront'}).focus();
  await page.keyboard.press('Enter');
  await page.locator('h1', {hasText: 'authorizationPolicies/storefront'}).waitFor();
  await close(page);
});

test('it works without script', async () => {
  const page = await open(world, world.operator, {javaScriptEnabled: false});
  await page.goto('/resources?q=backup');
  await summary(page, '1 of');
  await page.locator('tbody th a').first().click();
  await page.getByRole('button', {name: 'Check now'}).click();
  await page.getByText('It was checked.').waitFor();
  await close(page);
});

test('a connection that is lost is said, and found again', async () => {
  const page = await open(world, world.reader);
  await page.goto('/');
  await live(page);
  await page.context().setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('pagehide')));
  await page.evaluate(() => dispatchEvent(new Event('pageshow')));
  await page.locator('#connection.off').waitFor();
  await page.context().setOffline(false);
  await live(page);
  page.faults = page.faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'));
  await close(page);
});

const pages = {
  overview: '/',
  resources: '/resources',
  resource: '/resources/payments-admins',
  targets: '/targets',
  target: `/targets/AuthorizationPolicyIamBinding/${encodeURIComponent(storefront)}`,
  drift: '/drift',
  access: '/access?role=*',
  'access-form': '/access',
  'guard-empty': '/guard',
  problems: '/problems',
  replicas: '/replicas',
  history: '/history',
  events: '/events',
  missing: '/resources/payments-admin',
};

async function picture(page, name) {
  await page.screenshot({path: path.join(process.env.BINDERY_SCREENSHOTS, name + '.png'), fullPage: true});
}

for (const scheme of ['light', 'dark']) {
  for (const width of [1280, 360]) {
    test(`every page can be read by everyone: ${scheme}, ${width} pixels`, async (t) => {
      const page = await open(world, world.reader, {colorScheme: scheme, viewport: {width, height: 800}});
      for (const [name, where] of Object.entries(pages)) {
        await page.goto(where);
        await page.evaluate(axe.source);
        const result = await page.evaluate(() => window.axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        }));
        await picture(page, `${name}-${scheme}-${width}`);
        const found = result.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).join(' | ')}`);
        assert.deepEqual(found, [], name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
      }
      // The browser tells of the page that is not there.
      page.faults = page.faults.filter((fault) => !fault.includes('404'));
      await close(page);
    });
  }
}
