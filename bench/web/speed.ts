import type { Browser, Page } from 'playwright-core'
import { median, round, say, type Figures } from '../support/measure.ts'
import type { Profile } from './budgets.ts'
import { measured, settled, visit, type Signed } from './page.ts'

const RUNS = 7
const CYCLES = 50
/** Time for an interaction to be painted and reported, milliseconds. */
const TOLD_MS = 350

type Subject = { readonly browser: Browser; readonly base: string; readonly signed: Signed; readonly campaign: string }

const shown = { list: 'tbody tr a', form: 'form input' } as const
const addressOf = ({ campaign }: Subject, page: keyof typeof shown) =>
  page === 'list' ? '/campaigns' : `/campaign/edit/${campaign}?tab=basicInfo`

/** Loads a page in a browser with an empty cache; adds its layout shifts and long tasks to the lists. */
async function cold(subject: Subject, page: keyof typeof shown, profile: Profile, shifts: number[], tasks: number[]) {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const one = await visit(subject.browser, subject.base, subject.signed, profile)
    await one.page.goto(addressOf(subject, page))
    await one.page.waitForSelector(shown[page])
    await settled(one)
    const { lcp, cls, long } = await measured(one.page)
    times.push(lcp)
    shifts.push(cls)
    if (profile === 'fast4g') tasks.push(long)
    await one.close()
  }
  say(`${page}, ${profile}: LCP ${times.map(Math.round).join(', ')} ms`)
  return round(median(times))
}

async function warm(subject: Subject) {
  const one = await visit(subject.browser, subject.base, subject.signed, 'none')
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    await one.page.goto('/campaigns')
    await one.page.waitForSelector(shown.list)
    await settled(one, 250)
    // The first fills the cache.
    if (run > 0) times.push((await measured(one.page)).lcp)
  }
  await one.close()
  return round(median(times))
}

/** From the press on a hovered link to its form, processor four times slower. */
async function routeChange(subject: Subject) {
  const one = await visit(subject.browser, subject.base, subject.signed, 'fast4g')
  const times: number[] = []
  await one.page.goto('/campaigns')
  for (let run = 0; run <= RUNS; run++) {
    const link = one.page.locator(`${shown.list}[href*="/campaign/edit/"]`).nth(run % 5)
    await link.waitFor()
    await link.hover()
    await settled(one, 500)
    const time = await link.evaluate(
      (element: HTMLElement) =>
        new Promise<number>((resolve) => {
          const begin = performance.now()
          const poll = () =>
            document.querySelector('form input') === null ? requestAnimationFrame(poll) : resolve(performance.now() - begin)
          element.click()
          requestAnimationFrame(poll)
        }),
    )
    if (run > 0) times.push(time)
    await one.page.goBack()
  }
  await one.close()
  say(`route change: ${times.map(Math.round).join(', ')} ms`)
  return round(median(times))
}

/** Longest times to the next paint: typing, changing tabs, painting the schedule, opening menus, processor four times slower. */
async function interactions(subject: Subject) {
  const one = await visit(subject.browser, subject.base, subject.signed, 'fast4g')
  const { page } = one
  const of = async (name: string, act: () => Promise<void>): Promise<readonly number[]> => {
    const before = (await measured(page)).interactions.length
    await act()
    await page.waitForTimeout(TOLD_MS)
    const times = (await measured(page)).interactions.slice(before)
    say(`${name}: ${times.map(Math.round).join(', ')} ms`)
    return times
  }
  await page.goto(addressOf(subject, 'form'))
  await page.waitForSelector(shown.form)
  await settled(one)
  const all: number[] = []
  all.push(...(await of('typing', () => page.getByLabel('Campaign name').pressSequentially(' in autumn', { delay: 60 }))))
  for (const tab of ['Targeting', 'Responsive ads', 'Placements', 'Frequency & schedule'])
    all.push(...(await of(tab, () => page.getByRole('link', { name: tab }).click())))
  all.push(...(await of('schedule', () => paintSchedule(page))))
  all.push(...(await of('user menu', () => page.getByRole('button', { name: /^User menu/ }).click())))
  await page.keyboard.press('Escape')
  await page.goto('/campaigns')
  await page.waitForSelector(shown.list)
  await settled(one)
  all.push(
    ...(await of('row menu', () =>
      page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click(),
    )),
  )
  await page.keyboard.press('Escape')
  all.push(...(await of('goal picker', () => page.getByRole('button', { name: 'New campaign' }).first().click())))
  await page.keyboard.press('Escape')
  const { cls } = await measured(page)
  await one.close()
  return { all, cls }
}

/** The slowest keystroke of each of seven visits, processor six times slower. */
async function typing(subject: Subject) {
  const slowest: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const one = await visit(subject.browser, subject.base, subject.signed, 'fast4g')
    await one.cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await one.page.goto(addressOf(subject, 'form'))
    await one.page.waitForSelector(shown.form)
    await settled(one)
    await one.page.getByLabel('Campaign name').pressSequentially(' and in winter', { delay: 120 })
    await one.page.waitForTimeout(TOLD_MS)
    const times = (await measured(one.page)).interactions
    say(`typing, processor six times slower: ${times.map(Math.round).join(', ')} ms`)
    slowest.push(Math.max(...times))
    await one.close()
  }
  return round(median(slowest))
}

async function paintSchedule(page: Page): Promise<void> {
  const toggle = page.getByRole('switch').first()
  if (!(await toggle.isChecked())) await toggle.click()
  const cells = page.getByRole('gridcell')
  await cells.nth(9).click()
  await cells.nth(40).click()
}

/** Heap left after fifty changes between list and form, MB. */
async function heapGrowth(subject: Subject) {
  const one = await visit(subject.browser, subject.base, subject.signed, 'none')
  const { page, cdp } = one
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    return usedSize / 1_000_000
  }
  await page.goto('/campaigns')
  const cycle = async () => {
    // Holds no reference to the page, which would keep it in memory.
    await page.locator(`${shown.list}[href*="/campaign/edit/"]`).first().click()
    await page.locator(shown.form).first().waitFor()
    await page.goBack()
    await page.locator(shown.list).first().waitFor()
  }
  for (let n = 0; n < 5; n++) await cycle()
  const before = await heap()
  for (let n = 0; n < CYCLES; n++) await cycle()
  const growth = (await heap()) - before
  await one.close()
  return round(Math.max(growth, 0))
}

/** Load and response times of pages. Milliseconds unless the name says otherwise; medians of seven. */
export async function speed(subject: Subject): Promise<Figures> {
  const shifts: number[] = []
  const tasks: number[] = []
  const figures = {
    lcp_fast4g_list: await cold(subject, 'list', 'fast4g', shifts, tasks),
    lcp_fast4g_form: await cold(subject, 'form', 'fast4g', shifts, tasks),
    lcp_slow4g_list: await cold(subject, 'list', 'slow4g', shifts, tasks),
    lcp_slow4g_form: await cold(subject, 'form', 'slow4g', shifts, tasks),
    lcp_warm_list: await warm(subject),
    route_change: await routeChange(subject),
  }
  const { all, cls } = await interactions(subject)
  return {
    ...figures,
    inp_median: round(median(all)),
    inp_max: round(Math.max(...all)),
    inp_typing_cpu6: await typing(subject),
    cls_max: round(Math.max(cls, ...shifts)),
    long_tasks: Math.max(...tasks),
    heap_growth_mb: await heapGrowth(subject),
  }
}
