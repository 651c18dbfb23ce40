import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressChecks } from './address-checks.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { PrivateNetwork } from './public-network.ts'

const PAGE = 'https://nile.example/'
const failing = (code: string) => Object.assign(new Error(code), { code })
const answer = (status: number, location?: string) =>
  new Response(null, { status, headers: location === undefined ? {} : { location } })

/** The checks with a fetch of one answer after the other; the last one stays. */
function checksOf(...answers: readonly (Response | Error)[]) {
  let at = 0
  const asked: string[] = []
  const clock = { now: 0 }
  const fetch: GuardedFetch = async (url) => {
    asked.push(url)
    const next = answers[Math.min(at++, answers.length - 1)]
    if (next instanceof Error) throw next
    return next ?? answer(200)
  }
  return { checks: createAddressChecks({ fetch, clock: () => clock.now, pauseMs: 0 }), asked, clock }
}
const settled = async ({ checks }: ReturnType<typeof checksOf>, url = PAGE) => {
  await expect.poll(() => checks.faultOf(url)).not.toBeUndefined()
  return checks.faultOf(url)
}

/** Fine print 108. */
describe('the check of an address', () => {
  // covers FP-108
  it.each([
    ['a page', answer(200), null],
    ['a page that refuses programs', answer(403), null],
    ['too many calls', answer(429), null],
    ['a page that is not there', answer(404), 'not_found'],
    ['a page that is gone', answer(410), 'not_found'],
    ['a server with a fault', answer(503), 'server_error'],
    ['a name that does not exist', failing('ENOTFOUND'), 'no_name'],
    ['a server that refuses', failing('ECONNREFUSED'), 'no_answer'],
    ['a server that is too slow', failing('ABORT_ERR'), 'no_answer'],
    ['an old certificate', failing('CERT_HAS_EXPIRED'), 'certificate'],
    ['a certificate of another name', failing('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate'],
    ['a private network', new PrivateNetwork('private'), 'not_public'],
    ['a resolver that is away', failing('EAI_AGAIN'), null],
    ['no network', failing('ENETUNREACH'), null],
    ['an endless redirect', answer(302, '/'), 'redirects'],
    ['a redirect into an application', answer(302, 'market://details?id=1'), null],
    ['a redirect to nowhere', answer(302, 'https://['), 'not_found'],
  ] as const)('tells %s', async (_, given, fault) => {
    expect(await settled(checksOf(given))).toBe(fault)
  })

  it('follows redirects to the page, and counts its answer', async () => {
    const checked = checksOf(answer(301, 'https://www.nile.example/tea'), answer(302, '/gone'), answer(404))
    expect(await settled(checked)).toBe('not_found')
    expect(checked.asked.slice(0, 3)).toEqual([PAGE, 'https://www.nile.example/tea', 'https://www.nile.example/gone'])
  })

  it('follows five redirects', async () => {
    const checked = checksOf(...Array.from({ length: 5 }, () => answer(302, '/next')), answer(200))
    expect(await settled(checked)).toBe(null)
    expect(checked.asked.at(-1)).toBe('https://nile.example/next')
  })

  // covers FP-108
  it('asks a second time before it counts an address as dead', async () => {
    const checked = checksOf(answer(503), answer(200))
    expect(await settled(checked)).toBe(null)
    expect(checked.asked).toHaveLength(2)
  })

  // covers FP-108
  it('asks a dead address again after ten minutes, and a live one after a day', async () => {
    for (const [given, minutes] of [
      [answer(404), 10],
      // The network of the operator was down: the page may be dead.
      [failing('EAI_AGAIN'), 10],
      [answer(200), 24 * 60],
    ] as const) {
      const checked = checksOf(given)
      await settled(checked)
      const before = checked.asked.length
      checked.clock.now = minutes * 60_000 - 1
      expect(checked.checks.faultOf(PAGE)).not.toBeUndefined()
      expect(checked.asked).toHaveLength(before)
      checked.clock.now += 1
      expect(checked.checks.faultOf(PAGE)).toBeUndefined()
      expect(checked.asked.length).toBeGreaterThan(before)
    }
  })

  // covers FP-108
  it('checks at most eight at once, each once however many ask, and remembers the newest thousand', async () => {
    let atOnce = 0
    let most = 0
    let calls = 0
    const fetch: GuardedFetch = async () => {
      calls += 1
      most = Math.max(most, ++atOnce)
      await new Promise((resolve) => setTimeout(resolve, 0))
      atOnce -= 1
      return answer(200)
    }
    const checks = createAddressChecks({ fetch, clock: () => 0 })
    const urls = Array.from({ length: 1001 }, (_, i) => `https://nile.example/${i}`)
    for (const url of urls)
      await expect.poll(() => Array.from({ length: 30 }, () => checks.faultOf(url)).at(-1), { interval: 1 }).toBe(null)
    expect([calls, most]).toEqual([1001, 1])
    for (const url of urls.slice(0, 20)) checks.faultOf(`${url}?other`)
    await expect.poll(() => atOnce).toBe(0)
    expect(most).toBe(8)
    // Nine were added after the first one left.
    expect(checks.faultOf(urls[1000] ?? '')).toBe(null)
    expect(checks.faultOf(urls[0] ?? '')).toBeUndefined()
  })

  it('never rejects, whatever a server sends', async () => {
    const thrown = fc.constantFrom('ECONNRESET', 'HPE_INVALID_CONSTANT', '', 'ERR_INVALID_CHAR').map(failing)
    const sent = fc
      .tuple(fc.integer({ min: 200, max: 599 }), fc.option(fc.webUrl({ withQueryParameters: true })))
      .map(([status, location]) => answer(status, location ?? undefined))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(thrown, sent), { minLength: 1, maxLength: 8 }), async (answers) => {
        const fault = await settled(checksOf(...answers))
        expect([null, 'no_answer', 'not_found', 'server_error', 'redirects']).toContain(fault)
      }),
      { numRuns: 30 },
    )
  })
})
