import { launchBrowser } from '#test/support/browser'
import { signIn } from '#test/support/product'
import { say, type Figures } from './support/measure.ts'
import { startBenchProduct } from './support/product.ts'
import { withServer } from './support/server.ts'
import { PART_KIB, ROUTE_KIB, SPEED } from './web/budgets.ts'
import type { Signed } from './web/page.ts'
import { speed } from './web/speed.ts'
import { weights } from './web/weights.ts'

/**
 * The application's size and response times in Chromium, on the demo: KiB gzip, milliseconds.
 * `over_budget` counts the figures above their budget (bench/web/budgets.ts).
 */
export const web = (): Promise<Figures> =>
  withServer(async (server) => {
    const database = `web_${process.pid}`
    const browser = await launchBrowser()
    try {
      const product = await startBenchProduct(await server.create(database))
      await product.ready()
      const advertiser = await signedIn(product.base, 'ada@nile.example')
      const moderator = await signedIn(product.base, 'owner@dsp.example')
      const campaign = await longestCampaign(product.base)
      const figures: Figures = {
        ...(await weights(browser, product.base, { advertiser, moderator }, campaign)),
        ...(await speed({ browser, base: product.base, signed: advertiser, campaign })),
      }
      await product.stop()
      const over = Object.entries(budgets()).filter(([name, most]) => (figures[name] ?? Infinity) > most)
      for (const [name, most] of over) say(`over budget: ${name} ${figures[name]}, at most ${most}`)
      return { over_budget: over.length, ...figures }
    } finally {
      await browser.close()
      await server.drop(database)
    }
  })

const budgets = (): Figures => ({
  ...Object.fromEntries(Object.entries({ ...ROUTE_KIB, ...PART_KIB }).map(([name, most]) => [`${name}_kib`, most])),
  ...SPEED,
})

async function signedIn(base: string, email: string): Promise<Signed> {
  const body = new URLSearchParams({ grant_type: 'password', username: email, password: 'Placard#2026' })
  const response = await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: Record<string, string> } = await response.json()
  const entry = (name: string, value: string | undefined) => ({ name, value: value ?? '' })
  return {
    cookies: [],
    origins: [
      {
        origin: base,
        localStorage: [
          entry('DSP_AUTH_TOKEN', data['access_token']),
          entry('DSP_AUTH_TOKEN_EXPIRES_AT', String(Date.now() + Number(data['expires_in']) * 1000)),
          entry('DSP_SPACE_ID', data['space_id']),
        ],
      },
    ],
  }
}

/** The demo campaign with the fullest form. */
async function longestCampaign(base: string): Promise<string> {
  const ada = await signIn(base, 'ada@nile.example')
  const { data } = await ada.call<{ data: { id: string }[] }>('POST', '/v1/campaign/list/v2', { page: 0, pageSize: 25 })
  const sizes = await Promise.all(
    data.data.map(async ({ id }) => ({ id, size: JSON.stringify((await ada.call('GET', `/v1/campaign/${id}`)).data).length })),
  )
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.id ?? ''
}
