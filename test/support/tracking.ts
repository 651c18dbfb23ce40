import { eventually, type Session, type TestProduct } from './product.ts'
import { testClock } from './test-clock.ts'

export type TrackedRow = {
  readonly id: string
  readonly name: string
  readonly time: string
  readonly value: number | null
  readonly device_model: string | null
  readonly url: string | null
  readonly custom_parameters: Readonly<Record<string, string>>
  readonly campaign_id: string | null
  readonly campaign_name: string | null
  readonly attributed: boolean
  readonly conversion: boolean
  readonly unconfirmed: 'origin' | 'click' | null
}
export type TrackedPage = {
  readonly current_page: number
  readonly page_size: number
  readonly total_size: number
  readonly unconfirmed_size: number
  readonly data: readonly TrackedRow[]
}

type Figures = Readonly<Record<string, number>>

/** Yesterday and today, as the period of a report. */
export const lately = () => {
  const [from_date = '', to_date = ''] = [1, 0].map((days) => testClock.day(-days))
  return { from_date, to_date }
}

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

/** The events of an account as its owner sends and reads them. */
export function trackingIn(product: TestProduct, session: Session) {
  const key = async () => (await session.call<{ key: string }>('GET', '/v1/events/pixel-key')).data.key
  return {
    key,

    /** Loads the pixel on a landing page of the demo's accounts, unless the headers name another; resolves with its status, its bytes and what its header says. */
    pixel: async (parameters: Readonly<Record<string, string>> | string, headers: Record<string, string> = {}) => {
      const query = typeof parameters === 'string' ? parameters : String(new URLSearchParams({ key: await key(), ...parameters }))
      const response = await fetch(`${product.base}/v1/pixel.gif?${query}`, {
        headers: { origin: 'https://nile.example', ...headers },
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, bytes, headers: response.headers, outcome: response.headers.get('x-placard-event') }
    },

    send: (events: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
      session.call<{ accepted: number; repeated: number; errors: readonly { path: string; code: number }[] }>(
        'POST',
        '/v1/events',
        {
          events,
          ...more,
        },
      ),

    list: async (body: Readonly<Record<string, unknown>> = {}) =>
      (await session.call<TrackedPage>('POST', '/v1/events/list', body)).data,

    /** Waits until the figures of the campaign hold so many conversions; resolves with those figures. */
    conversions: (id: string, wanted: number, unconfirmed = 0): Promise<Figures> =>
      eventually(
        async () => (await session.call<{ totals: Figures }>('POST', '/v1/reports/total', { ...lately(), id })).data.totals,
        ({ conversions, unconfirmed_conversions: apart }) => conversions === wanted && apart === unconfirmed,
      ),
  }
}
