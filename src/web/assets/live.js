// Renews the content of a page when bindery says that something changed. The pages work without it.
(() => {
  'use strict';

  const content = document.getElementById('content');
  const state = document.getElementById('connection');
  if (!content || !('live' in content.dataset) || !window.EventSource) return;

  const quietest = 1000; // Between two renewals, in ms; more where the pages take long to make.
  let source = null;
  let wanted = false;
  let busy = false;
  let pause = quietest;
  // Numbers about everything may be as of some seconds before a change: src/report/reports/kept_value.h.
  const late = 15000;
  let later = 0;

  function show(word, text) {
    state.className = 'connection ' + word;
    state.textContent = text;
  }

  // What the reader has opened, chosen or marked must still be there after the renewal.
  function place() {
    const active = document.activeElement;
    if (!active || !content.contains(active)) return null;
    const details = active.tagName === 'SUMMARY' && active.parentElement.id;
    const same = details ? '#' + CSS.escape(details) + ' > summary' :
      active.id ? '#' + CSS.escape(active.id) :
      active.getAttribute('href') ? 'a[href="' + CSS.escape(active.getAttribute('href')) + '"]' :
      active.getAttribute('aria-label') ? '[aria-label="' + CSS.escape(active.getAttribute('aria-label')) + '"]' :
      active.tagName === 'BUTTON' && active.form ? 'form[action="' + CSS.escape(active.form.getAttribute('action')) + '"] button' :
      null;
    if (!same) return null;
    return {same, index: [...content.querySelectorAll(same)].indexOf(active)};
  }

  function take(page) {
    const fresh = page.getElementById('content');
    const summary = document.getElementById('summary');
    if (!fresh || fresh.isEqualNode(content)) return;
    const before = summary ? summary.textContent : '';
    const focus = place();
    const opened = [...content.querySelectorAll('details[open]')].map((details) => details.id);
    const scrolls = [...content.querySelectorAll('pre')].map((block) => block.scrollTop);
    const left = window.scrollX;
    const top = window.scrollY;
    content.replaceChildren(...fresh.childNodes);
    content.querySelectorAll('pre').forEach((block, i) => { block.scrollTop = scrolls[i] || 0; });
    opened.forEach((id) => {
      const details = id && document.getElementById(id);
      if (details) details.open = true;
    });
    if (focus) {
      const again = content.querySelectorAll(focus.same)[focus.index];
      if (again) again.focus({preventScroll: true});
    }
    window.scrollTo(left, top);
    const now = document.getElementById('summary');
    if (now && now.textContent !== before) {
      document.getElementById('announcement').textContent = now.textContent;
      now.classList.add('changed');
    }
  }

  async function renew() {
    if (busy || document.hidden) { wanted = true; return; }
    busy = true;
    wanted = false;
    const begun = performance.now();
    try {
      const answer = await fetch(location.href, {headers: {Accept: 'text/html'}, redirect: 'error'});
      if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch (error) {
      show('off', 'bindery does not answer');
    }
    pause = Math.max(quietest, 10 * (performance.now() - begun));
    setTimeout(() => {
      busy = false;
      if (wanted) renew();
    }, pause);
  }

  function listen() {
    if (source) return;
    source = new EventSource('/api/v1/events/stream?only=changed');
    source.addEventListener('hello', () => {
      show('on', 'Live: renewed when something changes');
      renew();
    });
    source.addEventListener('changed', () => {
      clearTimeout(later);
      later = setTimeout(renew, late);
      renew();
    });
    source.onerror = () => {
      show('off', 'Connection lost; trying again');
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(listen, 10000);
      }
    };
  }

  function leave() {
    if (source) source.close();
    source = null;
  }

  // A page that nobody sees holds no connection: browsers have few of them for each host.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave(); else listen();
  });
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', () => { if (!document.hidden) listen(); });
  if (!document.hidden) listen();
})();
