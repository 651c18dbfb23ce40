import { QueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { serve } from '@/test/server'
import { PlacesSection } from './places-section.tsx'

const PATH = '/v1/reports/placement'
const placeOf = (number: number) => ({
  name: `App ${number}`,
  bundle_id: `app.${number}`,
  category: 'news',
  site_or_app: 'app',
  exchange_id: 'google',
  os: 'Android',
  interstitial: false,
  user_count: 1000,
  impression_count: 5000,
  creative_position: 1,
  creative_type: 'banner',
  creative_size: '300x250',
})
type Body = { readonly page: number; readonly page_size: number; readonly name: string; readonly country: string | null }

afterEach(() => vi.unstubAllGlobals())

/** A server with 200 places, 150 a page. */
async function open() {
  const calls = serve({
    '/v1/campaign/app/categories': () => [{ category_id: 'news', category_name: 'News' }],
    [PATH]: ({ body }) => {
      const { page } = body as Body
      const data = Array.from({ length: page === 0 ? 150 : 50 }, (_, index) => placeOf(page * 150 + index))
      return { current_page: page, page_size: 150, total_size: 200, data }
    },
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  renderInForm(<PlacesSection />, campaignWith({ country: 'EG' }), false, { client })
  await userEvent.click(screen.getByRole('button', { name: 'Browse places' }))
  await screen.findByRole('rowheader', { name: 'App 0' })
  return { asked: () => calls.filter(({ path }) => path === PATH).map(({ body }) => body as Body) }
}
const rows = () => screen.getAllByRole('rowheader')

describe('the available places', () => {
  // covers REP-02 REP-21
  it('the available places are asked for in the country of the campaign, 150 at a time, with the body as the call takes it', async () => {
    const { asked } = await open()
    expect(asked()).toEqual([
      {
        page: 0,
        page_size: 150,
        name: '',
        country: 'EG',
        filters: { category: null, environment: null, creative_position: null, creative_type: null, creative_size: null },
      },
    ])
    const [, first] = within(screen.getByRole('table', { name: 'Places' })).getAllByRole('row')
    expect([...(first?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'App 0',
      'Android',
      'google',
      'Above the fold',
      'Banner 300×250',
      '1,000',
      '5,000',
    ])
  })

  // covers REP-11
  it('the available places go on at the end of the list, until there are no more', async () => {
    const { asked } = await open()
    const list = screen.getByRole('region', { name: 'Places' })
    expect(rows()).toHaveLength(150)
    expect(asked()).toHaveLength(1)
    fireEvent.scroll(list)
    await waitFor(() => expect(rows()).toHaveLength(200))
    expect(asked()[1]?.page).toBe(1)
    fireEvent.scroll(list)
    expect(asked()).toHaveLength(2)
  })

  it('the available places do not go on far from the end of the list', async () => {
    const { asked } = await open()
    const list = screen.getByRole('region', { name: 'Places' })
    Object.defineProperty(list, 'scrollHeight', { value: 4000 })
    fireEvent.scroll(list)
    expect(asked()).toHaveLength(1)
  })

  // covers REP-12
  it('the available places are searched once, a second after the last keystroke', async () => {
    const { asked } = await open()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.type(screen.getByRole('searchbox', { name: 'Search places by name' }), 'chat')
    await vi.advanceTimersByTimeAsync(900)
    expect(asked()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(150)
    vi.useRealTimers()
    await waitFor(() => expect(asked()).toHaveLength(2))
    expect(asked()[1]).toMatchObject({ name: 'chat', page: 0 })
  })

  it.each([
    ['Category', 'News', { category: 'news' }],
    ['Environment', 'Sites', { environment: 'site' }],
    ['Position', 'Full screen', { creative_position: '7' }],
    ['Creative type', 'Video', { creative_type: 'video' }],
    ['Size', '300×250', { creative_size: '300x250' }],
  ])('the available places are filtered by %s', async (label, option, filters) => {
    const { asked } = await open()
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: label }),
      (await screen.findAllByRole('option', { name: option }))[0] as HTMLElement,
    )
    await waitFor(() => expect(asked()[1]).toMatchObject({ page: 0, filters }))
  })
})
