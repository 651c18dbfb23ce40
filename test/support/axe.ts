import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rule and element of every violation on the page as it stands. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Colours are judged at rest, not in the middle of a fade.
  await page.waitForTimeout(500)
  return judge(page)
}

/** The same of a page that is known to rest. */
export async function judge(page: Page): Promise<readonly string[]> {
  // As an expression: the content security policy rightly refuses a script element.
  await page.evaluate(`window.axe === undefined && (() => { ${axe} })()`)
  const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then((result) =>
    result.violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.target.join(' '))))`)
  return Array.isArray(found) ? found.map(String) : ['axe gave no answer']
}
