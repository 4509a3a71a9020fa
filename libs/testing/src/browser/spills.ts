import type { Page } from 'playwright-core';

/**
 * Texts that leave the box they stand in, and boxes that cut a text off with no way to the rest of
 * it: what scrolls, or ends with an ellipsis, does not; and buttons that are out of sight. Each in
 * words, with what it leaves; empty where everything has its place.
 */
export function findSpills(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND_SPILLS);
}

/** Runs in the page. An open dialog is looked at instead of what is behind it. */
const FIND_SPILLS = `(() => {
  const SLACK = 1.5;
  const found = new Set();
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.add('the page is ' + scrollWidth + ' px wide in a window of ' + innerWidth);

  const extent = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
    return { left: Math.min(...lines.map((line) => line.left)), right: Math.max(...lines.map((line) => line.right)) };
  };
  const hasNoBox = ({ display }) => display === 'inline' || display === 'contents';

  const look = (text) => {
    if (!text.parentElement.checkVisibility()) return;
    const { left, right } = extent(text);
    if (left > right) return;
    for (let box = text.parentElement; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (hasNoBox(style)) continue;
      const frame = box.getBoundingClientRect();
      // What has one pixel is for those who hear the page.
      if (frame.width <= 1 || style.overflowX === 'auto' || style.overflowX === 'scroll') return;
      const by = Math.max(frame.left - left, right - frame.right);
      if (by > SLACK && style.textOverflow !== 'ellipsis') {
        const name = box.tagName.toLowerCase() + [...box.classList].map((one) => '.' + one).join('');
        found.add('“' + text.data.trim().slice(0, 40) + '” leaves ' + name + ' by ' + Math.round(by) + ' px');
        return;
      }
      if (style.overflowX !== 'visible') return;
      // What is laid over the page has to stay within the window.
      if (style.position === 'absolute' || style.position === 'fixed') {
        if (left < 0 || right > innerWidth) found.add('“' + text.data.trim().slice(0, 40) + '” leaves the window');
        return;
      }
    }
  };
  const texts = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (text.data.trim() !== '' && !text.parentElement.closest('svg, option')) look(text);

  // Nobody scrolls a table sideways to find the buttons of a row.
  for (const button of document.querySelectorAll('table button')) {
    const by = button.getBoundingClientRect().right - innerWidth;
    if (by > SLACK) found.add('the button “' + button.textContent + '” is ' + Math.round(by) + ' px outside of the window');
  }

  for (const shape of document.querySelectorAll('.picture [data-block]')) {
    const outline = shape.querySelector('rect, polygon, circle')?.getBoundingClientRect();
    for (const text of shape.querySelectorAll('text')) {
      const { left, right } = text.getBoundingClientRect();
      const by = outline ? Math.max(outline.left - left, right - outline.right) : 0;
      if (by > SLACK && !text.closest('.badge'))
        found.add('“' + text.textContent.slice(0, 40) + '” leaves its block in the picture by ' + Math.round(by) + ' px');
    }
  }
  return [...found];
})()`;
