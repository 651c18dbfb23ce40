import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
// Experimental in axe: what is written on a control is part of its name.
const RULES = { 'label-content-name-mismatch': { enabled: true } }
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Whether an element is partly scrolled out of what scrolls around it: its size is that of the part then. */
const IS_CUT = `([selector]) => {
  const element = document.querySelector(selector)
  const { left, right, top, bottom } = element.getBoundingClientRect()
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around)
    if (![overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) continue
    const box = around.getBoundingClientRect()
    if (left < box.left || right > box.right || top < box.top || bottom > box.bottom) return true
  }
  return false
}`

/** Rule and element of every violation on the page. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Check colours after animations have ended. On a busy machine they take longer: what is wrong is still wrong then.
  await page.waitForTimeout(500)
  const found = await judge(page)
  if (found.length === 0) return found
  await page.waitForTimeout(2000)
  return judge(page)
}

/** The same for a page without animations; colour rules only, when nothing else can have changed. */
export async function judge(page: Page, of: 'everything' | 'colours' = 'everything'): Promise<readonly string[]> {
  // As an expression, because the content security policy refuses a script element.
  await page.evaluate(`window.axe === undefined && (() => { ${axe} })()`)
  const found =
    await page.evaluate(`axe.run(${JSON.stringify({ runOnly: of === 'everything' ? TAGS : COLOURS, resultTypes: ['violations'], ...(of === 'everything' ? { rules: RULES } : {}) })}).then((result) =>
    result.violations.flatMap((rule) => rule.nodes
      .filter((node) => rule.id !== 'target-size' || !(${IS_CUT})(node.target))
      .map((node) => rule.id + ': ' + node.target.join(' '))))`)
  return Array.isArray(found) ? found.map(String) : ['axe gave no answer']
}
